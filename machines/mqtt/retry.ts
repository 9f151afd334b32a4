import { backoffDelay, type Backoff } from '../kit/backoff.ts';
import type { Milliseconds } from '../kit/units.ts';

/** Wait between attempts: 250 ms doubled, at most 3 s, spread by 20 % (as panel-assistant). */
const linkBackoff: Backoff = { firstMs: 250, capMs: 3000, jitter: 0.2 };

/**
 * Refused credentials are retried every 3 s while someone may be correcting them, then with longer pauses: brokers lock
 * out clients that retry too often.
 */
const CREDENTIALS_MS = 3000;
const CREDENTIALS_PATIENCE = 100;
const credentialsBackoff: Backoff = { firstMs: CREDENTIALS_MS, capMs: 30_000, jitter: 0.2 };

/** Wait before attempt `attempt` (1 is the first retry); `random` is in [0, 1). */
export function retryDelay(attempt: number, refusedCredentials: boolean, random: number): Milliseconds {
  if (!refusedCredentials) return backoffDelay(linkBackoff, attempt, random);
  return attempt <= CREDENTIALS_PATIENCE
    ? CREDENTIALS_MS
    : backoffDelay(credentialsBackoff, attempt - CREDENTIALS_PATIENCE, random);
}
