import { z } from 'zod';

import { type Answers, type SetupRecord, stages } from './events.ts';
import { once } from '../kit/once.ts';

const answer = once(() => z.enum(['done', 'later']));

/** The section `setup` of the stored document, version 1; answers to unknown steps are dropped. */
const keptRecord = once(() =>
  z.object({
    version: z.literal(1),
    answers: z.partialRecord(z.enum([...stages, 'setup']), answer()).catch({}),
    reached_at: z.number().nullable(),
  }),
);

/** Reads the stored section; null if it is absent or invalid. */
export function readRecord(stored: unknown): SetupRecord | null {
  const kept = keptRecord().safeParse(stored).data;
  return kept === undefined ? null : { answers: kept.answers as Answers, reachedAt: kept.reached_at };
}

/** The record as a stored section. */
export const recordSection = ({ answers, reachedAt }: SetupRecord): z.input<ReturnType<typeof keptRecord>> => ({
  version: 1,
  answers: { ...answers },
  reached_at: reachedAt,
});
