import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { PathProbeActor } from './events.ts';
import { status } from './status.ts';
import { judgePathProbe } from './verdict.ts';

/** The probe of the network path to Home Assistant. */
export const pathProbe = subsystem<PathProbeActor>()({
  ids: ['path-probe'],
  group: 'link',
  probe: { type: 'path-probe.probe' },
  capabilities: capabilitiesOf<PathProbeActor>([
    {
      id: 'icmp',
      title: 'Network to Home Assistant',
      actor: 'path-probe',
      after: 'storage',
      judge: ({ context }) => judgePathProbe(context),
    },
  ]),
  status,
});
