import { z } from 'zod';
import { homePathField } from '../kit/home-path-field.ts';
import type { SettingMeta } from '../kit/setting.ts';

export const dashboardSettings = z.object({
  home_dashboard: homePathField()
    .default('')
    .meta({
      title: 'Home dashboard',
      help: 'The page of Home Assistant that this panel returns to; leave it empty for the start page.',
      group: 'dashboard',
      tier: 'basic',
      scope: 'device',
      placeholder: '/lovelace/hallway',
      isState: true,
    } satisfies SettingMeta),
});
