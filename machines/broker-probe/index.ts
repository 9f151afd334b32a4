import { subsystem } from '../subsystem.ts';
import type { BrokerProbeActor } from './events.ts';

/** The probe of a broker's address before it is saved. */
export const brokerProbe = subsystem<BrokerProbeActor>()({
  ids: ['broker-probe'],
  group: 'link',
  problems: { 'probe-replaced': 409 },
});
