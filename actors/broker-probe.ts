import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { BrokerProbeEvent, ProbeFact, ProbeTarget } from '#machines/broker-probe/events.ts';
import { brokerProbe } from '#machines/broker-probe/index.ts';
import { brokerProbeMachine } from '#machines/broker-probe/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface BrokerProbeDeps {
  /** One probe (`brokerProbe()` in `drivers/mqtt`). */
  readonly connection: DriverLogic<BrokerProbeEvent, ProbeTarget, ProbeFact>;
}

export const brokerProbeSpec = ({ connection }: BrokerProbeDeps): Part =>
  part(brokerProbe, brokerProbeMachine.provide({ actors: { connection } }));
