import { clamp } from './units.ts';

/** Home Assistant's level of a light at 100 %; a lit one has 1 to this. */
export const LEVEL_MAX = 255;

/** A percentage as the level of a lit light, whole. */
export const levelOfPercent = (percent: number): number => clamp(Math.round((percent * LEVEL_MAX) / 100), 1, LEVEL_MAX);
