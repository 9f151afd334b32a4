import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { VolumeActor } from './events.ts';
import { volumeSettings } from './settings.ts';
import { status } from './status.ts';

/** The volume of the music stream. */
export const volume = subsystem<VolumeActor>()({
  ids: ['volume'],
  group: 'media',
  supervisionGroups: [{ id: 'media', after: 'view', strategy: 'one_for_one', onGiveUp: 'park' }],
  probe: { type: 'volume.probe' },
  settings: { after: 'wake_on_wave', object: volumeSettings },
  settingGroups: [{ id: 'sound', title: 'Sound', icon: 'mdi:volume-high', after: 'screen' }],
  entities: rows,
  capabilities: capabilitiesOf<VolumeActor>([
    {
      id: 'volume',
      title: 'Volume',
      actor: 'volume',
      after: 'relay4',
      urgency: 60,
      headlines: { '*': 'Let Sconce set the volume' },
      judge: ownVerdict,
    },
  ]),
  status,
});
