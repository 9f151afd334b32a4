import { z } from 'zod';
import { ageing } from '../kit/status.ts';
import { once } from '../kit/once.ts';
import { statusSection, textLines } from '../subsystem.ts';
import type { StorageHealthContext, StorageHealthObject } from './events.ts';
import { nothingKnown } from './nothing-known.ts';
import { storageView } from './view.ts';

const bytes = once(() => z.int().nullable());
const noDatabase = once(() => z.int().nullable().describe('Null: a document is kept, no database.'));
const epochMs = (description: string, mark: Partial<typeof ageing> = {}) =>
  z
    .int()
    .nullable()
    .meta({ description: `${description} Milliseconds since the Unix epoch.`, ...mark });

/** Storage health (as panel-assistant). */
const StorageHealth = once(() =>
  z
    .object({
      state: z
        .enum(['unchecked', 'healthy', 'warning', 'critical', 'database_failure'])
        .describe('The pressure, or that the last save failed.'),
      pressure_state: z.enum(['unchecked', 'healthy', 'warning', 'critical']).describe('How full the file system is.'),
      usable_bytes: bytes().describe('Free for the agent; null while unknown.'),
      total_bytes: bytes().describe('Of the file system; null while unknown.'),
      used_percent: z.number().nullable().describe('0 to 100; null while unknown.'),
      database_bytes: bytes().describe('The document with settings and records, and the files of sections beside it.'),
      wal_bytes: noDatabase(),
      sidecar_bytes: bytes().describe('Copies of these.'),
      page_size_bytes: noDatabase(),
      page_count: noDatabase(),
      freelist_count: noDatabase(),
      schema_version: noDatabase(),
      auto_vacuum: z
        .enum(['unknown', 'none', 'full', 'incremental'])
        .describe('`unknown`: a document is kept, no database.'),
      profiles_bytes: bytes().describe('The catalogue of saved profiles.'),
      other_bytes: bytes().describe('Everything else in the data folder that outlives the agent.'),
      growth_bytes_per_day: bytes().describe(
        'Over at most seven days since `growth_since`; negative where the folder shrinks, null until a whole day was measured.',
      ),
      growth_since: epochMs('Where the measured growth begins.'),
      quick_check: z
        .enum(['not_run', 'ok', 'failed'])
        .describe('Whether these can be read on the disk and fit their schema.'),
      quick_checked_at: epochMs('When that was checked.', ageing),
      failure: z
        .enum(['storage_full', 'io', 'corruption', 'busy', 'unknown'])
        .nullable()
        .describe('Why the last save failed; null once a check and a save have worked again.'),
      checked_at: epochMs('When the file system was last looked at.', ageing),
      summary: z.string().describe('One sentence.'),
      action: z.string().describe('What to do; `none` where nothing is.'),
    })
    .meta({ id: 'StorageHealth', description: 'Free space and the health of the durable document.' }),
);

/** Fields that only apply to a database, for clients of panel-assistant; Sconce stores a document. */
const withoutDatabase = {
  wal_bytes: null,
  page_size_bytes: null,
  page_count: null,
  freelist_count: null,
  schema_version: null,
  auto_vacuum: 'unknown',
} as const;

/** The value while the part restarts: unknown, never healthy. */
const unchecked = storageView(nothingKnown);

const healthOf = (facts: StorageHealthContext | undefined): StorageHealthObject => facts?.health ?? unchecked;

/** The storage in the status document. */
export const status = statusSection({
  reads: ['storage-health'],
  shape: () => ({ storage_health: StorageHealth() }),
  view: ({ read }) => ({ storage_health: { ...healthOf(read('storage-health')), ...withoutDatabase } }),
});

/** Warns that the next save may fail, or that the last one did. */
export const warnings = [
  textLines({
    key: 'storage-health',
    after: 'store',
    reads: ['storage-health'],
    lines: ({ read }) => {
      const { state, summary } = healthOf(read('storage-health'));
      return state === 'critical' || state === 'database_failure' ? [summary] : [];
    },
  }),
];
