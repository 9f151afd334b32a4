import type { EpochMs } from '../kit/units.ts';
import type { SensorContext, SensorId } from './events.ts';
import { isPlausible, ranges, REFRESH_MS } from './ranges.ts';
import { withPoint } from '../kit/trace.ts';
import { doubtfulVerdict, readVerdict } from './verdict.ts';

/** Consecutive implausible readings after which the sensor is no longer trusted. */
export const MOST_DOUBTS = 3;

interface Reading {
  readonly value: number;
  readonly at: EpochMs;
}

const reaches = (change: number, from: number, bound: { readonly step: number; readonly share: number }): boolean =>
  change >= Math.max(bound.step, bound.share * Math.abs(from));

/**
 * True if a reading is published: the first, a large change at once, a small one after the pause of its kind, any
 * after five minutes, and any after the clock was set back. So a noisy sensor publishes little, and the published
 * value is never far off.
 */
export function isWorthPublishing(kind: SensorId, published: Reading | null, reading: Reading): boolean {
  if (published === null || reading.at < published.at) return true;
  const { small, large, gapMs } = ranges[kind];
  const age = reading.at - published.at;
  const change = Math.abs(reading.value - published.value);
  return (
    reaches(change, published.value, large) ||
    (age >= gapMs && reaches(change, published.value, small)) ||
    age >= REFRESH_MS
  );
}

/** The facts after a reading: an implausible one is dropped, and after three in a row nothing is trusted. */
export function afterReading(known: SensorContext, reading: Reading): SensorContext {
  const { kind, published } = known;
  if (!isPlausible(kind, reading.value)) {
    const doubts = Math.min(known.doubts + 1, MOST_DOUBTS);
    const trace = withPoint(known.trace, { at: reading.at, value: null });
    return doubts < MOST_DOUBTS
      ? { ...known, doubts, trace }
      : { ...known, doubts, trace, measured: null, published: null, verdict: doubtfulVerdict(kind) };
  }
  return {
    ...known,
    doubts: 0,
    verdict: known.device === null ? known.verdict : readVerdict(kind, known.device),
    measured: reading.value,
    at: reading.at,
    published: isWorthPublishing(kind, published, reading) ? { value: reading.value, at: reading.at } : published,
    trace: withPoint(known.trace, { at: reading.at, value: reading.value }),
  };
}
