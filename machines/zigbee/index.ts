import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { ZigbeeActor } from './events.ts';
import { status } from './status.ts';

export const zigbee = subsystem<ZigbeeActor>()({
  ids: ['zigbee'],
  group: 'panel',
  entities: rows,
  capabilities: capabilitiesOf<ZigbeeActor>([
    { id: 'zigbee', title: 'Zigbee gateway', actor: 'zigbee', after: 'humidity', judge: ownVerdict },
  ]),
  status,
});
