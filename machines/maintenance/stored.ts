import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';
import { isProfileJob } from './admit.ts';
import { type EndedJob, type JobKind, jobKinds, type JobResult, jobStatuses } from './events.ts';
import { interruptedWords, postponedWords } from './words.ts';

/** Longest sentence of a job or a part of it, in characters. */
export const longestMessage = 256;

const message = once(() =>
  z
    .string()
    .max(4 * longestMessage)
    .transform(shortened),
);
const partResult = once(() =>
  z.object({
    status: z.enum(jobStatuses),
    items: z.int().min(0).exactOptional(),
    detail: message().exactOptional(),
  }),
);
const jobResult = once(() =>
  z.object({
    status: z.enum(jobStatuses),
    config: partResult().exactOptional(),
    filter: partResult().exactOptional(),
    panel: partResult().exactOptional(),
    profiles: partResult().exactOptional(),
    companion: partResult().exactOptional(),
  }),
);
const runningJob = once(() =>
  z.object({
    token: z.string().max(64),
    kind: z.enum(jobKinds),
    since: z.number(),
    ordered: z.boolean(),
    /** Names the run of the agent in which it began. */
    run: z.string().max(64),
  }),
);
const endedJob = once(() =>
  z.object({
    kind: z.enum(jobKinds),
    since: z.number(),
    endedAt: z.number(),
    message: message(),
    result: jobResult(),
  }),
);

/** The stored section `maintenance`, version 1; a part of it that cannot be read is left out. */
const storedRecord = once(() =>
  z.object({
    version: z.literal(1),
    running: runningJob().nullable().catch(null),
    last: endedJob().nullable().catch(null),
    lastBackupAt: z.number().nullable().catch(null),
  }),
);

/** A job as it is stored while it runs. */
export type StoredJob = z.output<ReturnType<typeof runningJob>>;

/** What is stored of jobs. */
export interface MaintenanceRecord {
  readonly running: StoredJob | null;
  readonly last: EndedJob | null;
  readonly lastBackupAt: EpochMs | null;
}

const nothing: MaintenanceRecord = { running: null, last: null, lastBackupAt: null };

function shortened(text: string): string {
  return text.length > longestMessage ? `${text.slice(0, longestMessage - 1)}…` : text;
}

/** A sentence of a job within its bound. */
export const boundedMessage = shortened;

/** Reads the stored section; nothing if it is absent or invalid. */
export function readMaintenance(stored: unknown): MaintenanceRecord {
  const record = storedRecord().safeParse(stored).data;
  return record === undefined
    ? nothing
    : { running: record.running, last: record.last, lastBackupAt: record.lastBackupAt };
}

/** The record as a stored section. */
export const maintenanceSection = (record: MaintenanceRecord): z.input<ReturnType<typeof storedRecord>> => ({
  version: 1,
  ...record,
});

/** How a job ended. */
export interface JobOutcome {
  readonly at: EpochMs;
  readonly message: string;
  readonly result: JobResult;
}

const isMade = ({ status }: JobResult): boolean => status === 'succeeded' || status === 'partial';

/** The record after the end of a job. */
export function afterEnd(
  record: MaintenanceRecord,
  { kind, since }: { readonly kind: JobKind; readonly since: EpochMs },
  { at, message: text, result }: JobOutcome,
): MaintenanceRecord {
  const last: EndedJob = { kind, since, endedAt: at, message: shortened(text), result };
  const lastBackupAt = kind === 'backup' && isMade(result) ? at : record.lastBackupAt;
  return { running: null, last, lastBackupAt };
}

/**
 * The stored section after the start that carried out an ordered job, before any actor runs; `stored` is the section
 * from before, null if there is none.
 */
export function maintenanceEnded(stored: unknown, end: JobOutcome & { readonly kind: JobKind }): unknown {
  const record = readMaintenance(stored);
  // Done once more after an interruption, it comes to the same.
  if (record.running === null && record.last?.kind === end.kind && record.last.endedAt === end.at)
    return maintenanceSection(record);
  const since = record.running?.kind === end.kind ? record.running.since : end.at;
  return maintenanceSection(afterEnd(record, { kind: end.kind, since }, end));
}

/**
 * What a start finds of a job that ran in an earlier one, or that the actor of the jobs itself lost by a restart within
 * this one (`run`): it goes on, or has ended as described. A change of the profile goes on until the catalogue says how
 * it ended.
 */
export function judgeFound(
  running: StoredJob,
  run: string,
): { readonly goesOn: true } | { readonly goesOn: false; readonly message: string } {
  const isHere = running.run === run;
  if (running.ordered && isHere) return { goesOn: true };
  if (isProfileJob(running.kind) && !isHere) return { goesOn: true };
  return { goesOn: false, message: running.ordered ? postponedWords(running.kind) : interruptedWords(running.kind) };
}
