import { type Backoff, backoffDelay } from '../kit/backoff.ts';
import type { Milliseconds } from '../kit/units.ts';

/** A token is renewed this long before its end, so that no page gets one that is about to end. */
const RENEW_BEFORE_MS: Milliseconds = 300_000;
/** A token with at least this much left is still handed out while Home Assistant is unreachable. */
const LAST_RESORT_MS: Milliseconds = 30_000;
/** Wait after a renewal that did not reach Home Assistant. */
export const RENEW_AGAIN_MS: Milliseconds = 30_000;
/**
 * Wait before a refused credential is tried again: a user that was disabled may be enabled, and another server may have
 * answered in the place of Home Assistant.
 */
export const REFUSED_AGAIN_MS: Milliseconds = 300_000;
/** Wait before a connection is opened again: 1 s doubled, at most 30 s, so that a restart is seen soon. */
const connectionBackoff: Backoff = { firstMs: 1000, capMs: 30_000, jitter: 0.2 };

/**
 * True if a token that ends in `leftMs` (null: no token) is handed out as it is; never one just refused (`force`).
 */
export const isFresh = (leftMs: Milliseconds | null, force: boolean): boolean =>
  !force && leftMs !== null && leftMs >= RENEW_BEFORE_MS;

/** True if a token that could not be renewed is better than none. */
export const isLastResort = (leftMs: Milliseconds | null, force: boolean): boolean =>
  !force && leftMs !== null && leftMs >= LAST_RESORT_MS;

/** Wait before a token that ends in `leftMs` is renewed; a short-lived one is renewed after half its time. */
export const renewIn = (leftMs: Milliseconds): Milliseconds =>
  Math.max(1000, leftMs - RENEW_BEFORE_MS, Math.floor(leftMs / 2));

/** Wait before connection attempt `attempt` (1 is the first retry); `random` is in [0, 1). */
export const reconnectDelay = (attempt: number, random: number): Milliseconds =>
  backoffDelay(connectionBackoff, attempt, random);
