import type { RevisionsFile } from '#drivers/config-copies/revisions-file.ts';
import type { RevisionBook } from '#machines/config-copies/revisions.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { JobKind, RunningJob } from '#machines/maintenance/events.ts';

import type { JobEnd, Lane } from '../kit/one-at-a-time.ts';
import type { Registry, Timers } from '../kit/registry.ts';

/** Runs a job unless another one runs (`one-at-a-time.ts`). */
export type RunInLane = <T>(
  kind: Extract<JobKind, 'import' | 'revision-restore'>,
  work: (lane: Lane) => Promise<{ readonly value: T; readonly end: JobEnd }>,
) => Promise<{ readonly done: T } | { readonly busy: RunningJob | null }>;

/** What the copies of the configuration are made with. */
export interface CopiesDeps {
  readonly registry: Pick<Registry, 'ask' | 'read' | 'follow'>;
  readonly now: () => EpochMs;
  readonly file: RevisionsFile<RevisionBook>;
  readonly inLane: RunInLane;
  /** Pause before a changed record is written; the real one if absent. */
  readonly pauseMs?: Milliseconds;
  /** The real ones if absent. */
  readonly timers?: Timers;
}
