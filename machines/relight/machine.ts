import { type EventObject, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
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
  actors: { watcher: placeholder<EventObject, undefined, never>() },
}).createMachine({
  id: 'relight',
  context: {},
  initial: 'watching',
  states: {
    watching: {
      invoke: { id: 'watcher', src: 'watcher', onError: 'failed' },
      on: { 'relight.stop': 'stopped' },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('relight-watcher') },
  },
  output: outcomeOf,
});
