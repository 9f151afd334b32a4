import type { Burst, RouteFamily } from '#machines/path-probe/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { ConnectedRoute } from './route.ts';

/** Echoes of one burst (as panel-assistant). */
export const ECHOES = 5;
/** Longest wait for an answer (as panel-assistant); a later one counts as lost. */
export const ECHO_BOUND_MS: Milliseconds = 1000;
/** Payload of each echo in bytes, as in `ping`. */
export const ECHO_BYTES = 56;

/** A way to send echoes. */
export interface EchoWay {
  /** Tries whether the way works on this machine; sends nothing to another one. Never rejects. */
  readonly works: (family: RouteFamily, signal: AbortSignal) => Promise<boolean>;
  /**
   * Sends a burst, one echo after another, or nothing if the way is refused now. Ends at once when the signal is
   * aborted. Never rejects.
   */
  readonly burst: (route: ConnectedRoute, signal: AbortSignal) => Promise<Burst>;
}

/** The result of a burst of which nothing could be sent. */
export const nothingSent: Burst = { sent: 0, roundTripsMs: [] };
