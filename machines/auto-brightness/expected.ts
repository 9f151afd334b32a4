import type { Milliseconds } from '../kit/units.ts';
import type { Mode } from './events.ts';

/** Measured for less than this since the start, the measurement alone counts. */
const COLD_START_MS = 1_800_000;

/** Below as many covered days the learned light counts for 25 %, then for 65 %. */
const PROVISIONAL_DAYS = 2;
const LEARNING_DAYS = 4;

/** How much of the expected light is learned; the rest is measured. */
const learnedShare = { cold_start: 0, provisional: 0.25, learning: 0.65, confident: 1 } as const satisfies Record<
  Mode,
  number
>;

/** How far the learned light is trusted, by the time measured since the start and the days that it was learned on. */
export function modeOf(sessionMs: Milliseconds, coveredDays: number): Mode {
  if (sessionMs < COLD_START_MS) return 'cold_start';
  if (coveredDays < PROVISIONAL_DAYS) return 'provisional';
  return coveredDays < LEARNING_DAYS ? 'learning' : 'confident';
}

/** The expected ln(1 + lx); the smoothed measurement if nothing is learned for this time. */
export const expectedLog = (mode: Mode, smoothedLog: number, learnedLog: number | null): number =>
  learnedLog === null ? smoothedLog : smoothedLog + learnedShare[mode] * (learnedLog - smoothedLog);
