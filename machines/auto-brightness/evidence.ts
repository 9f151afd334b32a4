import { sunAt, type SunPosition } from '../kit/sun.ts';
import type { EpochMs } from '../kit/units.ts';
import type { LightMinute, Place } from './events.ts';
import { RETAINED_MINUTES } from './minutes.ts';
import { firstFrom, medianOf, pick, sortedIndices } from './order.ts';
import type { LocalMinute } from '../kit/zone.ts';

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
  readonly minutesOfDay: Float64Array;
  /** Elevation of the sun, which is 90 higher here so that it is never negative; 0 without a place. */
  readonly heights: Float64Array;
  /** 1 while the sun rises. */
  readonly rising: Uint8Array;
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

const heightOf = ({ elevation }: SunPosition): number => elevation + 90;

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
  const minutesOfDay = new Float64Array(kept.length);
  const heights = new Float64Array(kept.length);
  const rising = new Uint8Array(kept.length);
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
    if (place !== null) {
      const sun = sunAt(at, place);
      heights[count] = heightOf(sun);
      rising[count] = sun.isRising ? 1 : 0;
    }
    count += 1;
  }
  return { count, logs, baselineMs, days, dayCount: numbers.size, minutesOfDay, heights, rising };
}

/** The indices below `count` for which `isWanted`. */
export function indicesOf(count: number, isWanted: (index: number) => boolean = () => true): Uint16Array {
  const indices = new Uint16Array(count);
  let length = 0;
  for (let index = 0; index < count; index += 1) if (isWanted(index)) indices[length++] = index;
  return indices.subarray(0, length);
}

/** Finds the minutes that are alike by the time of day. */
export function timeNeighbours({ count, minutesOfDay }: Evidence): (minuteOfDay: number) => readonly Stretch[] {
  const order = sortedIndices(indicesOf(count), minutesOfDay);
  const sorted = pick(minutesOfDay, order);
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

/** Finds the minutes that are alike by the position of the sun. */
export function* solarNeighbours(evidence: Evidence): Generator<void, (sun: SunPosition) => readonly Stretch[]> {
  const { count, heights, rising } = evidence;
  const sideOf = (side: number): { readonly order: Uint16Array; readonly sorted: Float64Array } => {
    const order = sortedIndices(
      indicesOf(count, (index) => rising[index] === side),
      heights,
    );
    return { order, sorted: pick(heights, order) };
  };
  const morning = sideOf(1);
  yield;
  const evening = sideOf(0);
  yield;
  return (sun) => {
    const { order, sorted } = sun.isRising ? morning : evening;
    const from = firstFrom(sorted, heightOf(sun) - NEAR_DEGREES);
    return [{ order, from, to: firstFrom(sorted, heightOf(sun) + NEAR_DEGREES) }];
  };
}

/** Compares some of the minutes, in the same memory each time, since a chart asks thousands of times. */
export interface Comparison {
  /** Median and spread; null of none. */
  readonly centreOf: (stretches: readonly Stretch[]) => Centre | null;
  /** Days with at least a minute of baseline; a minute in several of the stretches counts once. */
  readonly coveredDaysOf: (stretches: readonly Stretch[]) => number;
}

export function comparing({ count, logs, baselineMs, days, dayCount }: Evidence): Comparison {
  const scratch = new Float64Array(count);
  const counted = new Uint32Array(count);
  const covered = new Float64Array(dayCount);
  let round = 0;
  return {
    centreOf: (stretches) => {
      let length = 0;
      for (const { order, from, to } of stretches)
        for (let place = from; place < to; place += 1) scratch[length++] = logs[order[place] ?? 0] ?? 0;
      const values = scratch.subarray(0, length);
      const log = medianOf(values);
      if (log === null) return null;
      for (let index = 0; index < length; index += 1) values[index] = Math.abs((values[index] ?? 0) - log);
      return { log, spread: Math.max(LEAST_SPREAD, medianOf(values) ?? DEFAULT_SPREAD) };
    },
    coveredDaysOf: (stretches) => {
      round += 1;
      covered.fill(0);
      for (const { order, from, to } of stretches)
        for (let place = from; place < to; place += 1) {
          const index = order[place] ?? 0;
          if (counted[index] === round) continue;
          counted[index] = round;
          const day = days[index] ?? 0;
          covered[day] = (covered[day] ?? 0) + (baselineMs[index] ?? 0);
        }
      let total = 0;
      for (const ms of covered) if (ms >= COVERED_DAY_MS) total += 1;
      return total;
    },
  };
}
