import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { PowerActor } from './events.ts';
import { history } from './history.ts';
import { status } from './status.ts';

export const power = subsystem<PowerActor>()({
  ids: ['power'],
  group: 'panel',
  probe: { type: 'power.probe' },
  entities: rows,
  capabilities: capabilitiesOf<PowerActor>([
    {
      id: 'reboot',
      title: 'Reboot',
      actor: 'power',
      after: 'announcements',
      urgency: 80,
      headlines: { '*': 'Let Sconce reboot this machine' },
      judge: ownVerdict,
    },
  ]),
  status,
  historyKinds: [{ kind: 'reboot', about: 'agent', icon: 'mdi:restart' }],
  history,
  operations: { DEVICE_REBOOT: { in: 'hardened', title: 'Reboot this machine' } },
});
