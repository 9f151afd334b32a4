import { sunAt } from '../kit/sun.ts';
import { clamp, type EpochMs } from '../kit/units.ts';
import type { LearnedRange } from './curve.ts';
import type { LightMinute, Place } from './events.ts';
import {
  comparing,
  DEFAULT_SPREAD,
  gather,
  solarNeighbours,
  timeNeighbours,
  type Centre,
  type Comparison,
  type Evidence,
  type Stretch,
} from './evidence.ts';
import { rangeOf } from './range.ts';
import { zoneClock } from '../kit/zone.ts';

/** What is usual at a time. */
export interface Learned {
  /** As ln(1 + lx); null if nothing is known of that time. */
  readonly log: number | null;
  /** Median absolute deviation of it, at least 0.05. */
  readonly spread: number;
  /** Days with at least a minute of baseline among the minutes that are alike. */
  readonly coveredDays: number;
}

/** What the minutes of the last days say. */
export interface Fit {
  readonly madeAt: EpochMs;
  /** Null while too little of the room is known. */
  readonly range: LearnedRange | null;
  readonly expectedAt: (at: EpochMs) => Learned;
}

/** How long a fit counts. */
export const FIT_MS = 300_000;

/** Degrees of elevation from which the sun counts at all, and from which it alone counts. */
const DUSK = -6;
const HORIZON = 0;

const solarWeight = (elevation: number): number => clamp((elevation - DUSK) / (HORIZON - DUSK), 0, 1);

interface Alike {
  readonly stretches: readonly Stretch[];
  readonly centre: Centre | null;
}

/** Computes the medians of each minute of the day once. */
function timeLookup(evidence: Evidence, comparison: Comparison): (minuteOfDay: number) => Alike {
  const neighboursAt = timeNeighbours(evidence);
  const known = new Map<number, Alike>();
  return (minuteOfDay) => {
    const before = known.get(minuteOfDay);
    if (before !== undefined) return before;
    const stretches = neighboursAt(minuteOfDay);
    const alike = { stretches, centre: comparison.centreOf(stretches) };
    known.set(minuteOfDay, alike);
    return alike;
  };
}

/** The usual light by the time of day and by the sun, which counts for `weight`; what is unknown does not count. */
function blended(comparison: Comparison, time: Alike, sun: Alike, weight: number): Learned {
  const first = time.centre ?? (weight > 0 ? sun.centre : null);
  const second = sun.centre ?? time.centre;
  if (first === null || second === null) return { log: null, spread: DEFAULT_SPREAD, coveredDays: 0 };
  const timeCounts = weight < 1 || sun.centre === null;
  const stretches = [...(timeCounts ? time.stretches : []), ...(weight > 0 ? sun.stretches : [])];
  return {
    log: first.log + weight * (second.log - first.log),
    spread: first.spread + weight * (second.spread - first.spread),
    coveredDays: comparison.coveredDaysOf(stretches),
  };
}

const nothing: Alike = { stretches: [], centre: null };

/**
 * Learns from minutes of the last seven days (sorted, one row each) in slices of a few milliseconds, between which the
 * caller may pause. Without a place it goes by the system's time zone, and the sun does not count.
 */
export function* fitMinutes(minutes: readonly LightMinute[], place: Place | null, now: EpochMs): Generator<void, Fit> {
  const clock = zoneClock(place?.timeZone ?? null);
  // The first use of a zone takes some milliseconds.
  yield;
  const evidence = yield* gather(minutes, place, now, clock);
  yield;
  const range = rangeOf(evidence);
  yield;
  const comparison = comparing(evidence);
  const timeAt = timeLookup(evidence, comparison);
  yield;
  const solarAt = yield* solarNeighbours(evidence);
  const expectedAt = (at: EpochMs): Learned => {
    const time = timeAt(clock(at).minuteOfDay);
    const sun = place === null ? null : sunAt(at, place);
    const weight = sun === null ? 0 : solarWeight(sun.elevation);
    if (sun === null || weight === 0) return blended(comparison, time, nothing, 0);
    const stretches = solarAt(sun);
    return blended(comparison, time, { stretches, centre: comparison.centreOf(stretches) }, weight);
  };
  return { madeAt: now, range, expectedAt };
}
