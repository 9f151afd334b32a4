import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { ServiceContext, ServiceDriverCommand, ServiceEvent, ServiceFact, ServiceWish } from './events.ts';

/**
 * Tells the service manager how the agent is. Signs of life come from this actor's own timer, so they end when the tree
 * that holds it ends or when the event loop hangs. They start at once and not only after `service.ready`: after a
 * restart of this part nobody repeats that event, and a sign of life too many harms nobody.
 */
export const serviceMachine = setup({
  types: {
    context: {} as ServiceContext,
    events: {} as ServiceEvent,
    input: {} as ServiceWish,
    output: {} as WorkerOutcome,
  },
  actors: { notify: placeholder<ServiceDriverCommand, undefined, ServiceFact>() },
  guards: {
    isListening: ({ context }) => context.listening,
    isWatched: ({ context }) => context.heartbeatMs !== null,
  },
  actions: {
    sayReady: sendTo('notify', { type: 'notice.send', lines: ['READY=1'] }),
    sayStopping: sendTo('notify', { type: 'notice.send', lines: ['STOPPING=1'] }),
    sayAlive: sendTo('notify', { type: 'notice.send', lines: ['WATCHDOG=1'] }),
    sayStatus: sendTo('notify', (_, params: { sentence: string }) => ({
      type: 'notice.send',
      lines: [`STATUS=${params.sentence}`],
    })),
    noteReady: assign({ ready: true }),
    noteFailure: assign((_, params: { code: string }) => ({ failure: params.code })),
  },
  // The fallback is never used: the state with this delay is entered only behind the guard isWatched.
  delays: { heartbeat: ({ context }) => context.heartbeatMs ?? 2 ** 31 - 1 },
}).createMachine({
  id: 'service',
  context: ({ input }) => ({ listening: input.listening, heartbeatMs: input.heartbeatMs, ready: false, failure: null }),
  initial: 'deciding',
  options: { maxIterations: 10 },
  on: { 'service.stop': '.stopped' },
  states: {
    deciding: { always: [{ guard: 'isListening', target: 'notifying' }, { target: 'unwatched' }] },
    unwatched: { on: { 'service.ready': { actions: 'noteReady' } } },
    notifying: {
      invoke: { id: 'notify', src: 'notify', onError: 'failed' },
      initial: 'choosing',
      on: {
        'service.ready': { actions: ['noteReady', 'sayReady'] },
        'service.stopping': { actions: 'sayStopping' },
        'service.status': { actions: { type: 'sayStatus', params: ({ event }) => ({ sentence: event.sentence }) } },
        'notice.refused': { actions: { type: 'noteFailure', params: ({ event }) => ({ code: event.code }) } },
      },
      states: {
        choosing: { always: [{ guard: 'isWatched', target: 'beating' }, { target: 'quiet' }] },
        beating: { entry: 'sayAlive', after: { heartbeat: { target: 'beating', reenter: true } } },
        quiet: {},
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('service-driver') },
  },
  output: outcomeOf,
});
