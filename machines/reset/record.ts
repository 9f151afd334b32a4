import { z } from 'zod';

import { type ResetOrder, type ResetRecord, resetScopes } from './events.ts';
import { once } from '../kit/once.ts';

/** Section `reset` of the stored document, version 1. */
const section = once(() =>
  z.object({
    version: z.literal(1),
    state: z.enum(['ordered', 'done']),
    scope: z.enum(resetScopes),
    by: z.string().max(64),
    at: z.number(),
    left_behind: z.int().min(0),
  }),
);

/** Reads the section; null for anything but a valid record. */
export function readRecord(stored: unknown): ResetRecord | null {
  const { data } = section().safeParse(stored);
  if (data === undefined) return null;
  const { state, scope, by, at, left_behind: leftBehind } = data;
  return { state, scope, by, at, leftBehind };
}

/** The record as a section; null removes the section. */
export function recordSection(record: ResetRecord | null): z.infer<ReturnType<typeof section>> | null {
  if (record === null) return null;
  const { state, scope, by, at, leftBehind } = record;
  return { version: 1, state, scope, by, at, left_behind: leftBehind };
}

/** The order that a start has to carry out; null for none. */
export function dueOrder(stored: unknown): ResetOrder | null {
  const record = readRecord(stored);
  return record?.state === 'ordered' ? record : null;
}
