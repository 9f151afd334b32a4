import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { ReadingsActor } from './events.ts';
import { readingsSettings } from './settings.ts';
import { judgeTemperature, judgeWifi } from './verdict.ts';

export const readings = subsystem<ReadingsActor>()({
  ids: ['readings'],
  group: 'panel',
  probe: { type: 'readings.refresh' },
  settings: { after: 'adb_device', object: readingsSettings },
  settingGroups: [{ id: 'diagnostics', title: 'Diagnostics', icon: 'mdi:gauge', after: 'system' }],
  entities: rows,
  capabilities: capabilitiesOf<ReadingsActor>([
    {
      id: 'soc-temperature',
      title: 'Processor temperature',
      actor: 'readings',
      after: 'icmp',
      judge: ({ context }) => judgeTemperature(context),
    },
    {
      id: 'wifi',
      title: 'Wi-Fi',
      actor: 'readings',
      after: 'soc-temperature',
      judge: ({ context }) => judgeWifi(context),
    },
  ]),
});
