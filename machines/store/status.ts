import { textLines } from '../subsystem.ts';

/** Warns about what was lost at the last start. */
export const warnings = [
  textLines({
    key: 'store',
    after: null,
    reads: ['store'],
    lines: ({ read }) => {
      const loss = read('store')?.loss ?? null;
      return loss === null ? [] : [loss.reason];
    },
  }),
];
