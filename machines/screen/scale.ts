import { LEVEL_MAX } from '../kit/level.ts';
import { clamp } from '../kit/units.ts';
import type { DisplayFacts } from './events.ts';

/** Default minimum brightness while on, in percent of the hardware's range. */
export const DEFAULT_MINIMUM_PERCENT = 1;

/** The raw values that levels 1 to 255 are spread over, both ends included. */
export interface RawRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Raw range of a lit display. A display without a power switch keeps `rawMin` for "off", so its lit range starts one
 * above if there is room; `minimumPercent` (0 to 99) is the owner's minimum brightness while on.
 */
export function litRange(display: DisplayFacts, minimumPercent: number): RawRange {
  const first = Math.max(1, display.power ? display.rawMin : display.rawMin + 1);
  const floor = Math.ceil((display.rawMax * clamp(minimumPercent, 0, 99)) / 100);
  return { low: clamp(Math.max(first, floor), 1, display.rawMax), high: display.rawMax };
}

/** Raw value of a level (clamped to 1 to 255): never 0, and never falling as the level rises. */
export const toRaw = (level: number, range: RawRange): number =>
  Math.round(range.low + ((clamp(level, 1, LEVEL_MAX) - 1) / (LEVEL_MAX - 1)) * (range.high - range.low));

/** Level (1 to 255) of a raw value, which is clamped to the range. */
export const toLevel = (raw: number, range: RawRange): number =>
  range.high <= range.low
    ? LEVEL_MAX
    : Math.round(1 + ((clamp(raw, range.low, range.high) - range.low) / (range.high - range.low)) * (LEVEL_MAX - 1));

/**
 * Level of a raw value, preferring `hint` if that level is written as this exact raw value (several levels may share
 * one); 255 if the range has a single value.
 */
export const levelOf = (raw: number, range: RawRange, hint: number): number =>
  range.high > range.low && toRaw(hint, range) === raw ? hint : toLevel(raw, range);
