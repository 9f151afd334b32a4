import type { ProfileMaturity } from '#machines/profile-catalog/events.ts';

/** The active profile, which is chosen once, before the tree starts. */
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
  /** Capabilities that this panel has only if its hardware is found; the profile does not say. */
  readonly optional: readonly string[];
}

/** It takes no events. */
export interface ActiveProfileActor {
  readonly id: 'active-profile';
  readonly context: ActiveProfileContext;
  readonly event: never;
}
