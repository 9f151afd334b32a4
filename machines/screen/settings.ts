import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';
import { DEFAULT_MINIMUM_PERCENT } from './scale.ts';

/** Settings of the screen: one to set, one reading. */
export const screenSettings = z.object({
  screen_minimum_percent: z
    .int()
    .min(1)
    .max(50)
    .default(DEFAULT_MINIMUM_PERCENT)
    .meta({
      title: 'Minimum brightness while on',
      help: 'The darkest the screen becomes before it is off.',
      group: 'screen',
      tier: 'basic',
      scope: 'device',
      needs: 'screen',
      unit: '%',
      ha: { entityKind: 'number', icon: 'mdi:brightness-5' },
    } satisfies SettingMeta),
  screen: z
    .int()
    .min(0)
    .max(255)
    .nullable()
    .default(null)
    .meta({
      title: 'Screen',
      help: 'The screen as a light in Home Assistant.',
      group: 'screen',
      tier: 'basic',
      scope: 'device',
      needs: 'screen',
      readOnly: true,
      ha: 'reading',
      exposedByDefault: true,
    } satisfies SettingMeta),
});
