import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { ServiceDriverCommand, ServiceFact, ServiceRequest } from '#machines/service/events.ts';
import { service } from '#machines/service/index.ts';
import { serviceMachine } from '#machines/service/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the service manager's actor is wired to. */
export interface ServiceDeps extends ServiceRequest {
  /** Sends to the service manager; never started when none listens. */
  readonly driver: DriverLogic<ServiceDriverCommand, undefined, ServiceFact>;
}

/** Talking to the service manager. */
export const serviceSpec = ({ driver, listening, heartbeatMs }: ServiceDeps): Part =>
  part(service, serviceMachine.provide({ actors: { notify: driver } }), {
    input: () => ({ listening, heartbeatMs }),
  });
