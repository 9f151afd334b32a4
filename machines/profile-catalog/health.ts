import type { Milliseconds } from '../kit/units.ts';
import type { SetbackReason } from './activation.ts';

export interface TrialTimes {
  /** How long the start has to stay healthy: 30 s. */
  readonly holdMs: Milliseconds;
  /** From the start of the process to the health point; later the trial has failed: 60 s. */
  readonly deadlineMs: Milliseconds;
  /** From the answer to a selection until the restart, so that the answer arrives. */
  readonly answerMs: Milliseconds;
}

/** The times of a running panel. */
export const trialTimes: TrialTimes = { holdMs: 30_000, deadlineMs: 60_000, answerMs: 400 };

/** Health of a start on its way to the health point. */
export interface HealthFacts {
  /** True if the agent's own port answers a request. */
  readonly http: boolean;
  /** True if store, settings, identity and profile are up. */
  readonly base: boolean;
  /**
   * `proven`: it answers; `absent`: the profile has none; `unproven`: the probe found none; `unsettled`: the probe has
   * not ended.
   */
  readonly screen: 'proven' | 'absent' | 'unproven' | 'unsettled';
}

export const nothingObserved: HealthFacts = { http: false, base: false, screen: 'unsettled' };

/** What is missing for the health point; null if nothing is. A screen that was proved before must be proved again. */
export function judgeHealth(facts: HealthFacts, screenBefore: boolean): SetbackReason | null {
  if (!facts.base) return 'base-down';
  if (!facts.http) return 'http-silent';
  if (facts.screen === 'unsettled') return 'screen-not-settled';
  return facts.screen === 'unproven' && screenBefore ? 'screen-not-proven' : null;
}
