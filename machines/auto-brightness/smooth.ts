import type { Milliseconds } from '../kit/units.ts';

/** Time constant of the smoothed measurement. */
const SMOOTH_MS = 60_000;

/** The smoothed ln(1 + lx), `sinceMs` after `before`; `log` itself if it is the first. */
export const smoothed = (before: number | null, log: number, sinceMs: Milliseconds): number =>
  before === null ? log : before + (log - before) * -Math.expm1(-Math.max(0, sinceMs) / SMOOTH_MS);

/**
 * In how many milliseconds the smoothed measurement will be `step` away from `from`, if the light stays at `log`; null
 * if it will not.
 */
export function smoothMovesIn(now: number, log: number, from: number, step: number): Milliseconds | null {
  const target = from + Math.sign(log - from) * step;
  if (Math.abs(log - from) <= step) return null;
  const isPast = log > from ? now >= target : now <= target;
  return isPast ? 0 : SMOOTH_MS * Math.log((log - now) / (log - target));
}
