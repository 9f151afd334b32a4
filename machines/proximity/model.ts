import { clamp } from '../kit/units.ts';
import type { Calibration, References } from './events.ts';

/** Newest samples that a reference is made of (as panel-assistant). */
export const RING = 32;
/** From so many samples on, one in ten at each end is left out of the spread. */
const ROBUST_FROM = 10;
/** Least change of a ranged sensor that is not taken for its last digit. */
const LEAST_STEP = 2;
/** How many spreads a reading must leave the clear one by to be away from it. */
const AWAY_SPREADS = 3;

/** What a held reading comes to. */
export interface Capture {
  readonly median: number;
  /** Full range below ten samples, else the ninetieth percentile less the tenth. */
  readonly spread: number;
  readonly low: number;
  readonly high: number;
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** The value below which a share (0 to 1) of the values lies, between two of them in proportion; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const order = sorted(values);
  const place = clamp(share, 0, 1) * (order.length - 1);
  const below = order[Math.floor(place)] ?? Number.NaN;
  const above = order[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** The newest samples with one more. */
export const withSample = (ring: readonly number[], raw: number): readonly number[] => [...ring.slice(1 - RING), raw];

/** What the samples come to; null of none. */
export function captureOf(ring: readonly number[]): Capture | null {
  if (ring.length === 0) return null;
  const low = Math.min(...ring);
  const high = Math.max(...ring);
  const spread = ring.length < ROBUST_FROM ? high - low : percentile(ring, 0.9) - percentile(ring, 0.1);
  return { median: percentile(ring, 0.5), spread, low, high };
}

/** Whether a reading is one that a sensor of two states gives. */
export const isBinary = (raw: number): boolean => raw === 0 || raw === 1;

/** Whether a reading is clearly another one than the clear one, on either side. */
export function isAway(raw: number, clear: Capture): boolean {
  const both = isBinary(raw) && isBinary(clear.median);
  return (
    Math.abs(raw - clear.median) > Math.max(clear.spread * AWAY_SPREADS, clear.high - clear.low, both ? 0 : LEAST_STEP)
  );
}

/**
 * Whether near and clear can be told apart: each spread at most half of what lies between, both together three quarters
 * of it.
 */
export function isSeparate(clear: Capture, near: Capture): boolean {
  const span = Math.abs(near.median - clear.median);
  return (
    span > 0 && clear.spread <= span / 2 && near.spread <= span / 2 && clear.spread + near.spread <= (span * 3) / 4
  );
}

/** Level 0 (clear) to 100 (near), whole; the polarity falls out of the two references. */
export const levelOf = (raw: number, { clear, near }: References): number =>
  Math.round(clamp(((raw - clear) / (near - clear)) * 100, 0, 100));

/** The near reference of a wave: what three quarters of its samples reached, on the side to which it went. */
export function waveReference(samples: readonly number[], clear: Capture): References {
  const departures = samples.map((raw) => raw - clear.median);
  const side = percentile(departures, 0.5) < 0 ? -1 : 1;
  const reach = percentile(
    departures.map((departure) => departure * side),
    0.75,
  );
  return { clear: clear.median, near: clear.median + side * reach };
}

/** Whether a calibrated sensor gives a reading that it never gave before: it is another one, or broken. */
export const isForeign = (raw: number, calibration: Pick<Calibration, 'mode'> | null): boolean =>
  calibration?.mode === 'binary' && !isBinary(raw);
