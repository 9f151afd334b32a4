import { assign, type EventObject, setup } from 'xstate';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { LogsContext, LogsEvent, LogsFact } from './events.ts';

/** The live log: how far it has come, and how many look at it. */
export const logsMachine = setup({
  types: {
    context: {} as LogsContext,
    events: {} as LogsEvent,
    output: {} as WorkerOutcome,
  },
  actors: { tail: placeholder<EventObject, undefined, LogsFact>() },
  actions: {
    move: assign((_, params: { readonly newest: number }) => ({ revision: params.newest })),
    addViewer: assign({ viewers: ({ context }) => context.viewers + 1 }),
    dropViewer: assign({ viewers: ({ context }) => Math.max(0, context.viewers - 1) }),
  },
}).createMachine({
  id: 'logs',
  context: { revision: 0, viewers: 0 },
  invoke: { id: 'tail', src: 'tail', onError: '.failed' },
  initial: 'following',
  on: {
    'log.moved': { actions: { type: 'move', params: ({ event }) => ({ newest: event.newest }) } },
    'logs.viewer-joined': { actions: 'addViewer' },
    'logs.viewer-left': { actions: 'dropViewer' },
    'logs.stop': '.stopped',
  },
  states: {
    following: {},
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('log-tail') },
  },
  output: outcomeOf,
});
