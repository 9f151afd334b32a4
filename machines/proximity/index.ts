import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { judgeProximity } from './decide.ts';
import { rows } from './entities.ts';
import type { ProximityActor } from './events.ts';
import { proximitySettings } from './settings.ts';
import { proximitySnapshot } from './snapshot.ts';

export const proximity = subsystem<ProximityActor>()({
  ids: ['proximity'],
  group: 'panel',
  tags: [{ id: 'proximity', about: 'The proximity sensor and its guided calibration.', after: 'profiles' }],
  probe: { type: 'proximity.probe' },
  settings: { after: 'screen_minimum_percent', object: proximitySettings },
  entities: rows,
  capabilities: capabilitiesOf<ProximityActor>([
    {
      id: 'proximity',
      title: 'Proximity',
      actor: 'proximity',
      after: 'reboot',
      judge: (snapshot) => judgeProximity(proximitySnapshot(snapshot)),
      shown: ({ context }) => context.shown,
    },
  ]),
  sections: { proximity: 'panel' },
  // The first is spelled the way callers of the contract expect it (as panel-assistant spells it).
  problems: { proximity_source_required: 409, 'not-the-panels-page': 403 },
});
