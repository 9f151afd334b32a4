import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type {
  PathProbeContext,
  PathProbeDriverCommand,
  PathProbeEvent,
  RouteFact,
  RouteFamily,
  SocketFact,
} from './events.ts';
import { projectProbe } from './project-probe.ts';

/** How often the socket is tried again, so that a fix is noticed without a restart. */
const RETRY_MS = 60_000;

/** Says whether this machine lets the agent send ICMP echoes, by really opening the socket; it sends none. */
export const pathProbeMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as PathProbeContext,
    events: {} as PathProbeEvent,
    input: {} as { readonly family: RouteFamily },
    output: {} as WorkerOutcome,
  },
  actors: {
    socket: placeholder<PathProbeDriverCommand, undefined, SocketFact>(),
    /** Reports the family of the default route. */
    route: placeholder<PathProbeEvent, undefined, RouteFact>(),
  },
  guards: {
    isNewFamily: ({ context }, params: { family: RouteFamily }) => params.family !== context.probe.family,
    isCurrentFamily: ({ context }, params: { family: RouteFamily }) => params.family === context.probe.family,
  },
  actions: {
    judge: assign(({ context }, params: { supported: boolean }) => ({
      supported: params.supported,
      probe: projectProbe(context.probe.family, params.supported),
    })),
    follow: assign((_, params: { family: RouteFamily }) => ({
      supported: null,
      probe: projectProbe(params.family, null),
    })),
    tryNow: sendTo('socket', ({ context }) => ({ type: 'probe.try', family: context.probe.family })),
  },
  delays: { retry: RETRY_MS },
}).createMachine({
  id: 'path-probe',
  context: ({ input }) => ({ probe: projectProbe(input.family, null), supported: null }),
  initial: 'working',
  states: {
    working: {
      invoke: [
        { id: 'socket', src: 'socket', onError: 'failed' },
        { id: 'route', src: 'route', onError: 'failed' },
      ],
      initial: 'trying',
      on: {
        'probe.family': {
          guard: { type: 'isNewFamily', params: ({ event }) => ({ family: event.family }) },
          actions: { type: 'follow', params: ({ event }) => ({ family: event.family }) },
          target: '.trying',
        },
        'path-probe.probe': '.trying',
      },
      states: {
        trying: {
          entry: 'tryNow',
          // An answer may get lost with a crashed helper: the next round asks again instead of waiting for ever.
          after: { retry: { target: 'trying', reenter: true } },
          on: {
            'probe.socket': {
              guard: { type: 'isCurrentFamily', params: ({ event }) => ({ family: event.family }) },
              actions: { type: 'judge', params: ({ event }) => ({ supported: event.supported }) },
              target: 'judged',
            },
          },
        },
        judged: { after: { retry: 'trying' } },
      },
    },
    failed: { type: 'final', output: crashed('path-probe-driver') },
  },
  output: outcomeOf,
});
