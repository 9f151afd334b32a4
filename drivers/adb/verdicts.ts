import type { Verdict } from '#machines/kit/verdict.ts';

/**
 * The verdict of each part of an Android panel that does not answer. The bridge's own verdict has the cause and the
 * fix.
 */
export const noAndroidPanel: Verdict = {
  state: 'needs_you',
  reason: 'no-android-panel',
  detail: 'The Android panel does not answer; see what its bridge says.',
  missing: 'An Android panel that answers.',
  fix: null,
};
