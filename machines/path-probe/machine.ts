import { assign, sendTo, stateIn } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  ConnectionFact,
  PathProbeContext,
  PathProbeDriverCommand,
  PathProbeDriverFact,
  PathProbeEvent,
  RouteFact,
  RouteFamily,
} from './events.ts';
import { burstEnded, connected, disconnected, followed, judged, suspected } from './facts.ts';
import { nothingProbed } from './view.ts';

/** How often the permission to send echoes is tried again, so that a fix is noticed without a restart. */
const RETRY_MS = 60_000;
/** Longest wait for the end of a burst; more than any of the driver's methods takes. */
const BURST_BOUND_MS = 15_000;

type Event<T extends PathProbeEvent['type']> = Extract<PathProbeEvent, { readonly type: T }>;

/** Measures the path to Home Assistant with bursts of ICMP echoes, if this machine lets the agent send any. */
export const pathProbeMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as PathProbeContext,
    events: {} as PathProbeEvent,
    input: {} as { readonly family: RouteFamily },
    output: {} as WorkerOutcome,
  },
  actors: {
    echoes: placeholder<PathProbeDriverCommand, undefined, PathProbeDriverFact>(),
    /** Reports the family of the default route. */
    route: placeholder<PathProbeEvent, undefined, RouteFact>(),
    /** Reports facts about the socket to Home Assistant. */
    connection: placeholder<PathProbeEvent, undefined, ConnectionFact>(),
  },
  guards: {
    isNewDefault: ({ context }, { family }: Event<'probe.family'>) =>
      context.connection === null && family !== context.family,
    isNewFamily: ({ context }, { family }: Event<'route.connected'>) => family !== context.family,
    isCurrentFamily: ({ context }, { family }: Event<'probe.socket'>) => family === context.family,
    isNowSupported: ({ context }, { family, supported }: Event<'probe.socket'>) =>
      supported && family === context.family,
    isNowRefused: ({ context }, { family, supported }: Event<'probe.socket'>) =>
      !supported && family === context.family,
    isOfThisConnection: ({ context }, { generation }: Event<'probe.burst-ended'>) => generation === context.connection,
    maySend: ({ context }) => context.supported === true,
    maySendAlong: ({ context }, { family }: Event<'route.connected'>) =>
      context.supported === true && family === context.family,
  },
  actions: {
    judge: assign((_, { supported }: Event<'probe.socket'>) => judged(supported)),
    follow: assign((_, { family }: Event<'probe.family'>) => followed(family)),
    connect: assign(({ context }, event: Event<'route.connected'>) => connected(context, event)),
    disconnect: assign(disconnected),
    suspect: assign(suspected),
    take: assign(({ context }, event: Event<'probe.burst-ended'>) => burstEnded(context, event)),
    tryNow: sendTo('echoes', ({ context }) => ({ type: 'probe.try', family: context.family })),
    // Only used while there is a connection; a burst without one would be dropped at its end.
    burst: sendTo('echoes', ({ context }) => ({ type: 'probe.burst', generation: context.connection ?? -1 })),
    cancel: sendTo('echoes', { type: 'probe.cancel' }),
  },
  delays: {
    retry: RETRY_MS,
    burstBound: BURST_BOUND_MS,
    untilDue: ({ context }) => context.schedule.intervalMs,
  },
}).createMachine({
  id: 'path-probe',
  context: ({ input }) => nothingProbed(input.family),
  options: { maxIterations: 50 },
  initial: 'working',
  states: {
    working: {
      type: 'parallel',
      invoke: [
        { id: 'echoes', src: 'echoes', onError: 'failed' },
        { id: 'route', src: 'route', onError: 'failed' },
        { id: 'connection', src: 'connection', onError: 'failed' },
      ],
      states: {
        permission: {
          initial: 'trying',
          on: {
            'probe.family': { guard: withEvent('isNewDefault'), actions: withEvent('follow'), target: '.trying' },
            'route.connected': { guard: withEvent('isNewFamily'), target: '.trying' },
            'path-probe.probe': '.trying',
          },
          states: {
            trying: {
              entry: 'tryNow',
              // An answer may get lost with a crashed helper: try again instead of waiting forever.
              after: { retry: { target: 'trying', reenter: true } },
              on: {
                'probe.socket': {
                  guard: withEvent('isCurrentFamily'),
                  actions: withEvent('judge'),
                  target: 'judged',
                },
              },
            },
            judged: { after: { retry: 'trying' } },
          },
        },
        bursts: {
          initial: 'off',
          on: {
            'route.connected': [
              { guard: withEvent('maySendAlong'), actions: withEvent('connect'), target: '.sending' },
              { actions: ['cancel', withEvent('connect')], target: '.held' },
            ],
            'route.lost': { actions: ['cancel', 'disconnect'], target: '.off' },
            'route.suspect': { actions: 'suspect' },
          },
          states: {
            off: {},
            // A burst is due but may not be sent, or the permission is not known yet.
            held: { on: { 'probe.socket': { guard: withEvent('isNowSupported'), target: 'sending' } } },
            waiting: {
              after: { untilDue: 'due' },
              on: {
                'route.suspect': { actions: 'suspect', target: 'due' },
                'probe.socket': { guard: withEvent('isNowRefused'), target: 'held' },
              },
            },
            due: { id: 'due', always: [{ guard: 'maySend', target: 'sending' }, { target: 'held' }] },
            sending: {
              entry: 'burst',
              initial: 'one',
              after: {
                burstBound: [
                  { guard: stateIn('#another'), actions: 'cancel', target: 'due' },
                  { actions: 'cancel', target: 'waiting' },
                ],
              },
              on: {
                'probe.burst-ended': {
                  guard: withEvent('isOfThisConnection'),
                  actions: withEvent('take'),
                  target: 'waiting',
                },
                'probe.socket': { guard: withEvent('isNowRefused'), actions: 'cancel', target: 'held' },
              },
              states: {
                one: { on: { 'route.suspect': { actions: 'suspect', target: 'another' } } },
                // Another burst is due right after this one.
                another: {
                  id: 'another',
                  on: {
                    'probe.burst-ended': {
                      guard: withEvent('isOfThisConnection'),
                      actions: withEvent('take'),
                      target: '#due',
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    failed: { type: 'final', output: crashed('path-probe-driver') },
  },
  output: outcomeOf,
});
