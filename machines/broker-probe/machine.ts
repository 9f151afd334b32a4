import { probeMachine } from '../kit/probe.ts';
import type { ProbeOutcome, ProbeTarget } from './events.ts';

/** Finds out whether a broker answers at an address. */
export const brokerProbeMachine = probeMachine<ProbeTarget, ProbeOutcome>({
  id: 'broker-probe',
  nowhere: { host: '', port: 0, tls: false, addressFamily: 'Automatic', isSaved: false },
  failure: 'broker-probe-driver',
});
