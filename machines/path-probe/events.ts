import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Address family of a route. */
export type RouteFamily = 'ipv4' | 'ipv6';

/** The result of trying to open an ICMP socket of that family. */
export interface SocketFact {
  readonly type: 'probe.socket';
  readonly family: RouteFamily;
  readonly supported: boolean;
}

/** One burst of echoes. */
export interface Burst {
  /** Echoes sent; 0 if none could be sent, which is no loss. */
  readonly sent: number;
  /** Round trips of echoes answered within a second, in the order of the answers. */
  readonly roundTripsMs: readonly Milliseconds[];
}

export interface BurstFact extends Burst {
  readonly type: 'probe.burst-ended';
  /** Number of the connection that it was requested for. */
  readonly generation: number;
  /** True if it went to a different address than the previous burst. */
  readonly moved: boolean;
  readonly at: EpochMs;
}

/** The address family of the default route. */
export interface RouteFact {
  readonly type: 'probe.family';
  readonly family: RouteFamily;
}

/** Facts about the socket to Home Assistant; never the address, which the driver gets directly. */
export type ConnectionFact =
  | {
      readonly type: 'route.connected';
      /** Different for each connection. */
      readonly number: number;
      readonly family: RouteFamily;
      /** True if the name also has an address of the other family; null if that was not looked up. */
      readonly otherResolved: boolean | null;
    }
  /** The socket stopped, so there is no path to measure; one that is being re-established has not stopped. */
  | { readonly type: 'route.lost' }
  /** A ping of the socket went unanswered: the next burst is due now, or right after the one under way. */
  | { readonly type: 'route.suspect' };

export type PathProbeEvent =
  | SocketFact
  | BurstFact
  | RouteFact
  | ConnectionFact
  /** Try again now: a fix may have been applied. */
  | { readonly type: 'path-probe.probe' };

export type PathProbeDriverCommand =
  /** Try to open an ICMP socket of this family. */
  | { readonly type: 'probe.try'; readonly family: RouteFamily }
  /** Send a burst along the route; a burst under way is abandoned. */
  | { readonly type: 'probe.burst'; readonly generation: number }
  /** Abandon the burst under way. */
  | { readonly type: 'probe.cancel' };

export type PathProbeDriverFact = SocketFact | BurstFact;

/** When the next burst is due. */
export interface Schedule {
  readonly intervalMs: Milliseconds;
  /** Bursts without loss since the interval last changed. */
  readonly clean: number;
}

/** The `ha_path_probe` object (contract, "Rules for `ha_path_probe`"). */
export interface PathProbeObject {
  readonly state: 'unsupported' | 'unproven' | 'healthy' | 'warning' | 'severe';
  readonly family: RouteFamily;
  readonly available: 'unowned' | 'unsupported' | 'unproven' | 'proven';
  readonly other_resolved: boolean | null;
  readonly bursts: number;
  readonly echoes_sent: number;
  readonly echoes_received: number;
  readonly consecutive_dead_bursts: number;
  readonly loss_percent: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  readonly jitter_ms: number;
  readonly interval_ms: number;
  readonly last_burst_age_ms: number;
}

export interface PathProbeContext {
  /** That of the connection; before the first one, that of the default route. */
  readonly family: RouteFamily;
  /** True if echoes of this family may be sent; null before the first try. */
  readonly supported: boolean | null;
  /** Number of the connection whose path is measured; null without one. */
  readonly connection: number | null;
  readonly otherResolved: boolean | null;
  /** True if an echo was ever answered on this path. */
  readonly proven: boolean;
  /** The newest six bursts, oldest first; once proven, those since the first answer. */
  readonly bursts: readonly Burst[];
  readonly schedule: Schedule;
  /** End of the last burst; null before the first. */
  readonly lastBurstAt: EpochMs | null;
}

export interface PathProbeActor {
  readonly id: 'path-probe';
  readonly context: PathProbeContext;
  readonly event: Extract<PathProbeEvent, { readonly type: 'path-probe.probe' }>;
}
