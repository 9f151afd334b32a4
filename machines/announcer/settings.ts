import { z } from 'zod';

import type { SettingMeta } from '../kit/setting.ts';

/** Default volume of other streams during an announcement, in percent of their own. */
export const DEFAULT_DUCK_PERCENT = 30;

export const announcerSettings = z.object({
  announcement_duck_percent: z
    .int()
    .min(0)
    .max(100)
    .default(DEFAULT_DUCK_PERCENT)
    .meta({
      title: 'Music during announcements',
      help: 'While an announcement plays, everything else is lowered to this percentage of its volume; 100 leaves it alone.',
      group: 'sound',
      needs: 'announcements',
      tier: 'advanced',
      scope: 'portable',
      unit: '%',
    } satisfies SettingMeta),
});
