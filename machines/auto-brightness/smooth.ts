import type { Milliseconds } from '../kit/units.ts';

/** Time constant of the smoothed measurement. */
const SMOOTH_MS = 60_000;

/** The smoothed ln(1 + lx), `sinceMs` after `before`; `log` itself if it is the first. */
export const smoothed = (before: number | null, log: number, sinceMs: Milliseconds): number =>
  before === null ? log : before + (log - before) * -Math.expm1(-Math.max(0, sinceMs) / SMOOTH_MS);
