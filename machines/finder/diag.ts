import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the search for Home Assistant on the network. */
export const diag = [
  textLines({
    order: 45,
    reads: ['finder'],
    lines: ({ read, tree }) => {
      const finder = read('finder');
      return [
        partLine(
          'finder',
          tree,
          'finder',
          finder && {
            state: finder.outcome,
            wanted: finder.wanted,
            count: finder.count,
            failure: finder.failure ?? 'none',
          },
        ),
      ];
    },
  }),
];
