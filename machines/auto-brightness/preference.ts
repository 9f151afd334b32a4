import { LEVEL_MAX } from '../kit/level.ts';
import { clamp, type EpochMs, type Milliseconds } from '../kit/units.ts';
import type { Level, ManualPreference } from './events.ts';

/** How long a level that a person chose counts: 4 hours. */
export const PREFERENCE_MS = 14_400_000;

/** From this difference on, a change of the level is a person's choice. */
export const HAND_STEPS = 4;

/** Share of the automatic at the start. */
export const LEAST_AUTHORITY = 0.2;

/** From this authority on, a preference that hardly differs from the automatic ends. */
const NEARLY_OVER = 0.98;

/** 0 at the start to 1 at the end, slow at both (smoothstep). */
function easedAge(elapsedMs: Milliseconds): number {
  const age = clamp(elapsedMs / PREFERENCE_MS, 0, 1);
  return age * age * (3 - 2 * age);
}

/** Share of the automatic, 0.2 at the start to 1 after four hours. */
export const authorityAt = (elapsedMs: Milliseconds): number => 1 - (1 - LEAST_AUTHORITY) * (1 - easedAge(elapsedMs));

/** The level between the chosen one and the automatic, `elapsedMs` of a monotonic clock after the choice. */
export function preferredLevel(preference: ManualPreference, automaticNow: Level, elapsedMs: Milliseconds): Level {
  const { requested, automaticAtStart } = preference;
  const chosen = (1 - easedAge(elapsedMs)) * (requested - automaticAtStart);
  const followed = authorityAt(elapsedMs) * (automaticNow - automaticAtStart);
  return clamp(Math.round(automaticAtStart + chosen + followed), 1, LEVEL_MAX);
}

/** True after four hours, or as soon as the end would no longer be seen. */
export const isPreferenceOver = (preference: ManualPreference, automaticNow: Level, elapsedMs: Milliseconds): boolean =>
  !(elapsedMs < PREFERENCE_MS) ||
  (authorityAt(elapsedMs) > NEARLY_OVER &&
    Math.abs(preferredLevel(preference, automaticNow, elapsedMs) - automaticNow) <= HAND_STEPS);

/** A stored preference after a restart; null if it is over, or starts in the future. */
export function recalledPreference(stored: ManualPreference, now: EpochMs): ManualPreference | null {
  const age = now - stored.startedAt;
  return age >= 0 && age < PREFERENCE_MS ? stored : null;
}
