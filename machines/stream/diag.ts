import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the live stream. */
export const diag = [
  textLines({
    order: 32,
    reads: ['stream'],
    lines: ({ read, tree }) => {
      const stream = read('stream');
      return [partLine('stream', tree, 'stream', stream && { viewers: stream.viewers })];
    },
  }),
];
