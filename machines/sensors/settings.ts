import { z } from 'zod';
import { reading, setting, wholeNumber } from '../kit/fields.ts';
import type { SettingMeta } from '../kit/setting.ts';

const shared = {
  group: 'sensors',
  tier: 'basic',
  scope: 'device',
  exposedByDefault: true,
} as const;

const about = (needs: string, title: string, help: string, unit: string): SettingMeta => ({
  ...shared,
  title,
  help,
  unit,
  needs,
});

/** Settings of the room's sensors: corrections to set, and readings that are only published (as in panel-assistant). */
export const sensorSettings = z.object({
  illuminance: reading(z.int(), about('illuminance', 'Light in the room', 'The light that reaches the panel.', 'lx')),
  temperature: reading(z.number(), about('temperature', 'Temperature', 'At the panel.', '°C')),
  temperature_offset: setting(z.number().min(-30).max(30).multipleOf(0.1), 0, {
    title: 'Temperature correction',
    help: 'Added to the sensor reading; a panel warms its own sensor, so it is usually negative.',
    group: 'sensors',
    tier: 'advanced',
    scope: 'device',
    unit: '°C',
    needs: 'temperature',
    ha: { entityKind: 'number', icon: 'mdi:thermometer-plus' },
  }),
  humidity: reading(z.int(), about('humidity', 'Humidity', 'At the panel.', '%')),
  humidity_offset: setting(wholeNumber({ min: -30, max: 30 }), 0, {
    title: 'Humidity correction',
    help: 'Added to the sensor reading.',
    group: 'sensors',
    tier: 'advanced',
    scope: 'device',
    unit: '%',
    needs: 'humidity',
    ha: { entityKind: 'number', icon: 'mdi:water-plus' },
  }),
});
