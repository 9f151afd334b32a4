import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';

/** Contract of the driver that lights dark screens once the agent is gone; it is told nothing and reports nothing. */
export type RelightDriver = DriverLogic<EventObject, undefined, never>;

/** Public facts: none, it is there or it is not. */
export type RelightContext = Readonly<Record<string, never>>;

/** What the actor of what lights a dark screen once the agent is gone shows to the rest of the house. */
export interface RelightActor {
  readonly id: 'relight';
  readonly context: RelightContext;
  readonly event: never;
}
