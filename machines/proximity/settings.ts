import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';

const reading = {
  group: 'screen',
  tier: 'basic',
  scope: 'device',
  readOnly: true,
  ha: 'reading',
  exposedByDefault: true,
  needs: 'proximity',
} as const;

/** Settings of the proximity sensor: one to set, two readings. */
export const proximitySettings = z.object({
  wake_on_wave: z
    .boolean()
    .default(false)
    .meta({
      title: 'Wake by waving',
      help: 'Lights the dark screen when you wave a hand in front of it; calibrate the sensor for waves first.',
      group: 'screen',
      tier: 'basic',
      scope: 'portable',
      needs: 'proximity',
      ha: { entityKind: 'switch', icon: 'mdi:hand-wave' },
    } satisfies SettingMeta),
  proximity: z
    .boolean()
    .nullable()
    .default(null)
    .meta({
      title: 'Proximity',
      help: 'Whether a person is near; needs a calibration.',
      ...reading,
    } satisfies SettingMeta),
  proximity_level: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .meta({
      title: 'Proximity level',
      help: 'From 0 far to 100 near; needs a calibration.',
      unit: '%',
      ...reading,
    } satisfies SettingMeta),
});
