import { z } from 'zod';
import { reading, setting, wholeNumber } from '../kit/fields.ts';
import { DEFAULT_LIMIT_PERCENT } from './decide.ts';

/** Settings of the music stream: one to set, one reading. */
export const volumeSettings = z.object({
  volume_limit_percent: setting(wholeNumber({ min: 1, max: 100 }), DEFAULT_LIMIT_PERCENT, {
    title: 'Maximum volume',
    help: 'The volume is never set above this.',
    group: 'sound',
    tier: 'basic',
    scope: 'device',
    needs: 'volume',
    unit: '%',
    ha: { entityKind: 'number', icon: 'mdi:volume-high' },
  }),
  volume: reading(wholeNumber({ min: 0, max: 100 }), {
    title: 'Volume',
    help: 'The volume as a number in Home Assistant.',
    group: 'sound',
    tier: 'basic',
    scope: 'device',
    needs: 'volume',
    unit: '%',
    exposedByDefault: true,
  }),
});
