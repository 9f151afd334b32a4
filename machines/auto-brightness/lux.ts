import { clamp } from '../kit/units.ts';

/** The most that counts, in lx: direct sunlight. */
export const MAX_LUX = 100_000;

/** `value` held inside 0 to 100,000 lx; null if it is not a finite number. */
export const usableLux = (value: number): number | null => (Number.isFinite(value) ? clamp(value, 0, MAX_LUX) : null);

/** ln(1 + lx), in which the model works: equal steps look alike to the eye. */
export const logOf = (lux: number): number => Math.log1p(lux);

/** Lux of such a logarithm, never negative. */
export const luxOf = (log: number): number => Math.max(0, Math.expm1(log));
