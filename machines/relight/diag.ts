import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on what lights a dark screen once the agent is gone. */
export const diag = [
  textLines({
    order: 49,
    reads: ['relight'],
    lines: ({ read, tree }) => [partLine('relight', tree, 'relight', read('relight'))],
  }),
];
