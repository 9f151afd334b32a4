import type { RouteFamily } from '#machines/path-probe/events.ts';

/** The way on which the socket to Home Assistant is connected, or was last; passed from driver to driver only. */
export interface ConnectedRoute {
  /** An IP address, with its zone where it is link-local (`fe80::1%eth0`); it is never shown or logged. */
  readonly address: string;
  readonly family: RouteFamily;
}
