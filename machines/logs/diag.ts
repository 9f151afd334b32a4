import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the live log. */
export const diag = [
  textLines({
    order: 33,
    reads: ['logs'],
    lines: ({ read, tree }) => {
      const logs = read('logs');
      return [partLine('logs', tree, 'logs', logs && { viewers: logs.viewers })];
    },
  }),
];
