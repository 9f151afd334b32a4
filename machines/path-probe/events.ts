import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Address family of a route. */
export type RouteFamily = 'ipv4' | 'ipv6';

/** The driver really tried whether it may send echoes of that family. */
export interface SocketFact {
  readonly type: 'probe.socket';
  readonly family: RouteFamily;
  readonly supported: boolean;
}

/** One burst of echoes. */
export interface Burst {
  /** Echoes sent; 0 where none could be, which is no loss. */
  readonly sent: number;
  /** How long each took that was answered within a second, in the order of the answers. */
  readonly roundTripsMs: readonly Milliseconds[];
}

/** A burst is over. */
export interface BurstFact extends Burst {
  readonly type: 'probe.burst-ended';
  /** Number of the connection that it was asked for. */
  readonly generation: number;
  /** True if it went to another address than the burst before. */
  readonly moved: boolean;
  readonly at: EpochMs;
}

/** The default route has this family now. */
export interface RouteFact {
  readonly type: 'probe.family';
  readonly family: RouteFamily;
}

/** What the socket to Home Assistant tells of its way; never the address, which the driver is given by itself. */
export type ConnectionFact =
  | {
      /** The socket is connected. */
      readonly type: 'route.connected';
      /** A new one for each connection. */
      readonly number: number;
      readonly family: RouteFamily;
      /** True if the name has an address of the other family too; null where it was not looked up. */
      readonly otherResolved: boolean | null;
    }
  /** The socket stopped, so that there is no way to measure; one that is being re-established has not stopped. */
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

/** What the driver is told. */
export type PathProbeDriverCommand =
  /** Try whether echoes of this family may be sent. */
  | { readonly type: 'probe.try'; readonly family: RouteFamily }
  /** Send a burst along the route; one that is under way is given up. */
  | { readonly type: 'probe.burst'; readonly generation: number }
  /** Give up the burst that is under way. */
  | { readonly type: 'probe.cancel' };

/** What the driver reports. */
export type PathProbeDriverFact = SocketFact | BurstFact;

/** When the next burst is due. */
export interface Schedule {
  readonly intervalMs: Milliseconds;
  /** Bursts without a loss since the interval was last changed. */
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
  /** Of the connection; of the default route before there was one. */
  readonly family: RouteFamily;
  /** True if echoes of this family may be sent; null before it was tried. */
  readonly supported: boolean | null;
  /** Number of the connection whose way is measured; null while none is. */
  readonly connection: number | null;
  readonly otherResolved: boolean | null;
  /** True if an echo was answered on this way. */
  readonly proven: boolean;
  /** The newest six bursts, oldest first; once proven, those since the first answer. */
  readonly bursts: readonly Burst[];
  readonly schedule: Schedule;
  /** When the last burst was over; null before the first. */
  readonly lastBurstAt: EpochMs | null;
}

/** What the actor of the path probe shows to the rest of the house. */
export interface PathProbeActor {
  readonly id: 'path-probe';
  readonly context: PathProbeContext;
  readonly event: Extract<PathProbeEvent, { readonly type: 'path-probe.probe' }>;
}
