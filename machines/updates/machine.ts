import { assign } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type { UpdatesContext, UpdatesEvent, UpdatesFact, UpdatesRequest } from './events.ts';

/** Asks the origin on request, once at a time. */
export const updatesMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as UpdatesContext,
    events: {} as UpdatesEvent,
    output: {} as WorkerOutcome,
  },
  actors: { origin: placeholder<UpdatesEvent, undefined, UpdatesFact>() },
  actions: {
    note: assign((_, { at }: UpdatesRequest) => ({ askedAt: at })),
    take: assign((_, { outcome }: UpdatesFact) => ({ outcome })),
  },
}).createMachine({
  id: 'updates',
  context: { askedAt: null, outcome: null },
  initial: 'resting',
  states: {
    resting: {
      on: { 'updates.ask': { target: 'asking', actions: withEvent('note') } },
    },
    asking: {
      invoke: { id: 'origin', src: 'origin', onError: 'failed' },
      on: { 'updates.answered': { target: 'resting', actions: withEvent('take') } },
    },
    failed: { type: 'final', output: crashed('updates-driver') },
  },
  output: outcomeOf,
});
