import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ProfileRef } from './activation.ts';
import type { ProfileSummary } from './reading.ts';

/** How a revision stands. */
export type RevisionState = 'bundled' | 'inactive' | 'pending' | 'active' | 'last-known-good' | 'rolled-back';

/** One revision as the list shows it. */
export interface ProfileRow extends ProfileSummary {
  readonly state: RevisionState;
  /** True if its match rules name this machine; a local revision is used only when it is selected. */
  readonly matches_this_device: boolean;
  readonly selected: boolean;
}

/** Something wrong with the catalogue or with this start. */
export interface CatalogIssue {
  /** Stable code. */
  readonly code: string;
  /** The revision it is about; null where it is about none. */
  readonly ref: ProfileRef | null;
  /** One plain sentence. */
  readonly message: string;
}

/** How far a trial is, by the panel's own clock. */
interface TrialProgress {
  /** Since it was selected. */
  readonly elapsed_ms: Milliseconds;
  /** How long all that is awaited has held without a break; 0 while something is missing. */
  readonly held_ms: Milliseconds;
  /** How long it has to hold. */
  readonly hold_ms: Milliseconds;
}

/** What is known of the catalogue whenever it was read or changed. */
export interface ProfileCatalog {
  /** Changes with every change of the catalogue; what a person confirms names it. */
  readonly catalog_revision: number;
  readonly selection: {
    readonly mode: 'auto' | 'pinned' | 'command_line';
    readonly id: string | null;
    readonly revision: string | null;
  };
  /** Revision that runs; null for a profile of the command line that has none, and for the emergency profile. */
  readonly active: ProfileRef | null;
  /** What the next start tries, or this one is trying. */
  readonly pending: ProfileRef | null;
  readonly last_known_good: ProfileRef | null;
  /** What a rollback would bring back: `auto`, a revision, or null for nothing. */
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
