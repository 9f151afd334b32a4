import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';

/** The stored record of a restore: `ordered` until a start has carried it out, or has given up. */
export interface RestoreRecord {
  readonly state: 'ordered' | 'done' | 'failed';
  /** Who requested it, as in the history. */
  readonly by: string;
  /** When it was requested. */
  readonly at: EpochMs;
  /** SHA-256 of the staged plan, 64 lower-case hexadecimal digits: no start carries out anything else. */
  readonly digest: string;
  /** Stable code of why a start gave up, such as `ENOSPC`; null unless it failed. */
  readonly failure: string | null;
}

/** Section `restore` of the stored document, version 1. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    state: z.enum(['ordered', 'done', 'failed']),
    by: z.string().max(64),
    at: z.number(),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    failure: z.string().max(64).nullable().default(null),
  }),
);

/** Reads the section; null for anything but a valid record. */
export function readRestore(stored: unknown): RestoreRecord | null {
  const { data } = section().safeParse(stored);
  if (data === undefined) return null;
  const { state, by, at, digest, failure } = data;
  return { state, by, at, digest, failure };
}

/** The record as a section; null removes the section. */
export const restoreSection = (record: RestoreRecord | null): unknown =>
  record === null ? null : { version: 1, ...record };

/** The restore that a start has to carry out; null for none. */
export function dueRestore(stored: unknown): RestoreRecord | null {
  const record = readRestore(stored);
  return record?.state === 'ordered' ? record : null;
}
