import type { EventObject } from 'xstate';

import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LogsFact } from '#machines/logs/events.ts';
import { logsMachine } from '#machines/logs/machine.ts';
import { logs } from '#machines/logs/index.ts';

import { part, type Part } from './kit/part.ts';

/** What the live log's actor is wired to. */
export interface LogsDeps {
  /** Reports how far the log has come (`tailDriver` of the log's drivers). */
  readonly tail: DriverLogic<EventObject, undefined, LogsFact>;
}

/** The live log. */
export const logsSpec = ({ tail }: LogsDeps): Part => part(logs, logsMachine.provide({ actors: { source: tail } }));
