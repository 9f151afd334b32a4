import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';
import { parseAdbDevice } from './decide.ts';

/** Which Android panel is reached over its debugging bridge. */
export const adbSettings = z.object({
  adb_device: z
    .string()
    .max(300)
    .refine(
      (text) => parseAdbDevice(text) !== null,
      'Enter a serial number, or an address with an optional port; nothing for the only device that is attached.',
    )
    .default('')
    .meta({
      title: 'Android panel',
      help: 'For profiles of Android panels: its serial number, or its address on the network; empty for the only one attached by USB.',
      group: 'system',
      tier: 'advanced',
      scope: 'device',
      needs: 'adb',
    } satisfies SettingMeta),
});
