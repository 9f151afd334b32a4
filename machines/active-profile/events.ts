import type { ProfileMaturity } from '#machines/profile-catalog/events.ts';

/** Which profile is active; profiles are resolved once, before the tree starts. */
export interface ActiveProfileContext {
  readonly id: string;
  readonly title: string;
  /** SHA-256 of the exact bytes; empty for the emergency profile. */
  readonly hash: string;
  readonly origin: 'bundled' | 'local';
  readonly version: string;
  readonly maturity: ProfileMaturity;
  readonly simulated: boolean;
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
}

/** What the actor of the active profile shows to the rest of the house; it takes no events. */
export interface ActiveProfileActor {
  readonly id: 'active-profile';
  readonly context: ActiveProfileContext;
  readonly event: never;
}
