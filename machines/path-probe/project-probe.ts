import type { PathProbeObject, RouteFamily } from './events.ts';

const availability = (supported: boolean | null): PathProbeObject['available'] => {
  if (supported === null) return 'unowned';
  return supported ? 'unproven' : 'unsupported';
};

/**
 * The contract's `ha_path_probe` while nothing was ever probed. `supported` is null before a socket was tried; that is
 * `unproven` too, since only a refusal by the system makes it `unsupported`.
 */
export const projectProbe = (family: RouteFamily, supported: boolean | null): PathProbeObject => ({
  state: supported === false ? 'unsupported' : 'unproven',
  family,
  available: availability(supported),
  other_resolved: null,
  bursts: 0,
  echoes_sent: 0,
  echoes_received: 0,
  consecutive_dead_bursts: 0,
  loss_percent: -1,
  p50_ms: -1,
  p95_ms: -1,
  max_ms: -1,
  jitter_ms: -1,
  interval_ms: -1,
  last_burst_age_ms: -1,
});
