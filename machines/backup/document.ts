import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { RestorePreview } from './events.ts';

const parts = ['config', 'filter', 'panel', 'profiles', 'companion'] as const;

const Part = once(() =>
  z
    .object({
      part: z.enum(parts).meta({ description: 'A part of the backup; `companion` is the sign-in to Home Assistant.' }),
      does: z.enum(['restored', 'unchanged', 'skipped', 'absent']).meta({ description: 'What happens to it.' }),
      items: z.int().min(-1).meta({ description: 'How many settings, accounts or revisions; -1 if uncounted.' }),
      why: z.string().meta({ description: 'Why it is skipped or absent; "" otherwise.' }),
    })
    .meta({ id: 'RestorePart', description: 'What a restore does with one part of a backup.' }),
);

/** What a restore would do, or does at the restart; never the value of a secret. */
export const RestoreDocument = once(() =>
  z
    .object({
      origin: z
        .enum(['this-machine', 'another-machine', 'replaces'])
        .meta({ description: 'Where the backup is from.' }),
      made_at: z.int().meta({ description: 'When it was made.' }),
      made_by: z.string().meta({ description: 'Id of the panel that it is from.' }),
      version: z.string().meta({ description: 'Version of Sconce that made it.' }),
      state_unavailable: z.boolean().meta({ description: 'State of its panel could not be read and is missing.' }),
      changes: z
        .array(
          z.object({
            key: z.string().meta({ description: 'A setting.' }),
            from: z.string().nullable().meta({ description: 'Its value; null for a secret.' }),
            to: z.string().nullable().meta({ description: 'Its value afterwards; null for a secret.' }),
          }),
        )
        .meta({ description: 'Settings that change.' }),
      skipped_keys: z
        .array(
          z.object({
            key: z.string().meta({ description: 'A setting.' }),
            reason: z.string().meta({ description: 'Stable code.' }),
            message: z.string().meta({ description: 'The same in a sentence.' }),
          }),
        )
        .meta({ description: 'Settings of the backup that are not taken.' }),
      parts: z.array(Part()).meta({ description: 'What happens to each part.' }),
      profile: z.string().nullable().meta({ description: 'Profile that is tried after the restart; null for none.' }),
    })
    .meta({ id: 'RestoreDocument', description: 'What a restore does.' }),
);
export type RestoreDocument = z.infer<ReturnType<typeof RestoreDocument>>;

export const restoreDocument = (preview: RestorePreview): RestoreDocument => ({
  origin: preview.origin,
  made_at: preview.madeAt,
  made_by: preview.madeBy,
  version: preview.version,
  state_unavailable: preview.stateUnavailable,
  changes: preview.changes.map(({ key, from, to }) => ({ key, from, to })),
  skipped_keys: preview.skippedKeys.map(({ key, reason, message }) => ({ key, reason, message })),
  parts: preview.parts.map(({ part, does, items, why }) => ({ part, does, items, why })),
  profile: preview.profile,
});
