import { z } from 'zod';
import { reading, setting, wholeNumber } from '../kit/fields.ts';
import { DEFAULT_MINIMUM_PERCENT } from './scale.ts';

/** Settings of the screen: one to set, one reading. */
export const screenSettings = z.object({
  screen_minimum_percent: setting(wholeNumber({ min: 1, max: 50 }), DEFAULT_MINIMUM_PERCENT, {
    title: 'Minimum brightness while on',
    help: 'The darkest the screen becomes before it is off.',
    group: 'screen',
    tier: 'basic',
    scope: 'device',
    needs: 'screen',
    unit: '%',
    ha: { entityKind: 'number', icon: 'mdi:brightness-5' },
  }),
  screen: reading(wholeNumber({ min: 0, max: 255 }), {
    title: 'Screen',
    help: 'The screen as a light in Home Assistant.',
    group: 'screen',
    tier: 'basic',
    scope: 'device',
    needs: 'screen',
    exposedByDefault: true,
  }),
});
