import { textLines } from '../subsystem.ts';
import { newerWords } from './loss.ts';

/** Warns about what a newer version wrote, and what was lost at the last start. */
export const warnings = [
  textLines({
    key: 'store',
    after: null,
    reads: ['store'],
    lines: ({ read }) => {
      const { loss = null, newer = null } = read('store') ?? {};
      return [...(newer === null ? [] : [newerWords(newer)]), ...(loss === null ? [] : [loss.reason])];
    },
  }),
];
