import { clamp } from '../kit/units.ts';
import type { WriteCycle } from '../kit/write-cycle.ts';
import type { MixerReading, VolumeContext } from './events.ts';

/** Default maximum volume, in percent. */
export const DEFAULT_LIMIT_PERCENT = 100;

/** Percent to write for a request: whole, 0 to 100, never above the owner's limit. */
export const percentToWrite = (asked: number, limitPercent: number): number =>
  Math.round(clamp(Number.isFinite(asked) ? asked : 0, 0, clamp(limitPercent, 0, 100)));

/**
 * Percent after a step by this many points: counted from the next request or the current write, otherwise from the
 * known volume, and kept within the owner's limit both before and after.
 */
export const percentAfterStep = (
  { next, writing, percent, limitPercent }: WriteCycle<number> & Pick<VolumeContext, 'percent' | 'limitPercent'>,
  by: number,
): number => percentToWrite(percentToWrite(next ?? writing ?? percent ?? 0, limitPercent) + by, limitPercent);

/** A reading as published: whole and within 0 to 100. */
export const published = (reading: MixerReading): MixerReading => ({
  percent: Math.round(clamp(reading.percent, 0, 100)),
  muted: reading.muted,
});
