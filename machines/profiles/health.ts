import type { SetbackReason } from './activation.ts';

/** What is seen of a start on its way to the health point. */
export interface HealthFacts {
  /** Whether a request to the own port is answered. */
  readonly http: boolean;
  /** Whether store, settings, identity and profile are up. */
  readonly base: boolean;
  /**
   * `proven` it answers; `absent` the profile says there is none; `unproven` the look ended without one; `unsettled` it
   * has not ended.
   */
  readonly screen: 'proven' | 'absent' | 'unproven' | 'unsettled';
}

/** Nothing was seen yet. */
export const nothingSeen: HealthFacts = { http: false, base: false, screen: 'unsettled' };

/**
 * What still stands before the health point; null when it is met. A screen that was proved before must be proved again.
 */
export const judgeHealth = (facts: HealthFacts, screenBefore: boolean): SetbackReason | null => {
  if (!facts.base) return 'base-down';
  if (!facts.http) return 'http-silent';
  if (facts.screen === 'unsettled') return 'screen-not-settled';
  return facts.screen === 'unproven' && screenBefore ? 'screen-not-proven' : null;
};
