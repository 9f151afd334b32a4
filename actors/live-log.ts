import type { EventObject } from 'xstate';

import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LiveLogFact } from '#machines/live-log/events.ts';
import { liveLogMachine } from '#machines/live-log/machine.ts';
import { liveLog } from '#machines/live-log/index.ts';

import { part, type Part } from './kit/part.ts';

/** What the live log's actor is wired to. */
export interface LiveLogDeps {
  /** Reports how far the log has come (`tailDriver` of the log's drivers). */
  readonly tail: DriverLogic<EventObject, undefined, LiveLogFact>;
}

/** The live log. */
export const liveLogSpec = ({ tail }: LiveLogDeps): Part =>
  part(liveLog, liveLogMachine.provide({ actors: { source: tail } }));
