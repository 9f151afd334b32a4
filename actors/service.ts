import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { ServiceDriverCommand, ServiceWish } from '#machines/service/events.ts';
import { serviceMachine } from '#machines/service/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the service manager's actor is wired to. */
export interface ServiceDeps extends ServiceWish {
  /** Sends to the service manager; never started when none listens. */
  readonly driver: DriverLogic<ServiceDriverCommand, undefined>;
}

/** Talking to the service manager: permanent; asked to stop, it ends at once. */
export const serviceSpec = ({ driver, listening, heartbeatMs }: ServiceDeps): ChildSpec => ({
  id: 'service',
  logic: serviceMachine.provide({ actors: { notify: driver } }),
  input: () => ({ listening, heartbeatMs }),
  restart: 'permanent',
  stop: { event: { type: 'service.stop' }, withinMs: 50 },
});
