import { sunAt, type SunPosition } from '../kit/sun.ts';
import type { EpochMs } from '../kit/units.ts';
import type { LightMinute, Place } from './events.ts';
import { RETAINED_MINUTES } from './minutes.ts';
import { firstFrom, medianOf, sortedIndices } from './order.ts';
import type { LocalMinute } from './zone.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** A minute counts with this much baseline. */
const LEAST_BASELINE_MS = 15_000;

/** Minutes that are looked at between two pauses: some milliseconds on a slow machine. */
const SLICE = 128;

/** Minutes at most this far away by the time of day are alike. */
const NEAR_MINUTES = 30;

/** Degrees of elevation; on the same side of noon, minutes at most this far away are alike. */
const NEAR_DEGREES = 3;

/** Of the learned light; the default is for a time of which nothing is known. */
export const DEFAULT_SPREAD = 0.15;
const LEAST_SPREAD = 0.05;

/** A day counts with this much baseline among the minutes that are alike. */
const COVERED_DAY_MS = 60_000;

/** The minutes that count; a minute is its index in each of the arrays. */
export interface Evidence {
  readonly count: number;
  /** Mean ln(1 + lx). */
  readonly logs: Float64Array;
  readonly baselineMs: Float64Array;
  /** Numbers of their local days, from 0 on. */
  readonly days: Uint16Array;
  readonly dayCount: number;
  readonly minutesOfDay: Uint16Array;
  /** Positions of the sun; empty without a place. */
  readonly suns: readonly SunPosition[];
}

/** Some minutes: those at the places `from` to before `to` of `order`. */
export interface Stretch {
  readonly order: Uint16Array;
  readonly from: number;
  readonly to: number;
}

/** Median and median absolute deviation. */
export interface Centre {
  readonly log: number;
  readonly spread: number;
}

/** The minutes before the last one that have enough baseline; pauses every 128 minutes. */
export function* gather(
  minutes: readonly LightMinute[],
  place: Place | null,
  now: EpochMs,
  clock: (at: EpochMs) => LocalMinute,
): Generator<void, Evidence> {
  const kept = minutes.slice(-RETAINED_MINUTES);
  const logs = new Float64Array(kept.length);
  const baselineMs = new Float64Array(kept.length);
  const days = new Uint16Array(kept.length);
  const minutesOfDay = new Uint16Array(kept.length);
  const suns: SunPosition[] = [];
  const numbers = new Map<number, number>();
  let count = 0;
  for (const [index, row] of kept.entries()) {
    if (index % SLICE === SLICE - 1) yield;
    const at = row.minute * MINUTE_MS;
    if (row.baselineMs < LEAST_BASELINE_MS || at > now - MINUTE_MS) continue;
    const { day, minuteOfDay } = clock(at);
    const number = numbers.get(day) ?? numbers.size;
    numbers.set(day, number);
    logs[count] = row.baselineLogMs / row.baselineMs;
    baselineMs[count] = row.baselineMs;
    days[count] = number;
    minutesOfDay[count] = minuteOfDay;
    if (place !== null) suns.push(sunAt(at, place));
    count += 1;
  }
  return { count, logs, baselineMs, days, dayCount: numbers.size, minutesOfDay, suns };
}

const indicesOf = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Finds the minutes that are alike by the time of day. */
export function timeNeighbours({ count, minutesOfDay }: Evidence): (minuteOfDay: number) => readonly Stretch[] {
  const order = sortedIndices(indicesOf(count), (index) => minutesOfDay[index] ?? 0);
  const sorted = Float64Array.from(order, (index) => minutesOfDay[index] ?? 0);
  const between = (first: number, last: number): Stretch => ({
    order,
    from: firstFrom(sorted, first),
    to: firstFrom(sorted, last + 1),
  });
  return (minuteOfDay) => {
    const first = minuteOfDay - NEAR_MINUTES;
    const last = minuteOfDay + NEAR_MINUTES;
    const around = [between(first, last)];
    // The other side of midnight.
    if (first < 0) around.push(between(first + DAY_MINUTES, DAY_MINUTES - 1));
    if (last >= DAY_MINUTES) around.push(between(0, last - DAY_MINUTES));
    return around;
  };
}

/** Keeps the sorted values above 0. */
const shifted = (elevation: number): number => elevation + 90;

/** Finds the minutes that are alike by the position of the sun. */
export function* solarNeighbours({ count, suns }: Evidence): Generator<void, (sun: SunPosition) => readonly Stretch[]> {
  const sideOf = (isRising: boolean): { readonly order: Uint16Array; readonly sorted: Float64Array } => {
    const indices = indicesOf(Math.min(count, suns.length)).filter((index) => suns[index]?.isRising === isRising);
    const heightOf = (index: number): number => shifted(suns[index]?.elevation ?? 0);
    const order = sortedIndices(indices, heightOf);
    return { order, sorted: Float64Array.from(order, heightOf) };
  };
  const rising = sideOf(true);
  yield;
  const setting = sideOf(false);
  yield;
  return ({ elevation, isRising }) => {
    const { order, sorted } = isRising ? rising : setting;
    const height = shifted(elevation);
    const to = firstFrom(sorted, height + NEAR_DEGREES);
    return [{ order, from: firstFrom(sorted, height - NEAR_DEGREES), to }];
  };
}

/** Median and spread of some minutes; null of none. */
export function centreOf({ logs }: Evidence, stretches: readonly Stretch[]): Centre | null {
  const values = Float64Array.from(
    stretches.flatMap(({ order, from, to }) => Array.from(order.subarray(from, to), (index) => logs[index] ?? 0)),
  );
  const log = medianOf(values);
  if (log === null) return null;
  const spread = medianOf(values.map((value) => Math.abs(value - log))) ?? DEFAULT_SPREAD;
  return { log, spread: Math.max(LEAST_SPREAD, spread) };
}

/** Days with at least a minute of baseline in the stretches; a minute in several of them counts once. */
export function coveredDaysOf(evidence: Evidence, stretches: readonly Stretch[]): number {
  const { count, baselineMs, days, dayCount } = evidence;
  const isCounted = new Uint8Array(count);
  const covered = new Float64Array(dayCount);
  for (const { order, from, to } of stretches)
    for (const index of order.subarray(from, to)) {
      if (isCounted[index] === 1) continue;
      isCounted[index] = 1;
      const day = days[index] ?? 0;
      covered[day] = (covered[day] ?? 0) + (baselineMs[index] ?? 0);
    }
  return covered.reduce((total, ms) => total + (ms >= COVERED_DAY_MS ? 1 : 0), 0);
}
