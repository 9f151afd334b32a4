import type { ActorId } from '#machines/actors.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { BeginOutcome, JobKind, JobResult, RunningJob } from '#machines/maintenance/events.ts';
import { failedWords } from '#machines/maintenance/words.ts';

import type { Registry } from './registry.ts';

/** Longest wait for a job to begin: 6 s for the saves before it, twice 6 to write that it runs, and a margin. */
const BEGIN_MS: Milliseconds = 20_000;

/** What a job has while it runs. */
export interface Lane {
  /** Names the job: its own saves of settings carry it. */
  readonly token: string;
  /** Says what happens now, in one plain sentence. */
  readonly progress: (message: string) => void;
}

/** How a job ended; `ordered`: the next start carries it out; null: nothing was done, which leaves no record. */
export type JobEnd = { readonly message: string; readonly result: JobResult } | { readonly ordered: string } | null;

export interface Job {
  readonly kind: JobKind;
  /** The actor that does the work: if it ends before the work does, the job has failed. */
  readonly holder: ActorId;
  readonly now: () => EpochMs;
}

/**
 * Does the work as the only job of the panel, or says which one runs (null: the panel is not ready for jobs yet). While
 * a job that changes the panel runs, settings are held for it.
 */
export async function oneAtATime<T>(
  registry: Pick<Registry, 'ask' | 'tell'>,
  job: Job,
  work: (lane: Lane) => Promise<{ readonly value: T; readonly end: JobEnd }>,
): Promise<{ readonly done: T } | { readonly busy: RunningJob | null }> {
  const { kind, now } = job;
  const begun = await beginJob(registry, job);
  if (begun.status === 'busy') return { busy: begun.running };
  const { token } = begun;
  const progress = (message: string): void =>
    void registry.tell('maintenance', { type: 'maintenance.progress', token, message });
  try {
    const { value, end } = await work({ token, progress });
    reportEnd(registry, token, end, now());
    return { done: value };
  } catch (error) {
    reportEnd(registry, token, { message: failedWords(kind), result: { status: 'failed' } }, now());
    throw error;
  }
}

/** Begins a job that ends elsewhere, such as in a later state of a machine (`reportEnd`). */
export async function beginJob(registry: Pick<Registry, 'ask'>, { kind, holder, now }: Job): Promise<BeginOutcome> {
  const asked = await registry.ask('maintenance', { type: 'maintenance.begin', kind, holder, at: now() }, BEGIN_MS);
  return asked.ok ? asked.value : { status: 'busy', running: null };
}

/** Reports how a job ended. */
export function reportEnd(registry: Pick<Registry, 'tell'>, token: string, end: JobEnd, at: EpochMs): void {
  if (end === null) registry.tell('maintenance', { type: 'maintenance.leave', token });
  else if ('ordered' in end) registry.tell('maintenance', { type: 'maintenance.order', token, message: end.ordered });
  else registry.tell('maintenance', { type: 'maintenance.end', token, at, ...end });
}
