import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the inspector. */
export const diag = [
  textLines({
    order: 34,
    reads: ['inspector'],
    lines: ({ read, tree }) => {
      const inspector = read('inspector');
      return [partLine('inspector', tree, 'inspector', inspector && { viewers: inspector.viewers })];
    },
  }),
];
