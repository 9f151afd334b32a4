import type { EventObject } from 'xstate';

import type { DriverLogic } from '../kit/placeholder.ts';

/** Contract of the driver that lights dark screens once the agent is gone; it takes no commands and reports nothing. */
export type RelightDriver = DriverLogic<EventObject, undefined, never>;

/** No public facts. */
export type RelightContext = Readonly<Record<string, never>>;

export interface RelightActor {
  readonly id: 'relight';
  readonly context: RelightContext;
  readonly event: never;
}
