/** Address family of a route. */
export type RouteFamily = 'ipv4' | 'ipv6';

/** The driver really tried to open a socket of that family. */
export interface SocketFact {
  readonly type: 'probe.socket';
  readonly family: RouteFamily;
  readonly supported: boolean;
}

/** The default route has this family now. */
export interface RouteFact {
  readonly type: 'probe.family';
  readonly family: RouteFamily;
}

export type PathProbeEvent =
  | SocketFact
  | RouteFact
  /** Try again now: a fix may have been applied. */
  | { readonly type: 'path-probe.probe' };

/** What the driver is told: try to open a socket of this family. */
export interface PathProbeDriverCommand {
  readonly type: 'probe.try';
  readonly family: RouteFamily;
}

/**
 * The `ha_path_probe` object (contract, "Rules for `ha_path_probe`"); every number is -1 or 0 until an echo was sent.
 */
export interface PathProbeObject {
  readonly state: 'unsupported' | 'unproven';
  readonly family: RouteFamily;
  readonly available: 'unowned' | 'unsupported' | 'unproven';
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
  readonly probe: PathProbeObject;
  /** Whether a socket of the current family could be opened; null before it was tried. */
  readonly supported: boolean | null;
}

/** What the actor of the path probe shows to the rest of the house. */
export interface PathProbeActor {
  readonly id: 'path-probe';
  readonly context: PathProbeContext;
  readonly event: Extract<PathProbeEvent, { readonly type: 'path-probe.probe' }>;
}
