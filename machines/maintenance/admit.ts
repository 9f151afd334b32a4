import type { JobKind, RunningJob } from './events.ts';

/** True for a job that selects another profile. */
export const isProfileJob = (kind: JobKind): boolean => kind === 'profile-select' || kind === 'profile-rollback';

/** True if settings cannot be saved while such a job runs: a backup only reads. */
export const holdsSettings = (kind: JobKind): boolean => kind !== 'backup';

/**
 * True if a job can begin. One at a time; but a person may select another profile, or the previous one, while a
 * selected one is on trial: that ends the trial.
 */
export const mayBegin = (running: Pick<RunningJob, 'kind' | 'isOrdered'> | null, kind: JobKind): boolean =>
  running === null || (running.isOrdered && isProfileJob(running.kind) && isProfileJob(kind));
