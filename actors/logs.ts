import type { EventObject } from 'xstate';

import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import { logsMachine } from '#machines/logs/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the live log's actor is wired to. */
export interface LogsDeps {
  /** Reports how far the log has come (`tailDriver` of the log's drivers). */
  readonly tail: DriverLogic<EventObject, undefined>;
}

/** The live log: permanent; asked to stop, it ends at once. */
export const logsSpec = ({ tail }: LogsDeps): ChildSpec => ({
  id: 'logs',
  logic: logsMachine.provide({ actors: { tail } }),
  restart: 'permanent',
  stop: { event: { type: 'logs.stop' }, withinMs: 50 },
});
