import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';
import { canonicalHomePath, HOME_PATH_LENGTH } from '../kit/home-path.ts';

export const dashboardSettings = z.object({
  home_dashboard: z
    .string()
    .max(HOME_PATH_LENGTH)
    .check((ctx) => {
      const path = canonicalHomePath(ctx.value);
      if (!path.ok) ctx.issues.push({ code: 'custom', input: ctx.value, message: path.message });
    })
    .overwrite((text) => {
      const path = canonicalHomePath(text);
      return path.ok ? path.value : text;
    })
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
