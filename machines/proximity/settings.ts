import { z } from 'zod';
import { reading, setting, wholeNumber } from '../kit/fields.ts';

const shared = {
  group: 'screen',
  tier: 'basic',
  scope: 'device',
  exposedByDefault: true,
  needs: 'proximity',
} as const;

/** Settings of the proximity sensor: one to set, two readings. */
export const proximitySettings = z.object({
  wake_on_wave: setting(z.boolean(), false, {
    title: 'Wake by waving',
    help: 'Lights the dark screen when you wave a hand in front of it; calibrate the sensor for waves first.',
    group: 'screen',
    tier: 'basic',
    scope: 'portable',
    needs: 'proximity',
    ha: { entityKind: 'switch', icon: 'mdi:hand-wave' },
  }),
  proximity: reading(z.boolean(), {
    title: 'Proximity',
    help: 'Whether a person is near; needs a calibration.',
    ...shared,
  }),
  proximity_level: reading(wholeNumber({ min: 0, max: 100 }), {
    title: 'Proximity level',
    help: 'From 0 far to 100 near; needs a calibration.',
    unit: '%',
    ...shared,
  }),
});
