import { z } from 'zod';
import { ENTITY_ID_LENGTH } from '../kit/entity-id.ts';
import { setting, textUpTo, wholeNumber } from '../kit/fields.ts';
import type { SettingMeta } from '../kit/setting.ts';

/** Defaults of what the owner can choose (as panel-assistant; 4 % is raw 10 of 255, just visible). */
export const DEFAULTS = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 } as const;

/** Least and most of the same, in percent. */
export const BOUNDS = {
  minimumPercent: { min: 4, max: 99 },
  maximumPercent: { min: 5, max: 100 },
  responsePercent: { min: 0, max: 100 },
} as const;

/** An entity that can be the source, or none. */
export const SOURCE_ENTITY = /^(?:|sensor\.[a-z0-9_]+)$/;

const shared = { group: 'screen', needs: 'screen', scope: 'device' } as const satisfies Partial<SettingMeta>;

/** Settings of the automatic brightness. */
export const autoBrightnessSettings = z.object({
  auto_brightness: setting(z.boolean(), false, {
    ...shared,
    title: 'Automatic brightness',
    help: 'The screen follows the light of the room, and learns what is usual there.',
    tier: 'basic',
    scope: 'portable',
    ha: { entityKind: 'switch', icon: 'mdi:brightness-auto' },
  }),
  auto_brightness_ha_entity: setting(
    textUpTo(ENTITY_ID_LENGTH, z.regex(SOURCE_ENTITY, 'must be an entity such as sensor.hall_illuminance, or empty')),
    '',
    {
      ...shared,
      title: 'Light sensor in Home Assistant',
      help: 'Empty: the panel’s own sensor.',
      tier: 'advanced',
      placeholder: 'sensor.hall_illuminance',
    },
  ),
  auto_brightness_minimum_percent: setting(wholeNumber(BOUNDS.minimumPercent), DEFAULTS.minimumPercent, {
    ...shared,
    title: 'Automatic brightness, darkest',
    help: 'The level in a dark room.',
    tier: 'advanced',
    unit: '%',
  }),
  auto_brightness_maximum_percent: setting(wholeNumber(BOUNDS.maximumPercent), DEFAULTS.maximumPercent, {
    ...shared,
    title: 'Automatic brightness, brightest',
    help: 'The level in full daylight; above the darkest.',
    tier: 'advanced',
    unit: '%',
  }),
  auto_brightness_response_percent: setting(wholeNumber(BOUNDS.responsePercent), DEFAULTS.responsePercent, {
    ...shared,
    title: 'Automatic brightness, response',
    help: 'How strongly unusual light counts: at 0 the level is the usual one for the hour.',
    tier: 'advanced',
    unit: '%',
  }),
});
