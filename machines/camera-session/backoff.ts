import { type Backoff, backoffDelay } from '../kit/backoff.ts';
import type { Milliseconds } from '../kit/units.ts';

/** As panel-assistant: 1 s, doubled each time, 30 s at most. */
const backoff: Backoff = { firstMs: 1000, capMs: 30_000, jitter: 0 };

/** Pause before the next attempt after so many failures in a row, 1 or more. */
export const reopenDelay = (failures: number): Milliseconds => backoffDelay(backoff, failures, 0.5);
