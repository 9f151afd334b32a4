import { type EventObject, setup } from 'xstate';

import { outcomeOf, STOPPED, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { RelightContext, RelightEvent } from './events.ts';

/**
 * Keeps a small process beside the agent that lights the screen when the agent is gone, for where no service manager
 * does it.
 */
export const relightMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RelightContext,
    events: {} as RelightEvent,
    output: {} as WorkerOutcome,
  },
  actors: { watcher: placeholder<EventObject>() },
}).createMachine({
  id: 'relight',
  context: {},
  initial: 'watching',
  states: {
    watching: {
      invoke: { id: 'watcher', src: 'watcher', onError: 'failed' },
      on: { 'relight.stop': 'stopped' },
    },
    stopped: { type: 'final', output: STOPPED },
    failed: { type: 'final' },
  },
  output: ({ event }) => outcomeOf(event, 'relight-watcher-ended'),
});
