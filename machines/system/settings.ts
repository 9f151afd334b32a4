import { z } from 'zod';
import { setting } from '../kit/fields.ts';

export const systemSettings = z.object({
  log_level: setting(z.enum(['error', 'warn', 'info', 'debug', 'trace']), 'info', {
    title: 'Log level',
    help: 'How much is logged; debug and trace are for troubleshooting.',
    group: 'system',
    tier: 'advanced',
    scope: 'device',
    ha: { entityKind: 'select', icon: 'mdi:text-box-outline' },
    aliases: { warning: 'warn', verbose: 'trace' },
  }),
});
