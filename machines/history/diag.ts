import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the history. */
export const diag = [
  textLines({
    order: 27,
    reads: ['history'],
    lines: ({ read, tree }) => {
      const history = read('history');
      return [
        partLine(
          'history',
          tree,
          'history',
          history && { entries: history.entries.length, recalled: history.recalled },
        ),
      ];
    },
  }),
];
