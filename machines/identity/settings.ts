import { z } from 'zod';
import { panelSlug } from '../kit/panel-slug.ts';
import type { SettingMeta } from '../kit/setting.ts';

/** The owner's names for this panel (limits as in panel-assistant). */
export const identitySettings = z.object({
  friendly_name: z
    .string()
    .max(128)
    .default('')
    .meta({
      title: 'Name',
      help: 'What this panel is called on its pages and in Home Assistant. Leave it empty to use the panel id.',
      group: 'identity',
      tier: 'basic',
      scope: 'identity',
    } satisfies SettingMeta),
  panel_id: z
    .string()
    .max(255)
    .refine((text) => text === '' || panelSlug(text) !== '', {
      error: 'must hold at least one letter from a to z or one digit',
    })
    .overwrite(panelSlug)
    .default('')
    .meta({
      title: 'Panel id',
      help: 'Entity ids begin with it. Changing it makes the panel a new device in Home Assistant; if empty, one is chosen for you.',
      group: 'identity',
      tier: 'basic',
      scope: 'identity',
    } satisfies SettingMeta),
  manufacturer: z
    .string()
    .max(128)
    .default('')
    .meta({
      title: 'Manufacturer',
      help: 'Shown with the device in Home Assistant. If empty, what the machine reports.',
      group: 'identity',
      tier: 'advanced',
      scope: 'device',
    } satisfies SettingMeta),
  model: z
    .string()
    .max(128)
    .default('')
    .meta({
      title: 'Model',
      help: 'Shown with the device in Home Assistant. If empty, what the machine reports.',
      group: 'identity',
      tier: 'advanced',
      scope: 'device',
    } satisfies SettingMeta),
});
