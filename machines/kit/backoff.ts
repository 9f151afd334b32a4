import type { Milliseconds } from './units.ts';

/** How long to wait before trying again: `firstMs` doubled each time, never above `capMs`, spread by `jitter`. */
export interface Backoff {
  readonly firstMs: Milliseconds;
  readonly capMs: Milliseconds;
  /** Share of the delay that is random, 0 to 1: 0.2 spreads by plus or minus 20 %. */
  readonly jitter: number;
}

/** Delay before attempt `attempt` (1 is the first retry); `random` is a number in [0, 1). */
export function backoffDelay(backoff: Backoff, attempt: number, random: number): Milliseconds {
  const plain = Math.min(backoff.capMs, backoff.firstMs * 2 ** Math.min(30, Math.max(0, attempt - 1)));
  const spread = 1 + backoff.jitter * (2 * random - 1);
  return Math.round(Math.min(backoff.capMs, plain * spread));
}
