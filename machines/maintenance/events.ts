import type { EpochMs } from '../kit/units.ts';

/** Operations of which one at most runs at a time (contract, "Limits"). */
export const jobKinds = [
  'import',
  'revision-restore',
  'backup',
  'restore',
  'reset',
  'profile-select',
  'profile-rollback',
] as const;
export type JobKind = (typeof jobKinds)[number];

/** Outcomes of a job and of its parts (as panel-assistant). */
export const jobStatuses = ['succeeded', 'partial', 'failed', 'skipped', 'rolled_back', 'rollback_failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The outcome for one part of what a job changes. */
export interface PartResult {
  readonly status: JobStatus;
  /** How many settings, revisions or entries were changed; absent where nothing is counted. */
  readonly items?: number;
  /** One plain sentence, at most 256 characters. */
  readonly detail?: string;
}

/** What a job changed, by part. `companion` is the sign-in to Home Assistant, `panel` the state of this hardware. */
export interface JobResult {
  readonly status: JobStatus;
  readonly config?: PartResult;
  readonly filter?: PartResult;
  readonly panel?: PartResult;
  readonly profiles?: PartResult;
  readonly companion?: PartResult;
}

/** The job that runs. */
export interface RunningJob {
  /** Random; names the job in later events. */
  readonly token: string;
  readonly kind: JobKind;
  /** True if settings cannot be saved meanwhile; a backup only reads. */
  readonly changes: boolean;
  readonly since: EpochMs;
  /** What happens now, one plain sentence. */
  readonly message: string;
  /** True once the next start carries it out. */
  readonly isOrdered: boolean;
}

/** A job that has ended. */
export interface EndedJob {
  readonly kind: JobKind;
  readonly since: EpochMs;
  readonly endedAt: EpochMs;
  /** How it ended, one plain sentence. */
  readonly message: string;
  readonly result: JobResult;
}

export type BeginOutcome =
  | { readonly status: 'begun'; readonly token: string }
  /** Nothing was begun: another job runs, or the record of the last one is still being read (`running` is null). */
  | { readonly status: 'busy'; readonly running: RunningJob | null };

export type MaintenanceEvent =
  /**
   * Begins a job for an actor; if that actor ends or restarts before the job does, the job has failed. While a job that
   * `changes` runs, the settings are held. One `reply` with a `BeginOutcome`.
   */
  | {
      readonly type: 'maintenance.begin';
      readonly requestId: string;
      readonly kind: JobKind;
      /** Id of the actor that does the job. */
      readonly holder: string;
      readonly at: EpochMs;
    }
  | { readonly type: 'maintenance.progress'; readonly token: string; readonly message: string }
  /** The next start carries the job out, and notes its end; the settings stay held until this process ends. */
  | { readonly type: 'maintenance.order'; readonly token: string; readonly message: string }
  | {
      readonly type: 'maintenance.end';
      readonly token: string;
      readonly at: EpochMs;
      readonly message: string;
      readonly result: JobResult;
    }
  /** The job changed nothing, such as one whose request was refused: it leaves no record. */
  | { readonly type: 'maintenance.leave'; readonly token: string }
  /** What became known of the last job after its end; ignored unless that job ended at `endedAt`. */
  | {
      readonly type: 'maintenance.amend';
      readonly endedAt: EpochMs;
      readonly message: string;
      readonly result: JobResult;
    };

export interface MaintenanceContext {
  /** Null while no job runs. */
  readonly running: RunningJob | null;
  /** The last job that ended, also in an earlier run; null without one, and until it was read. */
  readonly last: EndedJob | null;
  /** When the last backup was made; null if none ever was. */
  readonly lastBackupAt: EpochMs | null;
}

export interface MaintenanceActor {
  readonly id: 'maintenance';
  readonly context: MaintenanceContext;
  readonly event: MaintenanceEvent;
  readonly asks: { readonly 'maintenance.begin': BeginOutcome };
}
