import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { type SensorActor, type SensorId, sensorIds } from './events.ts';
import { sensorSettings } from './settings.ts';

const titles: Readonly<Record<SensorId, string>> = {
  illuminance: 'Light sensor',
  temperature: 'Temperature',
  humidity: 'Humidity',
};

export const sensors = subsystem<SensorActor>()({
  ids: sensorIds,
  group: 'panel',
  settings: { after: 'voice_mic_gain_db', object: sensorSettings },
  settingGroups: [{ id: 'sensors', title: 'Sensors', icon: 'mdi:thermometer', after: 'voice' }],
  entities: rows,
  capabilities: capabilitiesOf<SensorActor>(
    sensorIds.map((id) => ({
      id,
      title: titles[id],
      actor: id,
      after: 'proximity',
      judge: ownVerdict,
      shown: ({ context }) => context.shown,
    })),
  ),
});
