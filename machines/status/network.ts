import { z } from 'zod';
import { ageing } from '../kit/status.ts';

const unmeasured = 'Milliseconds; -1 while unmeasured.';

/** The network verdict of the contract ("Status objects"): never an address, a network name or a sample. */
export const HaNetwork = z
  .object({
    measuring: z.boolean().meta({ description: 'Whether a socket to Home Assistant is held and measured.' }),
    state: z
      .enum(['idle', 'settling', 'healthy', 'warning', 'severe'])
      .meta({ description: '`idle` while nothing is measured.' }),
    ha_net: z
      .enum(['healthy', 'warning', 'severe', 'settling'])
      .nullable()
      .meta({ description: 'Null while no socket to Home Assistant is held.' }),
    ha_resp: z
      .enum(['healthy', 'warning', 'severe'])
      .nullable()
      .meta({ description: 'Null while no socket to Home Assistant is held.' }),
    window_ms: z.int().meta({ description: 'Time that the numbers cover.' }),
    probes: z.int().meta({ description: 'Probes in that time.' }),
    round_trips: z.int().meta({ description: 'Probes that were answered.' }),
    network_failures: z.int().meta({ description: 'Unanswered, while nothing else came.' }),
    server_failures: z.int().meta({ description: 'Unanswered, while other frames came: a busy server.' }),
    auth_failures: z.int().meta({ description: 'Refused sign-ins.' }),
    consecutive_failures: z.int().meta({ description: 'Unanswered probes in a row.' }),
    p50_ms: z.int().meta({ description: unmeasured }),
    p95_ms: z.int().meta({ description: unmeasured }),
    max_ms: z.int().meta({ description: unmeasured }),
    jitter_ms: z.int().meta({ description: unmeasured }),
    loss_percent: z.number().meta({ description: '-1 while unmeasured.' }),
    last_round_trip_age_ms: z.int().meta({ description: unmeasured, ...ageing }),
  })
  .meta({
    id: 'HaNetwork',
    description:
      'Both verdicts on the path to Home Assistant. This build holds no socket to it, so nothing is measured and no verdict is formed.',
  });

/**
 * The network verdict while no socket to Home Assistant is held: nothing measured, and never shown as healthy
 * (contract, rule 2).
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
