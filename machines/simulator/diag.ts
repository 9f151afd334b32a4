import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the simulated panel. */
export const diag = [
  textLines({
    order: 59,
    reads: ['simulator'],
    lines: ({ read, tree }) => {
      const panel = read('simulator')?.panel;
      return [
        partLine(
          'simulator',
          tree,
          'simulator',
          panel && {
            unplugged: panel.unplugged.length === 0 ? 'none' : panel.unplugged.join(','),
            reboots: panel.reboots,
          },
        ),
      ];
    },
  }),
];
