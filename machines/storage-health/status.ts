import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { statusSection, textLines } from '../subsystem.ts';
import type { StorageHealthContext, StorageHealthObject } from './events.ts';
import { nothingKnown } from './judge-storage.ts';
import { projectStorage } from './project-storage.ts';

/** Storage health (as panel-assistant). */
export const StorageHealth = z
  .object({
    state: z.enum(['unchecked', 'healthy', 'warning', 'critical', 'database_failure']),
    pressure_state: z.enum(['unchecked', 'healthy', 'warning', 'critical']),
    usable_bytes: z.number().int().nullable(),
    total_bytes: z.number().int().nullable(),
    used_percent: z.number().nullable(),
    database_bytes: z.number().int().nullable(),
    sidecar_bytes: z.number().int().nullable().meta({ description: 'Copies of the document.' }),
    profiles_bytes: z.number().int().nullable().meta({ description: 'The catalogue of saved profiles.' }),
    other_bytes: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Everything else in the data folder that outlives the agent.' }),
    growth_bytes_per_day: z.number().int().nullable().meta({
      description:
        'Over at most seven days since `growth_since`; negative where the folder shrinks, null until a whole day was measured.',
    }),
    growth_since: z.number().int().nullable(),
    quick_check: z.enum(['not_run', 'ok', 'failed']),
    quick_checked_at: z.number().int().nullable(),
    failure: z.enum(['storage_full', 'io', 'corruption', 'busy', 'unknown']).nullable(),
    checked_at: z.number().int().nullable(),
    summary: z.string(),
    action: z.string(),
  })
  .meta({ id: 'StorageHealth', description: 'Free space and the health of the durable document.' });

/** What stands while its part is being restarted: unknown, never shown as healthy. */
const unchecked = projectStorage(nothingKnown);

const healthOf = (facts: StorageHealthContext | undefined): StorageHealthObject => facts?.health ?? unchecked;

/** The storage's field of the status document. */
export const status = statusSection({
  reads: ['storage-health'],
  shape: { storage_health: StorageHealth },
  project: ({ read }) => ({ storage_health: healthOf(read('storage-health')) }),
});

/** How the storage is. */
export const diag = [
  textLines({
    order: 56,
    reads: ['storage-health'],
    lines: ({ read }) => {
      const health = healthOf(read('storage-health'));
      return [
        diagLine('storage', {
          state: health.state,
          pressure: health.pressure_state,
          used_percent: health.used_percent,
          usable_bytes: health.usable_bytes,
          check: health.quick_check,
          failure: health.failure ?? 'none',
        }),
      ];
    },
  }),
];

/** That the next save may fail, or the last one did. */
export const warnings = [
  textLines({
    order: 20,
    reads: ['storage-health'],
    lines: ({ read }) => {
      const { state, summary } = healthOf(read('storage-health'));
      return state === 'critical' || state === 'database_failure' ? [summary] : [];
    },
  }),
];
