import { z } from 'zod';

import { setting, wholeNumber } from '../kit/fields.ts';

/** Default volume of other streams during an announcement, in percent of their own. */
export const DEFAULT_DUCK_PERCENT = 30;

export const announcerSettings = z.object({
  announcement_duck_percent: setting(wholeNumber({ min: 0, max: 100 }), DEFAULT_DUCK_PERCENT, {
    title: 'Music during announcements',
    help: 'While an announcement plays, everything else is lowered to this percentage of its volume; 100 leaves it alone.',
    group: 'sound',
    needs: 'announcements',
    tier: 'advanced',
    scope: 'portable',
    unit: '%',
  }),
});
