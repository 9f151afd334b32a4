import { clamp, type EpochMs } from '../kit/units.ts';
import { fractionOf, levelFor } from './curve.ts';
import type { BrightnessSettings, EpochMinute, HistoryChart, HistoryPoint, LightMinute, Place } from './events.ts';
import type { Fit } from './fit.ts';
import { logOf, luxOf } from './lux.ts';
import { automatic } from './target.ts';
import { zoneClock, zoneNameOf } from '../kit/zone.ts';

const MINUTE_MS = 60_000;

/** Minutes of a point. */
const BUCKET = 5;

/** Hours of a chart: seven days, which are 2,016 points. */
const HOURS_MAX = 168;

/** Points between two pauses: some milliseconds on a slow machine. */
const SLICE = 8;

interface ChartInput {
  /** Sorted, one row a minute. */
  readonly minutes: readonly LightMinute[];
  readonly fit: Fit;
  readonly place: Place | null;
  readonly now: EpochMs;
  /** 1 to 168. */
  readonly hours: number;
  readonly settings: BrightnessSettings;
  readonly sourceRevision: number;
}

interface Bucket {
  luxMs: number;
  coveredMs: number;
  min: number;
  max: number;
}

/** The minutes from `first` on in buckets of five. */
function bucketsOf(minutes: readonly LightMinute[], first: EpochMinute): ReadonlyMap<EpochMinute, Bucket> {
  const buckets = new Map<EpochMinute, Bucket>();
  for (const { minute, luxMs, coveredMs, min, max } of minutes) {
    if (minute < first || coveredMs <= 0) continue;
    const start = minute - (minute % BUCKET);
    const bucket = buckets.get(start);
    if (bucket === undefined) buckets.set(start, { luxMs, coveredMs, min, max });
    else {
      bucket.luxMs += luxMs;
      bucket.coveredMs += coveredMs;
      bucket.min = Math.min(bucket.min, min);
      bucket.max = Math.max(bucket.max, max);
    }
  }
  return buckets;
}

/** The level that these settings give, all of the difference from the expected counting; null if nothing is known. */
function proposed(observed: number | null, expected: number | null, { fit, settings }: ChartInput): number | null {
  const measuredLog = observed === null ? expected : logOf(observed);
  if (measuredLog === null) return null;
  if (expected === null) return levelFor(fractionOf(measuredLog, fit.range), settings);
  const light = { mode: 'confident', expectedLog: expected, measuredLog, share: 1 } as const;
  return automatic({ ...light, settings, range: fit.range }).level;
}

/**
 * Points of five minutes up to now, aligned to multiples of five minutes since the epoch; a gap has no observed light.
 * In slices of a few milliseconds, between which the caller may pause.
 */
export function* chartOf(input: ChartInput): Generator<void, HistoryChart> {
  const { minutes, fit, place, now, settings, sourceRevision } = input;
  const clock = zoneClock(place?.timeZone ?? null);
  const nowEpochMinute = Math.floor(now / MINUTE_MS);
  const count = clamp(Math.floor(input.hours), 1, HOURS_MAX) * (60 / BUCKET);
  const first = nowEpochMinute - (nowEpochMinute % BUCKET) - (count - 1) * BUCKET;
  const known = minutes.filter(({ minute }) => minute <= nowEpochMinute);
  yield;
  const buckets = bucketsOf(known, first);
  const today = clock(now).day;
  const points: HistoryPoint[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % SLICE === 0) yield;
    const epochMinute = first + index * BUCKET;
    const { day, minuteOfDay } = clock(epochMinute * MINUTE_MS);
    const bucket = buckets.get(epochMinute);
    const observed = bucket === undefined ? null : bucket.luxMs / bucket.coveredMs;
    const expected = fit.expectedAt(epochMinute * MINUTE_MS).log;
    points.push({
      epochMinute,
      localDay: day,
      minuteOfDay,
      dayAge: today - day,
      observedMeanLux: observed,
      minLux: bucket?.min ?? null,
      maxLux: bucket?.max ?? null,
      expectedLux: expected === null ? null : luxOf(expected),
      proposedBrightness: proposed(observed, expected, input),
    });
  }
  return {
    nowEpochMinute,
    latestEpochMinute: known.at(-1)?.minute ?? null,
    timeZone: zoneNameOf(place?.timeZone ?? null),
    sourceRevision,
    settings,
    points,
  };
}
