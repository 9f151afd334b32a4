import type { Milliseconds } from '../kit/units.ts';

/** Commits allowed at once, so that a person at the page never waits. */
export const COMMIT_BURST = 4;
/** Then one commit per pause, 4 a second, so that a flood of saves does not wear out the flash. */
export const COMMIT_PAUSE_MS: Milliseconds = 250;
/** Most saves in one commit: they are judged together, a few hundred microseconds each. */
export const MOST_JOINED = 64;

/**
 * How long the next commit has to wait. `paidAt` is when all commits so far are accounted for at one per pause (the
 * generic cell rate algorithm of ITU-T I.371).
 */
export const pauseBefore = (paidAt: Milliseconds, now: Milliseconds): Milliseconds =>
  Math.max(0, paidAt - (COMMIT_BURST - 1) * COMMIT_PAUSE_MS - now);

/** When all commits are accounted for, after one more now. */
export const paidAfter = (paidAt: Milliseconds, now: Milliseconds): Milliseconds =>
  Math.max(paidAt, now) + COMMIT_PAUSE_MS;
