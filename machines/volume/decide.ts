import { clamp } from '../kit/units.ts';
import type { WriteCycle } from '../kit/write-cycle.ts';
import type { MixerReading, VolumeContext } from './events.ts';

/** The loudest volume where the owner chose none, in percent. */
export const DEFAULT_LIMIT_PERCENT = 100;

/** Percent to write for a request: whole, 0 to 100, never above the owner's limit. */
export const percentToWrite = (asked: number, limitPercent: number): number =>
  Math.round(clamp(Number.isFinite(asked) ? asked : 0, 0, clamp(limitPercent, 0, 100)));

/**
 * Percent that is asked for by a step of so many points: counted from what is asked for or being written, else from
 * what is known, and held inside the owner's limit at both ends.
 */
export const percentAfterStep = (
  { next, writing, percent, limitPercent }: WriteCycle<number> & Pick<VolumeContext, 'percent' | 'limitPercent'>,
  by: number,
): number => percentToWrite(percentToWrite(next ?? writing ?? percent ?? 0, limitPercent) + by, limitPercent);

/** What is published of a reading: whole and inside 0 to 100. */
export const published = (reading: MixerReading): MixerReading => ({
  percent: Math.round(clamp(reading.percent, 0, 100)),
  muted: reading.muted,
});
