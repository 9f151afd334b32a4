import type { EventObject } from 'xstate';

import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LiveLogFact } from '#machines/live-log/events.ts';
import { liveLogMachine } from '#machines/live-log/machine.ts';
import { liveLog } from '#machines/live-log/index.ts';

import { part, type Part } from './kit/part.ts';

export interface LiveLogDeps {
  /** Reports how far the log has come (`tailDriver` in `drivers/log`). */
  readonly tail: DriverLogic<EventObject, undefined, LiveLogFact>;
}

export const liveLogSpec = ({ tail }: LiveLogDeps): Part =>
  part(liveLog, liveLogMachine.provide({ actors: { source: tail } }));
