import type { Milliseconds } from '../kit/units.ts';
import type { SetbackReason } from './activation.ts';

/** How long a start is watched. */
export interface TrialTimes {
  /** How long everything has to hold without a break: 30 s. */
  readonly holdMs: Milliseconds;
  /** From the start of the process to the health point, else the trial has failed: 60 s. */
  readonly deadlineMs: Milliseconds;
  /** From the answer of a selection to the restart, so that the answer arrives. */
  readonly answerMs: Milliseconds;
}

/** The times of a running panel. */
export const trialTimes: TrialTimes = { holdMs: 30_000, deadlineMs: 60_000, answerMs: 400 };

/** What is seen of a start on its way to the health point. */
export interface HealthFacts {
  /** True if a request to the own port is answered. */
  readonly http: boolean;
  /** True if store, settings, identity and profile are up. */
  readonly base: boolean;
  /**
   * `proven` it answers; `absent` the profile says there is none; `unproven` the probe ended without one; `unsettled`
   * it has not ended.
   */
  readonly screen: 'proven' | 'absent' | 'unproven' | 'unsettled';
}

/** Nothing was seen yet. */
export const nothingObserved: HealthFacts = { http: false, base: false, screen: 'unsettled' };

/**
 * What still stands before the health point; null when it is met. A screen that was proved before must be proved again.
 */
export function judgeHealth(facts: HealthFacts, screenBefore: boolean): SetbackReason | null {
  if (!facts.base) return 'base-down';
  if (!facts.http) return 'http-silent';
  if (facts.screen === 'unsettled') return 'screen-not-settled';
  return facts.screen === 'unproven' && screenBefore ? 'screen-not-proven' : null;
}
