import { z } from 'zod';

import type { SettingMeta } from '../kit/setting.ts';

/**
 * How loud other streams go on while an announcement speaks, in percent of their own volume, where the owner chose
 * nothing.
 */
export const DEFAULT_DUCK_PERCENT = 30;

/** The announcement player's settings. */
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
