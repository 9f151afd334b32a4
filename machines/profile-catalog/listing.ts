import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ProfileRef } from './activation.ts';
import type { ProfileSummary } from './reading.ts';

export type RevisionState = 'bundled' | 'inactive' | 'pending' | 'active' | 'last-known-good' | 'rolled-back';

/** One revision in the list. */
export interface ProfileRow extends ProfileSummary {
  readonly state: RevisionState;
  /** True if its match rules name this machine; a local revision is only used when selected. */
  readonly matches_this_device: boolean;
  readonly selected: boolean;
}

/** A problem of the catalogue or of this start. */
export interface CatalogIssue {
  /** Stable code. */
  readonly code: string;
  /** The affected revision; null if there is none. */
  readonly ref: ProfileRef | null;
  /** One plain sentence. */
  readonly message: string;
}

/** Progress of a trial, by the panel's own clock. */
interface TrialProgress {
  /** Since it was selected. */
  readonly elapsed_ms: Milliseconds;
  /** How long the start has been healthy; 0 while it is not. */
  readonly held_ms: Milliseconds;
  /** How long it has to be healthy. */
  readonly hold_ms: Milliseconds;
}

/** The catalogue as last read or changed. */
export interface ProfileCatalog {
  /** Incremented with every change; a change must name the value that the person saw. */
  readonly catalog_revision: number;
  readonly selection: {
    readonly mode: 'auto' | 'pinned' | 'command_line';
    readonly id: string | null;
    readonly revision: string | null;
  };
  /** The running revision; null for a command-line profile without one, and for the emergency profile. */
  readonly active: ProfileRef | null;
  /** What the next start will try, or this one is trying. */
  readonly pending: ProfileRef | null;
  readonly last_known_good: ProfileRef | null;
  /** What a rollback would restore: `auto`, a revision, or null for nothing. */
  readonly rollback_to: ProfileRef | 'auto' | null;
  readonly activation: {
    readonly state: 'active' | 'trial' | 'rolled_back';
    readonly since: EpochMs;
    readonly reason: string | null;
    readonly detail: string | null;
  };
  readonly issues: readonly CatalogIssue[];
  readonly profiles: readonly ProfileRow[];
}

/** The catalogue as `GET /api/v1/profiles` serves it. */
export interface ShownCatalog extends ProfileCatalog {
  /** Null while nothing is on trial. */
  readonly trial: TrialProgress | null;
}
