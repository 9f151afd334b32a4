import { z } from 'zod';

import { type Answers, type SetupRecord, stages } from './events.ts';
import { once } from '../kit/once.ts';

const answer = once(() => z.enum(['done', 'later']));

/** The section `setup` of the durable document, version 1; answers to steps that this version does not know go. */
const keptRecord = once(() =>
  z.object({
    version: z.literal(1),
    answers: z.partialRecord(z.enum([...stages, 'setup']), answer()).catch({}),
    reached_at: z.number().nullable(),
  }),
);

/** What a stored section says; null where it was never written or is no record. */
export function readRecord(stored: unknown): SetupRecord | null {
  const kept = keptRecord().safeParse(stored).data;
  return kept === undefined ? null : { answers: kept.answers as Answers, reachedAt: kept.reached_at };
}

/** A record as it is stored. */
export const recordSection = ({ answers, reachedAt }: SetupRecord): z.input<ReturnType<typeof keptRecord>> => ({
  version: 1,
  answers: { ...answers },
  reached_at: reachedAt,
});
