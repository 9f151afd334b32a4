import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ActivationRecord, SetbackReason } from './activation.ts';
import type { ProfilesBoot } from './boot.ts';
import type { HealthFacts, TrialTimes } from './health.ts';
import type { ProfileCatalog } from './listing.ts';
import type { ProfilesAnswers, AnyProfilesRequest, ProfilesOutcomes } from './requests.ts';

// The types that drivers and other subsystems may use.
export type { MatchFacts, ProfileMaturity } from './reading.ts';

/** Commands for the store of the catalogue, which serves one at a time. */
export type CatalogCommand =
  | { readonly type: 'catalog.load' }
  | { readonly type: 'catalog.serve'; readonly requestId: string; readonly ask: AnyProfilesRequest }
  /** The start reached its health point. */
  | { readonly type: 'catalog.prove'; readonly screenProven: boolean }
  /** The trial failed. */
  | { readonly type: 'catalog.take-back'; readonly reason: SetbackReason }
  /** Finish the current command, then report `catalog.closed`. */
  | { readonly type: 'catalog.close' };

/** The catalogue and the activation record after a command. */
export interface CatalogState {
  readonly catalog: ProfileCatalog;
  readonly record: ActivationRecord;
}

/** Facts from the store of the catalogue. */
export type CatalogFact =
  | { readonly type: 'catalog.loaded'; readonly state: CatalogState; readonly at: EpochMs }
  | {
      readonly type: 'catalog.answered';
      readonly requestId: string;
      readonly outcome: ProfilesOutcomes[keyof ProfilesOutcomes];
      readonly state: CatalogState | null;
      /** True if the agent has to restart to apply the selection. */
      readonly restart: boolean;
    }
  /** The record of a health point or of a failed trial was written, or could not be. */
  | { readonly type: 'catalog.noted'; readonly state: CatalogState; readonly written: boolean }
  | { readonly type: 'catalog.closed' };

/** Each kind of request as an event of its own, so that each has its own type of answer. */
export type ProfilesRequest = {
  readonly [K in AnyProfilesRequest['kind']]: {
    readonly type: `profiles.ask.${K}`;
    readonly requestId: string;
    readonly ask: Extract<AnyProfilesRequest, { readonly kind: K }>;
  };
}[AnyProfilesRequest['kind']];

/** The health of this start. */
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
  /** The health of this start so far. */
  readonly health: HealthFacts;
  /** Since when the start has been healthy; null while it is not. */
  readonly wellSince: EpochMs | null;
  /** True if an earlier start proved a screen, so this one has to prove it too. */
  readonly screenBefore: boolean;
  /** True if this start is a trial that has not reached its health point. */
  readonly trial: boolean;
  /** Time left for the trial when the catalogue was read. */
  readonly deadlineInMs: Milliseconds;
  /** True once the agent has to restart with another profile. */
  readonly restartDue: boolean;
}

export interface ProfileCatalogActor {
  readonly id: 'profile-catalog';
  readonly context: ProfileCatalogContext;
  readonly event: ProfilesRequest | { readonly type: 'profiles.stop' };
  readonly asks: { readonly [K in AnyProfilesRequest['kind'] as `profiles.ask.${K}`]: ProfilesAnswers[K] };
}
