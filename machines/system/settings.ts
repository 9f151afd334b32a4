import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';

export const systemSettings = z.object({
  log_level: z
    .enum(['error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta({
      title: 'Log level',
      help: 'How much is logged; debug and trace are for troubleshooting.',
      group: 'system',
      tier: 'advanced',
      scope: 'device',
      ha: { entityKind: 'select', icon: 'mdi:text-box-outline' },
      aliases: { warning: 'warn', verbose: 'trace' },
    } satisfies SettingMeta),
});
