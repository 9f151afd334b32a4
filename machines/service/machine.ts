import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type { ServiceContext, ServiceDriverCommand, ServiceEvent, ServiceFact, ServiceRequest } from './events.ts';

/**
 * Notifies the service manager. Heartbeats come from this actor's own timer, so they end with the supervision tree or
 * when the event loop hangs. They start at once, not only after `service.ready`: one too many does no harm, and one
 * too few makes the service manager kill a healthy agent.
 */
export const serviceMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ServiceContext,
    events: {} as ServiceEvent,
    input: {} as ServiceRequest,
    output: {} as WorkerOutcome,
  },
  actors: { notify: placeholder<ServiceDriverCommand, undefined, ServiceFact>() },
  guards: {
    isListening: ({ context }) => context.listening,
    isWatched: ({ context }) => context.heartbeatMs !== null,
  },
  actions: {
    reportReady: sendTo('notify', { type: 'notice.send', lines: ['READY=1'] }),
    reportStopping: sendTo('notify', { type: 'notice.send', lines: ['STOPPING=1'] }),
    reportAlive: sendTo('notify', { type: 'notice.send', lines: ['WATCHDOG=1'] }),
    noteReady: assign({ ready: true }),
    noteFailure: assign((_, { code }: ServiceFact) => ({ failure: code })),
  },
  // The fallback is never used: the state with this delay is entered only behind the guard isWatched.
  delays: { heartbeat: ({ context }) => context.heartbeatMs ?? 2 ** 31 - 1 },
}).createMachine({
  id: 'service',
  context: ({ input }) => ({ listening: input.listening, heartbeatMs: input.heartbeatMs, ready: false, failure: null }),
  initial: 'deciding',
  options: { maxIterations: 10 },
  states: {
    deciding: { always: [{ guard: 'isListening', target: 'notifying' }, { target: 'unwatched' }] },
    unwatched: { on: { 'service.ready': { actions: 'noteReady' } } },
    notifying: {
      invoke: { id: 'notify', src: 'notify', onError: 'failed' },
      initial: 'choosing',
      on: {
        'service.ready': { actions: ['noteReady', 'reportReady'] },
        'service.stopping': { actions: 'reportStopping' },
        'notice.refused': { actions: withEvent('noteFailure') },
      },
      states: {
        choosing: { always: [{ guard: 'isWatched', target: 'beating' }, { target: 'quiet' }] },
        beating: { entry: 'reportAlive', after: { heartbeat: { target: 'beating', reenter: true } } },
        quiet: {},
      },
    },
    failed: { type: 'final', output: crashed('service-driver') },
  },
  output: outcomeOf,
});
