import type { RouteFamily } from '#machines/path-probe/events.ts';

/** The current or last remote end of the socket to Home Assistant; passed only between drivers. */
export interface ConnectedRoute {
  /** IP address, with its zone if link-local (`fe80::1%eth0`); never shown or logged. */
  readonly address: string;
  readonly family: RouteFamily;
}
