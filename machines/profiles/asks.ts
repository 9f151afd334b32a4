import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ActivationRecord, ProfileRef, ProfileSelection, SetbackReason } from './activation.ts';
import type { BootIssue } from './boot.ts';
import type { CatalogRefusal } from './admit.ts';
import type { ProfileCatalog } from './listing.ts';
import type { DraftEvidence, ProfileDiff, ProfileIssue, ProfileRisk, ProfileSummary } from './events.ts';
import type { HealthFacts } from './health.ts';

/** What a preview came to; nothing was changed by it. */
export interface ProfilePreview {
  readonly valid: boolean;
  readonly issues: readonly ProfileIssue[];
  /** Null for what cannot be read. */
  readonly summary: ProfileSummary | null;
  readonly already_saved: boolean;
  readonly matches_this_device: boolean;
  readonly risks: readonly ProfileRisk[];
  /** Against the active profile; empty where either cannot be read. */
  readonly diff: readonly ProfileDiff[];
  /** Allows to save these very bytes until it expires; null for what is not valid. */
  readonly preview_token: string | null;
  readonly preview_expires_at: EpochMs | null;
  /** What a passive look found for each driver; null where it was not asked for. */
  readonly evidence: readonly DraftEvidence[] | null;
}

/** A change that was refused. */
export interface ChangeRefused {
  readonly status: 'refused';
  readonly code: CatalogRefusal | 'preview-stale' | 'profile-invalid' | 'commit-failed';
  readonly message: string;
}

/** What an import came to. */
export type ImportOutcome =
  | { readonly status: 'saved'; readonly saved: boolean; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** What a selection or a rollback came to; the restart follows it. */
export type SelectOutcome =
  | { readonly status: 'scheduled'; readonly ref: ProfileRef | null; readonly catalogRevision: number }
  | ChangeRefused;

export type DeleteOutcome =
  | { readonly status: 'deleted'; readonly ref: ProfileRef; readonly catalogRevision: number }
  | ChangeRefused;

/** A document that is served; null where there is none. */
export type DocumentOutcome = { readonly bytes: Uint8Array } | null;

/** Documents that the catalogue gives out. */
export type WantedDocument =
  | { readonly kind: 'schema' | 'drivers' | 'template' | 'device-draft' | 'report' }
  | ({ readonly kind: 'revision' } & ProfileRef);

/** Questions to the catalogue, each answered by one `reply`. */
export type ProfilesAsk =
  | { readonly kind: 'preview'; readonly bytes: Uint8Array; readonly look: boolean }
  | { readonly kind: 'import'; readonly bytes: Uint8Array; readonly token: string }
  | { readonly kind: 'select'; readonly wish: ProfileSelection; readonly expected: number }
  | { readonly kind: 'rollback'; readonly expected: number }
  | { readonly kind: 'delete'; readonly ref: ProfileRef; readonly expected: number }
  | { readonly kind: 'document'; readonly wanted: WantedDocument };

/** The outcome that each question is answered with. */
export interface ProfilesOutcomes {
  readonly preview: ProfilePreview;
  readonly import: ImportOutcome;
  readonly select: SelectOutcome;
  readonly rollback: SelectOutcome;
  readonly delete: DeleteOutcome;
  readonly document: DocumentOutcome;
}

/** What was decided before the tree started. */
export interface ProfilesBoot {
  /** Revision that runs; null for the emergency profile. */
  readonly active: ProfileRef | null;
  /** Whether `--profile` set the selection aside. */
  readonly commandLine: boolean;
  readonly issues: readonly BootIssue[];
  /** When the process started, milliseconds since the Unix epoch. */
  readonly startedAt: EpochMs;
}

/** How long a start is watched. */
export interface TrialTimes {
  /** How long everything has to hold without a break: 30 s (issue "Profiles and hardware", 4). */
  readonly holdMs: Milliseconds;
  /** From the start of the process to the health point, else the trial has failed: 60 s. */
  readonly deadlineMs: Milliseconds;
  /** From the answer of a selection to the restart, so that the answer arrives. */
  readonly answerMs: Milliseconds;
}

/** The times of a running panel. */
export const trialTimes: TrialTimes = { holdMs: 30_000, deadlineMs: 60_000, answerMs: 400 };

/** What the machine tells the keeper of the catalogue, which serves one after another. */
export type KeeperCommand =
  | { readonly type: 'keeper.load' }
  | { readonly type: 'keeper.serve'; readonly requestId: string; readonly ask: ProfilesAsk }
  | { readonly type: 'keeper.prove'; readonly screenProven: boolean }
  | { readonly type: 'keeper.take-back'; readonly reason: SetbackReason }
  /** Finish what is under way, then say `keeper.closed`. */
  | { readonly type: 'keeper.close' };

/** The catalogue after something was done, and where the activation stands. */
export interface KeeperFacts {
  readonly catalog: ProfileCatalog;
  readonly record: ActivationRecord;
}

export type KeeperFact =
  | { readonly type: 'keeper.loaded'; readonly facts: KeeperFacts; readonly at: EpochMs }
  | {
      readonly type: 'keeper.answered';
      readonly requestId: string;
      readonly outcome: ProfilesOutcomes[keyof ProfilesOutcomes];
      readonly facts: KeeperFacts | null;
      readonly restart: boolean;
    }
  /** The record of a health point or of a failed trial was written, or the disk refused it. */
  | { readonly type: 'keeper.noted'; readonly facts: KeeperFacts; readonly written: boolean }
  | { readonly type: 'keeper.closed' };

/** One of the questions as an event, named after it, so that each has an answer of its own type. */
export type ProfilesRequest = {
  readonly [K in ProfilesAsk['kind']]: {
    readonly type: `profiles.ask.${K}`;
    readonly requestId: string;
    readonly ask: Extract<ProfilesAsk, { readonly kind: K }>;
  };
}[ProfilesAsk['kind']];

/** What is seen of the start. */
export interface PulseFact {
  readonly type: 'pulse.seen';
  readonly facts: HealthFacts;
}

export type ProfilesEvent = ProfilesRequest | KeeperFact | PulseFact | { readonly type: 'profiles.stop' };

/** Public facts of the catalogue. */
export interface ProfilesContext {
  /** Null until the catalogue was read. */
  readonly catalog: ProfileCatalog | null;
  readonly boot: ProfilesBoot;
  readonly times: TrialTimes;
  /** What was seen on the way to the health point. */
  readonly health: HealthFacts;
  /** A screen was proved by an earlier start, so this one has to prove it as well. */
  readonly screenBefore: boolean;
  /** Whether this start is a trial that has not reached its health point. */
  readonly trial: boolean;
  /** Milliseconds from now until the trial has failed, when the catalogue was read. */
  readonly deadlineInMs: Milliseconds;
  /** True once the agent has to restart for another profile. */
  readonly restartDue: boolean;
}

/** What the actor of the profile catalogue shows to the rest of the house. */
export interface ProfilesActor {
  readonly id: 'profiles';
  readonly context: ProfilesContext;
  readonly event: ProfilesRequest | { readonly type: 'profiles.stop' };
  readonly asks: { readonly [K in ProfilesAsk['kind'] as `profiles.ask.${K}`]: ProfilesOutcomes[K] };
}
