import type { Milliseconds } from '../kit/units.ts';

/** Commits that are made at once, so that a hand at the page waits for nothing. */
export const COMMIT_BURST = 4;
/** Time after which one more is made: 4 a second, so that a flood of saves does not wear out the flash. */
export const COMMIT_PAUSE_MS: Milliseconds = 250;
/** Most saves that one commit makes durable: they are judged in one go, a few hundred microseconds each. */
export const MOST_JOINED = 64;

/**
 * How long the next commit has to wait. `paidAt` is when all commits so far are paid for at one per pause (the generic
 * cell rate algorithm of ITU-T I.371).
 */
export const pauseBefore = (paidAt: Milliseconds, now: Milliseconds): Milliseconds =>
  Math.max(0, paidAt - (COMMIT_BURST - 1) * COMMIT_PAUSE_MS - now);

/** When all commits are paid for, after one more now. */
export const paidAfter = (paidAt: Milliseconds, now: Milliseconds): Milliseconds =>
  Math.max(paidAt, now) + COMMIT_PAUSE_MS;
