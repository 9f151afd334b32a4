import { clamp, type Milliseconds } from '../kit/units.ts';
import type { SensorId } from './events.ts';

/** The range of one sensor's readings, and when a new one is worth publishing. */
export interface SensorRange {
  /** Readings outside of this are refused; the margin around the scale is the tolerance of common parts. */
  readonly believable: { readonly low: number; readonly high: number };
  /** Published values are clamped to this. */
  readonly scale: { readonly low: number; readonly high: number };
  /** Published digits after the decimal point. */
  readonly digits: number;
  /**
   * A change that is published once `gapMs` have passed since the last: `share` of the value or `step`, whichever is
   * more.
   */
  readonly small: { readonly step: number; readonly share: number };
  /** A change that is published at once. */
  readonly large: { readonly step: number; readonly share: number };
  readonly gapMs: Milliseconds;
}

/** The newest reading is published at least this often, changed or not. */
export const REFRESH_MS: Milliseconds = 5 * 60_000;

/**
 * Full sunlight is 120 000 lx and common parts end below 200 000; a dark photodiode with an offset reads slightly
 * below zero. -40 to 125 degrees and -6 to 119 % are the limits of common climate parts (HTU21, SHT3x, HDC1080).
 */
export const ranges: Readonly<Record<SensorId, SensorRange>> = {
  illuminance: {
    believable: { low: -10, high: 200_000 },
    scale: { low: 0, high: 200_000 },
    digits: 0,
    small: { step: 1, share: 0.1 },
    large: { step: 10, share: 0.5 },
    gapMs: 10_000,
  },
  temperature: {
    believable: { low: -40, high: 125 },
    scale: { low: -70, high: 155 },
    digits: 1,
    small: { step: 0.2, share: 0 },
    large: { step: 1, share: 0 },
    gapMs: 30_000,
  },
  humidity: {
    believable: { low: -6, high: 119 },
    scale: { low: 0, high: 100 },
    digits: 0,
    small: { step: 1, share: 0 },
    large: { step: 5, share: 0 },
    gapMs: 30_000,
  },
};

/** True if a reading of that sensor is plausible; anything but a finite number is not. */
export const isPlausible = (kind: SensorId, value: number): boolean =>
  Number.isFinite(value) && value >= ranges[kind].believable.low && value <= ranges[kind].believable.high;

/**
 * A reading with the owner's correction as shown: clamped to the scale, with the digits of its kind; null stays null.
 */
export function shownValue(kind: SensorId, value: number | null, offset: number): number | null {
  if (value === null) return null;
  const { scale, digits } = ranges[kind];
  // Adding zero turns a negative zero into a plain one.
  return Math.round(clamp(value + offset, scale.low, scale.high) * 10 ** digits) / 10 ** digits + 0;
}
