import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { ServiceDriverCommand, ServiceFact, ServiceRequest } from '#machines/service/events.ts';
import { service } from '#machines/service/index.ts';
import { serviceMachine } from '#machines/service/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface ServiceDeps extends ServiceRequest {
  /** Sends to the service manager; never started if none listens. */
  readonly driver: DriverLogic<ServiceDriverCommand, undefined, ServiceFact>;
}

export const serviceSpec = ({ driver, listening, heartbeatMs }: ServiceDeps): Part =>
  part(service, serviceMachine.provide({ actors: { notify: driver } }), {
    input: () => ({ listening, heartbeatMs }),
  });
