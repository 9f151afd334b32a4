import { z } from 'zod';
import { wordsOf } from '../kit/health-token.ts';
import { once } from '../kit/once.ts';
import { ageing } from '../kit/status.ts';
import { pathVerdicts, responseVerdicts } from './health-tokens.ts';

const unmeasured = 'Milliseconds; -1 while unmeasured.';
// Each ping renews these: alone they are no change.
const measured = once(() => z.int().meta({ description: unmeasured, ...ageing }));

/** The contract's network verdict ("Status objects"): never an address, a network name or a sample. */
export const HaNetwork = once(() =>
  z
    .object({
      measuring: z.boolean().meta({ description: 'Whether a socket to Home Assistant is held and measured.' }),
      state: z.enum(['idle', 'settling', 'unprobed', 'healthy', 'warning', 'severe']).meta({
        description: '`idle` while nothing is measured; `unprobed` where `unprobed` is true; else as `ha_net`.',
      }),
      socket: z.enum(['live', 'reconnecting']).nullable().meta({ description: 'Null while `idle`.' }),
      ha_net: z.enum(wordsOf(pathVerdicts)).nullable().meta({
        description: 'As `ha_net` of the health line. Null while `idle`; `settling` in the first three minutes.',
      }),
      ha_resp: z.enum(wordsOf(responseVerdicts)).nullable().meta({
        description:
          'As `ha_resp` of the health line. Null while `idle` or `settling`. Needs two slow pings and more than 5 % of them: `p95_ms` of a few pings may be a single slow one.',
      }),
      window_ms: z.int().meta({ description: 'Time that the numbers cover.' }),
      probes: z.int().meta({
        description:
          'Pings in that time, answered or not; an attempt to connect is none. `ha_net_n` of the health line.',
        ...ageing,
      }),
      round_trips: z.int().meta({ description: 'Probes that were answered.', ...ageing }),
      network_failures: z
        .int()
        .meta({ description: 'Unanswered, while nothing else came; `ha_net_miss` of the health line.' }),
      server_failures: z
        .int()
        .meta({ description: 'Unanswered while other frames came, and connections that it closed or refused.' }),
      auth_failures: z.int().meta({ description: 'Refused sign-ins.' }),
      consecutive_failures: z.int().meta({ description: 'Unanswered probes in a row.' }),
      unprobed: z.boolean().meta({
        description:
          'True where no ping could be sent in all of that time: `ha_net` is `healthy` then, and says nothing of the network.',
      }),
      p50_ms: measured(),
      p95_ms: z.int().meta({ description: `${unmeasured} \`ha_net_p95\` of the health line.`, ...ageing }),
      max_ms: measured(),
      jitter_ms: measured(),
      loss_percent: z.number().meta({ description: '-1 while unmeasured.', ...ageing }),
      last_round_trip_age_ms: z
        .int()
        .meta({ description: `${unmeasured} \`ha_net_age\` of the health line.`, ...ageing }),
    })
    .meta({ id: 'HaNetwork', description: 'Both verdicts on the path to Home Assistant, and what they are made of.' }),
);
export type HaNetwork = z.infer<ReturnType<typeof HaNetwork>>;
