import type { Milliseconds } from '#machines/kit/units.ts';

import { PING } from './page-script.ts';
import type { PageSession } from './session.ts';

/** Pings over the page's own connection to Home Assistant. */
export interface SocketPing {
  /**
   * Sends a ping, and returns for how long none was answered before it: 0 while they are, null if the page has no such
   * call.
   */
  readonly next: () => Milliseconds | null;
  /** Forgets unanswered pings: the connection is closed, or another one. */
  readonly reset: () => void;
}

/** Longest wait for one answer; a late answer counts too. */
const PING_MS: Milliseconds = 15_000;

/**
 * The frontend pings every 30 s, but stops for good at its first reconnection (frontend 20261028): after a freeze, a
 * changed entity set or a short outage it would take an open socket to a hung server for connected forever.
 */
export function openSocketPing(page: PageSession): SocketPing {
  let unansweredSince: number | null = null;
  let isMissing = false;
  /** Incremented with each connection: the result of a ping over an earlier one is ignored. */
  let connection = 0;

  const reset = (): void => {
    connection += 1;
    unansweredSince = null;
  };
  const send = async (): Promise<void> => {
    const over = connection;
    const answered = await page.evaluate(PING, { awaitPromise: true, withinMs: PING_MS });
    if (over !== connection) return;
    isMissing = answered === null;
    // The connection was lost, and the page may have a new one before it is probed again.
    if (answered === false) reset();
    else if (answered === true || isMissing) unansweredSince = null;
  };
  return {
    next: () => {
      const now = performance.now();
      const lasted = unansweredSince === null ? 0 : Math.round(now - unansweredSince);
      unansweredSince ??= now;
      void send();
      return isMissing ? null : lasted;
    },
    reset,
  };
}
