import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ActivationRecord, SetbackReason } from './activation.ts';
import type { ProfilesBoot } from './boot.ts';
import type { HealthFacts, TrialTimes } from './health.ts';
import type { ProfileCatalog } from './listing.ts';
import type { ProfilesAnswers, AnyProfilesRequest, ProfilesOutcomes } from './requests.ts';

// What drivers and other subsystems may know of a profile.
export type { MatchFacts, ProfileMaturity } from './reading.ts';

/** What the machine tells the store of the catalogue, which serves one after another. */
export type CatalogCommand =
  | { readonly type: 'catalog.load' }
  | { readonly type: 'catalog.serve'; readonly requestId: string; readonly ask: AnyProfilesRequest }
  /** The start has reached its health point. */
  | { readonly type: 'catalog.prove'; readonly screenProven: boolean }
  /** The trial has failed. */
  | { readonly type: 'catalog.take-back'; readonly reason: SetbackReason }
  /** Finish what is under way, then report `catalog.closed`. */
  | { readonly type: 'catalog.close' };

/** The catalogue after something was done, and where the activation stands. */
export interface CatalogState {
  readonly catalog: ProfileCatalog;
  readonly record: ActivationRecord;
}

/** What the store of the catalogue reports. */
export type CatalogFact =
  | { readonly type: 'catalog.loaded'; readonly state: CatalogState; readonly at: EpochMs }
  | {
      readonly type: 'catalog.answered';
      readonly requestId: string;
      readonly outcome: ProfilesOutcomes[keyof ProfilesOutcomes];
      readonly state: CatalogState | null;
      /** True if the agent has to restart for what was selected. */
      readonly restart: boolean;
    }
  /** The record of a health point or of a failed trial was written, or the disk refused it. */
  | { readonly type: 'catalog.noted'; readonly state: CatalogState; readonly written: boolean }
  | { readonly type: 'catalog.closed' };

/** One of the questions as an event, named after it, so that each has an answer of its own type. */
export type ProfilesRequest = {
  readonly [K in AnyProfilesRequest['kind']]: {
    readonly type: `profiles.ask.${K}`;
    readonly requestId: string;
    readonly ask: Extract<AnyProfilesRequest, { readonly kind: K }>;
  };
}[AnyProfilesRequest['kind']];

/** What is seen of the start. */
export interface HealthFact {
  readonly type: 'health.probed';
  readonly facts: HealthFacts;
  readonly at: EpochMs;
}

export type ProfilesEvent = ProfilesRequest | CatalogFact | HealthFact | { readonly type: 'profiles.stop' };

/** Public facts of the catalogue. */
export interface ProfileCatalogContext {
  /** Null until the catalogue was read. */
  readonly catalog: ProfileCatalog | null;
  readonly boot: ProfilesBoot;
  readonly times: TrialTimes;
  /** What was seen on the way to the health point. */
  readonly health: HealthFacts;
  /** Since when nothing has stood before the health point; null while something does. */
  readonly wellSince: EpochMs | null;
  /** A screen was proved by an earlier start, so this one has to prove it as well. */
  readonly screenBefore: boolean;
  /** True if this start is a trial that has not reached its health point. */
  readonly trial: boolean;
  /** Milliseconds from now until the trial has failed, when the catalogue was read. */
  readonly deadlineInMs: Milliseconds;
  /** True once the agent has to restart for another profile. */
  readonly restartDue: boolean;
}

/** What the actor of the profile catalogue shows to the rest of the house. */
export interface ProfileCatalogActor {
  readonly id: 'profile-catalog';
  readonly context: ProfileCatalogContext;
  readonly event: ProfilesRequest | { readonly type: 'profiles.stop' };
  readonly asks: { readonly [K in AnyProfilesRequest['kind'] as `profiles.ask.${K}`]: ProfilesAnswers[K] };
}
