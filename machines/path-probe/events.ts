export type PathProbeEvent =
  | { readonly type: 'probe.socket'; readonly supported: boolean }
  | { readonly type: 'probe.family'; readonly family: 'ipv4' | 'ipv6' }
  | { readonly type: 'path-probe.stop' };

/** The `ha_path_probe` object (api-facts 3.4); every number is -1 or 0 until an echo was sent. */
export interface PathProbeObject {
  readonly state: 'unsupported' | 'unproven';
  readonly family: 'ipv4' | 'ipv6';
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
}
