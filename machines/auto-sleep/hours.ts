import type { Place } from '../auto-brightness/events.ts';
import { sunAt } from '../kit/sun.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { firstMomentOf, type ZoneClock, zoneClock } from '../kit/zone.ts';
import type { RuleView } from './events.ts';
import type { HourRange } from './hour-range.ts';
import type { Hours } from './hours-text.ts';

const DAY_MS: Milliseconds = 86_400_000;
/** How far ahead the next change is looked for. */
const AHEAD_MS: Milliseconds = 8 * DAY_MS;
const AHEAD_DAYS = 9;

/** The upper edge of the sun at the horizon, with refraction: sunrise and sunset as almanacs have them, in degrees. */
const SUNSET_ELEVATION = -0.833;
/** Nights and days next to a polar one may be missed if they are shorter than this. */
const SUN_STEP_MS: Milliseconds = 300_000;

const unset: RuleView = { isActive: false, changesAt: null, why: null };
const withoutPlace: RuleView = { isActive: false, changesAt: null, why: 'no-place' };

interface Stretch {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** 1970-01-01 was a Thursday; 0 is Monday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Stretches in order, those that touch or overlap as one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const rows: Stretch[] = [];
  for (const one of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = rows.pop();
    if (last === undefined) rows.push(one);
    else if (last.to < one.from) rows.push(last, one);
    else rows.push({ from: last.from, to: Math.max(last.to, one.to) });
  }
  return rows;
}

/** The ranges that begin on this day. A range that clocks skip as a whole has no length. */
const stretchesOn = (day: number, ranges: readonly HourRange[], clock: ZoneClock): readonly Stretch[] =>
  ranges.flatMap(({ days, from, to }): readonly Stretch[] => {
    if (!days.includes(weekdayOf(day))) return [];
    const begin = firstMomentOf(clock, { day, minuteOfDay: from });
    const end = firstMomentOf(clock, { day: to < from ? day + 1 : day, minuteOfDay: to });
    return begin < end ? [{ from: begin, to: end }] : [];
  });

function rangesAt(ranges: readonly HourRange[], clock: ZoneClock, now: EpochMs): RuleView {
  const today = clock(now).day;
  // A range begins up to a day before its end, and an hour that is repeated at midnight belongs to the day before.
  const days = Array.from({ length: AHEAD_DAYS + 3 }, (_, index) => today - 2 + index);
  const stretches = joined(days.flatMap((day) => stretchesOn(day, ranges, clock)));
  const next = stretches.find(({ to }) => to > now);
  const isActive = next !== undefined && next.from <= now;
  const changesAt = next === undefined ? null : isActive ? next.to : next.from;
  return { isActive, changesAt: changesAt !== null && changesAt <= now + AHEAD_MS ? changesAt : null, why: null };
}

function sunDownAt(place: Place, now: EpochMs): RuleView {
  const isDown = (at: EpochMs): boolean => sunAt(at, place).elevation < SUNSET_ELEVATION;
  const isActive = isDown(now);
  for (let low = now; low < now + AHEAD_MS; low += SUN_STEP_MS) {
    let high = low + SUN_STEP_MS;
    if (isDown(high) === isActive) continue;
    let same = low;
    while (high - same > 1) {
      const middle = Math.floor((same + high) / 2);
      if (isDown(middle) === isActive) same = middle;
      else high = middle;
    }
    return { isActive, changesAt: high, why: null };
  }
  return { isActive, changesAt: null, why: null };
}

/** Decides again only once the last decision no longer holds, or after a day without a known change. */
function cached(decide: (now: EpochMs) => RuleView): (now: EpochMs) => RuleView {
  let known: (Stretch & { readonly view: RuleView }) | null = null;
  return (now) => {
    if (known === null || now < known.from || now >= known.to) {
      const view = decide(now);
      known = { from: now, to: view.changesAt ?? now + DAY_MS, view };
    }
    return known.view;
  };
}

/**
 * Hours at a place, by its wall clock; by the system's zone if it is unknown. `changesAt` is when `isActive` changes
 * next, at most eight days ahead. A beginning or an end that clocks skip is at the moment of the skip; in an hour that
 * they repeat, each of them counts once, at its first time. Cheap per call.
 */
export function hoursClock(hours: Hours, place: Place | null): { readonly at: (now: EpochMs) => RuleView } {
  if (hours.kind === 'never') return { at: () => unset };
  if (hours.kind === 'sun') return { at: place === null ? () => withoutPlace : cached((now) => sunDownAt(place, now)) };
  const clock = zoneClock(place?.timeZone ?? null);
  return { at: cached((now) => rangesAt(hours.ranges, clock, now)) };
}
