import { z } from 'zod';
import { ageing } from '../kit/status.ts';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { nothingProbed, probeView } from './view.ts';

const measured = once(() => z.int().meta({ description: 'Milliseconds; -1 while unmeasured.' }));

/** The ICMP path probe (contract, "Rules for `ha_path_probe`"). */
export const HaPathProbe = once(() =>
  z
    .object({
      state: z
        .enum(['unsupported', 'unproven', 'healthy', 'warning', 'severe'])
        .meta({ description: '`unproven` until an echo was answered.' }),
      family: z.enum(['ipv4', 'ipv6']).meta({ description: 'Reported in every state.' }),
      available: z
        .enum(['unowned', 'unsupported', 'unproven', 'proven'])
        .meta({ description: 'Whether an ICMP socket is given, and was answered.' }),
      other_resolved: z
        .boolean()
        .nullable()
        .meta({ description: 'Whether there is an address of the other family; null while unknown.' }),
      bursts: z.int().meta({ description: 'Bursts that count: the newest six.' }),
      echoes_sent: z.int().meta({ description: 'Echoes sent in them.' }),
      echoes_received: z.int().meta({ description: 'Echoes answered.' }),
      consecutive_dead_bursts: z.int().meta({ description: 'Bursts in a row without an answer.' }),
      loss_percent: z.number().meta({ description: '0 to 100; -1 while unmeasured.' }),
      p50_ms: measured(),
      p95_ms: measured(),
      max_ms: measured(),
      jitter_ms: measured(),
      interval_ms: z.int().meta({ description: 'Time between two bursts; -1 while none is sent.' }),
      last_burst_age_ms: z.int().meta({ description: 'Milliseconds; -1 while unmeasured.', ...ageing }),
    })
    .meta({
      id: 'HaPathProbe',
      description:
        'Bursts of ICMP echoes to the address that the socket to Home Assistant is connected on. A number is -1 while unmeasured.',
    }),
);

/** The value while the part restarts; `family` is reported in every state (contract). */
const unknown = nothingProbed('ipv4');

/** The path probe in the status document. */
export const status = statusSection({
  reads: ['path-probe'],
  uses: ['now'],
  shape: () => ({ ha_path_probe: HaPathProbe() }),
  view: ({ read, now }) => ({ ha_path_probe: probeView(read('path-probe') ?? unknown, now) }),
});
