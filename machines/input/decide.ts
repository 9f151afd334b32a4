import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { InputKind, ObservedDisplay } from './events.ts';
import { TOUCH_ORIGIN } from './events.ts';

/** Longest time from a touch to a write for the touch to count as its cause, in milliseconds. */
export const WAKE_BOUND_MS: Milliseconds = 10_000;

/** Least time between two moments that are kept as the last touch, in milliseconds: displaying them needs no more. */
const NEWS_MS: Milliseconds = 1000;

/** True if a touch is kept as the last one; a finger that rests on the screen would otherwise update it constantly. */
export const isChange = (
  last: { readonly kind: InputKind; readonly at: EpochMs } | null,
  touch: { readonly kind: InputKind; readonly at: EpochMs },
): boolean => last === null || last.kind !== touch.kind || Math.abs(touch.at - last.at) >= NEWS_MS;

/** The displays that a touch must light: those that are dark, or about to be. */
export const displaysToWake = (displays: Readonly<Record<string, ObservedDisplay>>): readonly string[] =>
  Object.entries(displays)
    .filter(([, { lit, wanted }]) => (wanted ?? lit) === false)
    .map(([id]) => id);

/** True if no display is dark and none is being switched. */
export const allSettledLit = (displays: Readonly<Record<string, ObservedDisplay>>): boolean =>
  Object.values(displays).every(({ lit, wanted }) => lit !== false && wanted === null);

/**
 * The touch that a wake is measured from: the first one since the panel went dark, unless that is too long ago to be
 * the cause.
 */
export const wakeStart = (earlier: EpochMs | null, at: EpochMs): EpochMs =>
  earlier !== null && at >= earlier && at - earlier < WAKE_BOUND_MS ? earlier : at;

/**
 * Time from a touch to the write that it caused; null if this change is not that write. If the clock was set in
 * between, the time is unknown.
 */
export function wakeTime(touchedAt: EpochMs | null, display: ObservedDisplay): Milliseconds | null {
  const { changed, lit } = display;
  if (touchedAt === null || lit !== true || changed === null || changed.by !== TOUCH_ORIGIN) return null;
  const took = changed.at - touchedAt;
  return took >= 0 && took <= WAKE_BOUND_MS ? took : null;
}

/** When touch last changed a display; null if something else changed it. */
const changedByTouch = ({ changed }: ObservedDisplay): EpochMs | null =>
  changed !== null && changed.by === TOUCH_ORIGIN ? changed.at : null;

/**
 * True if two observations of a display are the same for every decision in this file: a lit display that only becomes
 * brighter or darker makes no difference.
 */
export function isSameToTouch(before: ObservedDisplay, now: ObservedDisplay): boolean {
  const isSettledLit = before.lit === true && before.wanted === null;
  const isWanted = before.wanted === now.wanted || (isSettledLit && now.wanted === true);
  return before.lit === now.lit && isWanted && changedByTouch(before) === changedByTouch(now);
}
