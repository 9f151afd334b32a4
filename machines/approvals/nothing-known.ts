import type { ApprovalsContext } from './events.ts';

/** The public facts before anything is known: at the start, and to others while the part is absent. */
export const nothingKnown: ApprovalsContext = {
  mode: null,
  unreadable: false,
  place: { kind: 'none', reason: 'starting' },
  standing: { pending: 0, approved: 0 },
  shown: null,
  silent: false,
  barred: [],
  happened: [],
};
