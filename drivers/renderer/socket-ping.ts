import type { Milliseconds } from '#machines/kit/units.ts';

import { PING } from './page-script.ts';
import type { PageSession } from './session.ts';

/** Pings over the page's own connection to Home Assistant. */
export interface SocketPing {
  /**
   * Sends one more ping; for how long none was answered before it: 0 while they are, null where the page has no such
   * call.
   */
  readonly next: () => Milliseconds | null;
  /** Forgets what was not answered: the connection is closed, or another one. */
  readonly reset: () => void;
}

/** Longest wait for one answer: an answer that comes late is one, too. */
const PING_MS: Milliseconds = 15_000;

/**
 * Opens the pings of a page. The frontend has its own, one in 30 s, but ends them for good with the first reconnection
 * (frontend 20261028): after a freeze, a changed entity set or a short outage an open socket to a server that hangs
 * counts as connected without end.
 */
export function openSocketPing(page: PageSession): SocketPing {
  let unansweredSince: number | null = null;
  let isMissing = false;
  /** Counted up with each connection: what a ping over an earlier one came to says nothing of this one. */
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
    // The connection was lost, and the page may have another one before it is probed again.
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
