import { partLine } from '../kit/diag.ts';
import { subsystem, textLines } from '../subsystem.ts';
import type { BrokerProbeActor } from './events.ts';

/** The probe of a broker's address before it is saved. */
export const brokerProbe = subsystem<BrokerProbeActor>()({
  ids: ['broker-probe'],
  group: 'link',
  diag: [
    textLines({
      order: 47,
      reads: ['broker-probe'],
      lines: ({ read, tree }) => {
        const probe = read('broker-probe');
        return [partLine('broker-probe', tree, 'broker-probe', probe && { probing: probe.requestId !== null })];
      },
    }),
  ],
  problems: { 'probe-replaced': 409 },
});
