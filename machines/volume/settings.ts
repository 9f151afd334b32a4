import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';
import { DEFAULT_LIMIT_PERCENT } from './decide.ts';

/** Settings of the music stream: one to set, one reading. */
export const volumeSettings = z.object({
  volume_limit_percent: z
    .int()
    .min(1)
    .max(100)
    .default(DEFAULT_LIMIT_PERCENT)
    .meta({
      title: 'Maximum volume',
      help: 'The volume is never set above this.',
      group: 'sound',
      tier: 'basic',
      scope: 'device',
      needs: 'volume',
      unit: '%',
      ha: { entityKind: 'number', icon: 'mdi:volume-high' },
    } satisfies SettingMeta),
  volume: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .meta({
      title: 'Volume',
      help: 'The volume as a number in Home Assistant.',
      group: 'sound',
      tier: 'basic',
      scope: 'device',
      needs: 'volume',
      unit: '%',
      readOnly: true,
      ha: 'reading',
      exposedByDefault: true,
    } satisfies SettingMeta),
});
