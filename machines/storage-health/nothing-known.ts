import type { StorageFacts } from './events.ts';

/** The facts before the first inspection. */
export const nothingKnown: StorageFacts = {
  pressure: 'unchecked',
  usableBytes: null,
  totalBytes: null,
  documentBytes: null,
  sizes: null,
  large: [],
  growth: { measured: [], lastAt: null, bytesPerDay: null },
  check: 'not_run',
  quickCheckedAt: null,
  checkedAt: null,
  held: null,
};
