import { clamp } from '../kit/units.ts';
import type { MixerReading } from './events.ts';

/** The loudest volume where the owner chose none, in percent. */
export const DEFAULT_LIMIT_PERCENT = 100;

/** Percent to write for a wish: whole, 0 to 100, never above the owner's limit. */
export const percentToWrite = (wanted: number, limitPercent: number): number =>
  Math.round(clamp(Number.isFinite(wanted) ? wanted : 0, 0, clamp(limitPercent, 0, 100)));

/** What is published of a reading: whole and inside 0 to 100. */
export const published = (reading: MixerReading): MixerReading => ({
  percent: Math.round(clamp(reading.percent, 0, 100)),
  muted: reading.muted,
});
