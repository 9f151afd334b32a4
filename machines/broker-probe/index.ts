import { subsystem } from '../subsystem.ts';
import type { BrokerProbeActor } from './events.ts';

export const brokerProbe = subsystem<BrokerProbeActor>()({
  ids: ['broker-probe'],
  group: 'link',
  problems: { 'probe-replaced': 409 },
});
