import type { Burst, RouteFamily } from '#machines/path-probe/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { ConnectedRoute } from './route.ts';

/** Echoes of one burst (as panel-assistant). */
export const ECHOES = 5;
/** Longest wait for the answer to one of them (as panel-assistant); what comes later is lost. */
export const ECHO_BOUND_MS: Milliseconds = 1000;
/** Bytes that each echo carries, as `ping` has it. */
export const ECHO_BYTES = 56;

/** A way to send echoes. */
export interface EchoWay {
  /** Whether it works on this machine, by trying; nothing is sent to another one. Never rejects. */
  readonly works: (family: RouteFamily, signal: AbortSignal) => Promise<boolean>;
  /**
   * Sends a burst, one echo after the other; where the way is refused now nothing is sent. Ends at once when the signal
   * says so. Never rejects.
   */
  readonly burst: (route: ConnectedRoute, signal: AbortSignal) => Promise<Burst>;
}

/** What came of a burst of which nothing could be sent. */
export const nothingSent: Burst = { sent: 0, roundTripsMs: [] };
