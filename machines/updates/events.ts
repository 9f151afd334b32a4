import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';

/** How this copy runs: installed as a service, or started by hand in its clone. */
export type RunsAs = 'installed' | 'by-hand';

/**
 * Why it is not known whether there is something newer. `no-record`: an installation that did not note where it came
 * from. `no-clone`: not from a clone with an origin. `private-origin`: an installed panel, and only the owner of the
 * clone can reach its origin. `unreachable`: no answer in time, or a refusal. `no-git`: Git is not installed.
 * `no-temporary-files`: none can be written, such as on a full disk.
 */
export const unknownReasons = [
  'no-record',
  'no-clone',
  'private-origin',
  'unreachable',
  'no-git',
  'no-temporary-files',
] as const;
export type UnknownReason = (typeof unknownReasons)[number];

/** The answer to one question. */
export type UpdateOutcome =
  | { readonly status: 'up-to-date' }
  | {
      readonly status: 'behind';
      readonly runsAs: RunsAs;
      /** Commits of the origin that do not run here; null if they could not be counted. */
      readonly commits: number | null;
      /** Newest version in the changelog of the origin; null if unknown. */
      readonly version: string | null;
      /** First line of the newest commit, at most 100 characters; null if unknown. */
      readonly subject: string | null;
    }
  | { readonly status: 'unknown'; readonly reason: UnknownReason };

/** A person asks. */
export interface UpdatesRequest {
  readonly type: 'updates.ask';
  readonly at: EpochMs;
}

/** Reported once by the driver. */
export interface UpdatesFact {
  readonly type: 'updates.answered';
  readonly outcome: UpdateOutcome;
}

export type UpdatesEvent = UpdatesRequest | UpdatesFact;

/** Contract of the driver: each run asks once. */
export type UpdatesDriver = DriverLogic<UpdatesEvent, undefined, UpdatesFact>;

/** Public facts. */
export interface UpdatesContext {
  /** When it was asked last; null before the first time in this run. */
  readonly askedAt: EpochMs | null;
  /** The last answer; null before the first. */
  readonly outcome: UpdateOutcome | null;
}

export interface UpdatesActor {
  readonly id: 'updates';
  readonly context: UpdatesContext;
  readonly event: UpdatesRequest;
}
