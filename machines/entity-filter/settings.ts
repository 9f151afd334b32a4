import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';

export const entityFilterSettings = z.object({
  dashboard_entity_learning: z
    .boolean()
    .default(false)
    .meta({
      title: 'Load only what the dashboard shows',
      help: 'Home Assistant sends the panel only the states of entities that its dashboard shows, instead of all. The panel learns which ones; the Entities page lists them.',
      group: 'dashboard',
      tier: 'basic',
      scope: 'portable',
    } satisfies SettingMeta),
});
