import { diagLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** How the document was loaded and how its commits went. */
export const diag = [
  textLines({
    order: 14,
    reads: ['store'],
    lines: ({ read }) => {
      const store = read('store');
      return [
        diagLine('database', {
          document_bytes: store?.documentBytes,
          loaded_from: store?.loadedFrom,
          commits: store?.commits,
          last_failure: store?.lastFailure?.reason ?? 'none',
        }),
      ];
    },
  }),
];

/** What was lost at the last start. */
export const warnings = [
  textLines({
    order: 10,
    reads: ['store'],
    lines: ({ read }) => {
      const loss = read('store')?.loss ?? null;
      return loss === null ? [] : [loss.reason];
    },
  }),
];
