import { z } from 'zod';
import { once } from '#machines/kit/once.ts';

const reasons = [
  'unknown',
  'invalid',
  'reading',
  'hidden',
  'local',
  'consent',
  'identity-of-another-panel',
  'device-of-another-panel',
  'not-portable',
  'secret',
  'recipient-changed',
] as const;

/** A key that is not taken. */
const SkippedKey = once(() =>
  z
    .object({
      key: z.string().meta({ description: 'Its name, cut to 64 characters.' }),
      reason: z.enum(reasons).meta({ description: 'Stable code.' }),
      message: z.string().meta({ description: 'The same in a sentence.' }),
    })
    .meta({ id: 'SkippedKey', description: 'A key that stays as it is, and why.' }),
);

const skipped = () => z.array(SkippedKey()).meta({ description: 'Keys that stay as they are, and why.' });
const applied = () => z.array(z.string()).meta({ description: 'Keys that were changed.' });
const warnings = () => z.array(z.string()).meta({ description: 'What to know about it, a sentence each.' });
const errors = () =>
  z.array(z.string()).meta({ description: 'Why keys that belong here could not be taken, a sentence each.' });
const message = () => z.string().meta({ description: 'The same in a sentence.' });

/** The result of an import. */
export const Imported = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is done.' }),
      status: z.enum(['applied', 'partial', 'no-op']).meta({
        description: '`partial`: some keys could not be taken, see `errors`; `no-op`: nothing had to be changed.',
      }),
      applied: applied(),
      skipped: skipped(),
      warnings: warnings(),
      errors: errors(),
      message: message(),
    })
    .meta({ id: 'ConfigImported', description: 'What an import changed.' }),
);
export type Imported = z.infer<ReturnType<typeof Imported>>;

const text = () => z.string().nullable().meta({ description: 'The value as text; null for a credential.' });

/** What an import would do. */
export const ImportPreview = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'Nothing was changed.' }),
      status: z.literal('preview').meta({ description: 'Nothing was changed.' }),
      expected_cfg: z
        .string()
        .meta({ description: 'Digest of the configuration that it was made on; send it along to import just this.' }),
      changes: z
        .array(
          z.object({
            key: z.string().meta({ description: 'The setting, or `ha_expose_<key>`.' }),
            from: text(),
            to: text(),
          }),
        )
        .meta({ description: 'What would be changed.' }),
      applied: applied(),
      skipped: skipped(),
      warnings: warnings(),
      errors: errors(),
    })
    .meta({ id: 'ConfigImportPreview', description: 'What an import would change.' }),
);

export const RevisionList = once(() =>
  z
    .array(
      z
        .object({
          id: z.int().min(1).meta({ description: 'Its number, for its restore.' }),
          exported_at: z
            .string()
            .meta({ description: 'When it came into force, in milliseconds since the Unix epoch, as text.' }),
          keys: z.int().min(0).meta({ description: 'How many settings and flags differ from their defaults in it.' }),
          changed: z
            .array(z.string())
            .meta({ description: 'Keys that differ from the revision before; empty for the oldest.' }),
        })
        .meta({ id: 'ConfigRevision', description: 'An earlier configuration, without credentials.' }),
    )
    .meta({ description: 'At most 50, newest first; the first one is in force.' }),
);

/** The result of the restore of a revision. */
export const RevisionRestored = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It is done.' }),
      status: z.enum(['restored', 'no-op']).meta({ description: '`no-op`: nothing had to be changed.' }),
      applied: applied(),
      cleared: z.array(z.string()).meta({
        description: 'Those credentials among them that were cleared because they were for another address.',
      }),
      skipped: skipped(),
      message: message(),
    })
    .meta({ id: 'ConfigRevisionRestored', description: 'What the restore of a revision changed.' }),
);

/** A small bundle, for the document. */
export const exampleBundle = {
  kind: 'sconce-config',
  schema: 1,
  exported_at: '1767225600000',
  exported_by: 'hall_panel',
  origin: ['0123456789abcdef'.repeat(4)],
  values: { log_level: 'info', ha_expose_screen: 'true' },
} as const;
