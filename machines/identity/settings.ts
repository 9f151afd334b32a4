import { z } from 'zod';
import { setting, textUpTo } from '../kit/fields.ts';
import { panelSlug } from '../kit/panel-slug.ts';

/** The owner's names for this panel (limits as in panel-assistant). */
export const identitySettings = z.object({
  friendly_name: setting(textUpTo(128), '', {
    title: 'Name',
    help: 'What this panel is called on its pages and in Home Assistant. Leave it empty to use the panel id.',
    group: 'identity',
    tier: 'basic',
    scope: 'identity',
  }),
  panel_id: setting(
    textUpTo(
      255,
      z.refine<string>((text) => text === '' || panelSlug(text) !== '', {
        error: 'must hold at least one letter from a to z or one digit',
      }),
      z.overwrite<string>(panelSlug),
    ),
    '',
    {
      title: 'Panel id',
      help: 'Entity ids begin with it. Changing it makes the panel a new device in Home Assistant; if empty, one is chosen for you.',
      group: 'identity',
      tier: 'basic',
      scope: 'identity',
    },
  ),
  manufacturer: setting(textUpTo(128), '', {
    title: 'Manufacturer',
    help: 'Shown with the device in Home Assistant. If empty, what the machine reports.',
    group: 'identity',
    tier: 'advanced',
    scope: 'device',
  }),
  model: setting(textUpTo(128), '', {
    title: 'Model',
    help: 'Shown with the device in Home Assistant. If empty, what the machine reports.',
    group: 'identity',
    tier: 'advanced',
    scope: 'device',
  }),
});
