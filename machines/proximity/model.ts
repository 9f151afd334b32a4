import { clamp } from '../kit/units.ts';
import type { Calibration, References } from './events.ts';

/** Newest samples that a reference is computed from (as panel-assistant does). */
export const RING = 32;
/** From this many samples, a tenth at each end is left out of the spread. */
const ROBUST_FROM = 10;
/** Smallest change of a ranged sensor that is more than noise in its last digit. */
const LEAST_STEP = 2;
/** A reading is away if it leaves the clear one by this many spreads. */
const AWAY_SPREADS = 3;

/** Summary of a held reading. */
export interface Capture {
  readonly median: number;
  /** Full range below ten samples, otherwise the ninetieth percentile minus the tenth. */
  readonly spread: number;
  readonly low: number;
  readonly high: number;
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** The value below which a share (0 to 1) of the values lies, interpolated linearly; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const order = sorted(values);
  const place = clamp(share, 0, 1) * (order.length - 1);
  const below = order[Math.floor(place)] ?? Number.NaN;
  const above = order[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Appends a sample, keeping the newest `RING`. */
export const withSample = (ring: readonly number[], raw: number): readonly number[] => [...ring.slice(1 - RING), raw];

/** Summarises the samples; null without any. */
export function captureOf(ring: readonly number[]): Capture | null {
  if (ring.length === 0) return null;
  const low = Math.min(...ring);
  const high = Math.max(...ring);
  const spread = ring.length < ROBUST_FROM ? high - low : percentile(ring, 0.9) - percentile(ring, 0.1);
  return { median: percentile(ring, 0.5), spread, low, high };
}

/** True if a sensor with two states gives such a reading. */
export const isBinary = (raw: number): boolean => raw === 0 || raw === 1;

/** True if a reading clearly differs from the clear one, in either direction. */
export function isAway(raw: number, clear: Capture): boolean {
  const both = isBinary(raw) && isBinary(clear.median);
  return (
    Math.abs(raw - clear.median) > Math.max(clear.spread * AWAY_SPREADS, clear.high - clear.low, both ? 0 : LEAST_STEP)
  );
}

/**
 * True if near and clear can be told apart: each spread is at most half of the distance between them, and both
 * together at most three quarters.
 */
export function isSeparate(clear: Capture, near: Capture): boolean {
  const span = Math.abs(near.median - clear.median);
  return (
    span > 0 && clear.spread <= span / 2 && near.spread <= span / 2 && clear.spread + near.spread <= (span * 3) / 4
  );
}

/** Level 0 (clear) to 100 (near), a whole number; the two references give the polarity. */
export const levelOf = (raw: number, { clear, near }: References): number =>
  Math.round(clamp(((raw - clear) / (near - clear)) * 100, 0, 100));

/** References of a wave: near is what three quarters of its samples reached, on the side they went to. */
export function waveReference(samples: readonly number[], clear: Capture): References {
  const departures = samples.map((raw) => raw - clear.median);
  const side = percentile(departures, 0.5) < 0 ? -1 : 1;
  const reach = percentile(
    departures.map((departure) => departure * side),
    0.75,
  );
  return { clear: clear.median, near: clear.median + side * reach };
}

/** True if a calibrated sensor gives a reading it cannot give: it is another sensor, or broken. */
export const isForeign = (raw: number, calibration: Pick<Calibration, 'mode'> | null): boolean =>
  calibration?.mode === 'binary' && !isBinary(raw);
