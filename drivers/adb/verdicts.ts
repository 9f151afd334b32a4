import type { Verdict } from '#machines/kit/verdict.ts';

/**
 * What a part of an Android panel says while the panel does not answer; why, and what to do, stands with the bridge.
 */
export const noAndroidPanel: Verdict = {
  state: 'needs_you',
  reason: 'no-android-panel',
  detail: 'The Android panel does not answer; see what its bridge says.',
  missing: 'An Android panel that answers.',
  fix: null,
};
