import type { z } from 'zod';
import type { HaNetwork } from './document.ts';

/**
 * The network verdict while no platform socket is held: nothing measured, and never shown as healthy (contract, rule
 * 2).
 */
export const idleNetwork: z.infer<typeof HaNetwork> = {
  measuring: false,
  state: 'idle',
  ha_net: null,
  ha_resp: null,
  window_ms: 300_000,
  probes: 0,
  round_trips: 0,
  network_failures: 0,
  server_failures: 0,
  auth_failures: 0,
  consecutive_failures: 0,
  p50_ms: -1,
  p95_ms: -1,
  max_ms: -1,
  jitter_ms: -1,
  loss_percent: -1,
  last_round_trip_age_ms: -1,
};
