import { z } from 'zod';
import type { SettingMeta } from '../kit/setting.ts';

const shared = {
  group: 'sensors',
  tier: 'basic',
  scope: 'device',
  readOnly: true,
  ha: 'reading',
  exposedByDefault: true,
} as const;

const reading = (needs: string, title: string, help: string, unit: string): SettingMeta => ({
  ...shared,
  title,
  help,
  unit,
  needs,
});

/** Settings of the room's sensors: corrections to set, and readings that are only published (as in panel-assistant). */
export const sensorSettings = z.object({
  illuminance: z
    .int()
    .nullable()
    .default(null)
    .meta({ ...reading('illuminance', 'Light in the room', 'The light that reaches the panel.', 'lx') }),
  temperature: z
    .number()
    .nullable()
    .default(null)
    .meta({ ...reading('temperature', 'Temperature', 'At the panel.', '°C') }),
  temperature_offset: z
    .number()
    .min(-30)
    .max(30)
    .multipleOf(0.1)
    .default(0)
    .meta({
      title: 'Temperature correction',
      help: 'Added to the sensor reading; a panel warms its own sensor, so it is usually negative.',
      group: 'sensors',
      tier: 'advanced',
      scope: 'device',
      unit: '°C',
      needs: 'temperature',
      ha: { entityKind: 'number', icon: 'mdi:thermometer-plus' },
    } satisfies SettingMeta),
  humidity: z
    .int()
    .nullable()
    .default(null)
    .meta({ ...reading('humidity', 'Humidity', 'At the panel.', '%') }),
  humidity_offset: z
    .int()
    .min(-30)
    .max(30)
    .default(0)
    .meta({
      title: 'Humidity correction',
      help: 'Added to the sensor reading.',
      group: 'sensors',
      tier: 'advanced',
      scope: 'device',
      unit: '%',
      needs: 'humidity',
      ha: { entityKind: 'number', icon: 'mdi:water-plus' },
    } satisfies SettingMeta),
});
