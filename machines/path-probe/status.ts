import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { statusSection, textLines } from '../subsystem.ts';
import type { PathProbeContext } from './events.ts';
import { projectProbe } from './project-probe.ts';

/** The ICMP path probe (contract, "Rules for `ha_path_probe`"). */
export const HaPathProbe = z
  .object({
    state: z.enum(['unsupported', 'unproven']),
    family: z.enum(['ipv4', 'ipv6']),
    available: z.enum(['unowned', 'unsupported', 'unproven']),
    other_resolved: z.boolean().nullable(),
    bursts: z.number().int(),
    echoes_sent: z.number().int(),
    echoes_received: z.number().int(),
    consecutive_dead_bursts: z.number().int(),
    loss_percent: z.number(),
    p50_ms: z.number().int(),
    p95_ms: z.number().int(),
    max_ms: z.number().int(),
    jitter_ms: z.number().int(),
    interval_ms: z.number().int(),
    last_burst_age_ms: z.number().int(),
  })
  .meta({
    id: 'HaPathProbe',
    description:
      'Whether an ICMP echo can be sent on the way to Home Assistant, and what came of it. Numbers are -1 while unmeasured.',
  });

/** What stands while its part is being restarted; `family` is reported in every state (contract). */
const unproven = projectProbe('ipv4', null);

const probeOf = (pathProbe: PathProbeContext | undefined): PathProbeContext['probe'] => pathProbe?.probe ?? unproven;

/** The path probe's field of the status document. */
export const status = statusSection({
  reads: ['path-probe'],
  shape: { ha_path_probe: HaPathProbe },
  project: ({ read }) => ({ ha_path_probe: probeOf(read('path-probe')) }),
});

/** What probing came to. */
export const diag = [
  textLines({
    order: 41,
    reads: ['path-probe'],
    lines: ({ read }) => {
      const probe = probeOf(read('path-probe'));
      return [
        diagLine('ha-path-probe', {
          state: probe.state,
          family: probe.family,
          available: probe.available,
          bursts: probe.bursts,
          echoes_sent: probe.echoes_sent,
          echoes_received: probe.echoes_received,
          loss_percent: probe.loss_percent,
          p95_ms: probe.p95_ms,
        }),
      ];
    },
  }),
];
