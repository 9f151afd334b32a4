import { assign, emit, not, sendTo, setup } from 'xstate';

import { shownFailure } from '../kit/certificate.ts';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import { parseBrokerAddress } from './broker-address.ts';
import { absence, brokerOf, connectionOf, spokenTo } from './connection.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConnectionInput,
  DesiredBroker,
  DesiredFact,
  IncomingMessage,
  MqttEmitted,
  MqttEvent,
} from './events.ts';
import { initialFacts, type LinkFacts } from './facts.ts';
import { retryDelay } from './retry.ts';

/** Longest wait for the farewell to reach the broker. */
const FAREWELL_MS = 1000;
/** How long there may be no publisher until the panel counts as away: longer than a restart of the publisher takes. */
const ABSENCE_MS = 2000;
/**
 * How long a connection must hold until the waits start over: a broker that accepts and drops is not knocked at ever
 * faster.
 */
const HELD_MS = 30_000;
/** The middle of the jitter; the wiring brings real randomness. */
const NO_JITTER = 0.5;
/**
 * Code of a connection that closed before the broker answered: some brokers do that to a protocol they do not speak.
 */
const CLOSED_UNANSWERED = 'closed-unanswered';
/**
 * So many of them in a row say something about the protocol; a single one also happens while a broker starts or ends.
 */
const UNANSWERED_PROOF = 2;

type Fact<T extends BrokerFact['type']> = Extract<BrokerFact, { readonly type: T }>;
type OfAttempt = { readonly generation: number };
type Failed = { readonly code: string };

const isCurrent = (context: LinkFacts, { generation }: OfAttempt): boolean => generation === context.generation;

/** The machine that keeps one connection to the broker; one run of its `connection` actor is one attempt. */
export const mqttMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: { context: {} as LinkFacts, events: {} as MqttEvent, emitted: {} as MqttEmitted, output: {} as WorkerOutcome },
  actors: {
    desired: placeholder<MqttEvent, undefined, DesiredFact>(),
    connection: placeholder<BrokerCommand, ConnectionInput, BrokerFact>(),
  },
  delays: {
    retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, NO_JITTER),
    farewell: FAREWELL_MS,
    absence: ABSENCE_MS,
    held: HELD_MS,
  },
  guards: {
    isAnotherBroker: ({ context }, { broker }: { readonly broker: DesiredBroker }) =>
      broker.key !== context.desired?.key,
    isCurrent: ({ context }, event: OfAttempt) => isCurrent(context, event),
    refusesProtocol: ({ context }, event: Fact<'broker.refused'>) =>
      isCurrent(context, event) && event.reason === 'protocol' && context.speak === 5,
    refusesCredentials: ({ context }, event: Fact<'broker.refused'>) =>
      isCurrent(context, event) && event.reason === 'credentials',
    closesUnanswered: ({ context }, event: Fact<'broker.lost'>) =>
      isCurrent(context, event) && event.code === CLOSED_UNANSWERED,
    isUnsearched: ({ context }) => context.desired?.url === null && !context.desired.searching,
    hasNoBroker: ({ context }) => context.desired === null || context.desired.url === null,
    isAmbiguous: ({ context }) => context.desired?.source === 'ambiguous',
    hasPublisher: ({ context }) => context.hasPublisher,
    isUnusable: ({ context }) => !parseBrokerAddress(context.desired?.url ?? '').ok,
  },
  actions: {
    takeBroker: assign(({ context }, { broker }: { readonly broker: DesiredBroker }) => ({
      desired: broker,
      source: broker.source,
      attempt: 0,
      failure: null,
      refusedCredentials: false,
      onlyLost: false,
      unanswered: 0,
      speak: spokenTo(context, broker),
    })),
    beginAttempt: assign(({ context }) => ({ generation: context.generation + 1 })),
    speakOlder: assign({ speak: 4, unanswered: 0 }),
    speakOther: assign(({ context }) =>
      context.unanswered < UNANSWERED_PROOF
        ? {}
        : { speak: context.speak === 5 ? (4 as const) : (5 as const), unanswered: 0 },
    ),
    welcome: assign(({ context }, { protocol, at }: Fact<'broker.connected'>) => {
      if (!context.desired) return {};
      const broker = brokerOf(context.desired);
      return {
        protocol,
        // Accepted credentials are right; any other reason stays in sight until the connection has held.
        failure: context.refusedCredentials ? null : context.failure,
        connectedAt: at,
        session: context.session + 1,
        panelId: context.desired.panelId,
        refusedCredentials: false,
        unanswered: 0,
        spoken: [{ broker, protocol }, ...context.spoken.filter((entry) => entry.broker !== broker)].slice(0, 8),
      };
    }),
    disconnect: assign({ protocol: null, connectedAt: null, panelId: null }),
    settleDown: assign({ attempt: 0, failure: null }),
    markCredentials: assign({ refusedCredentials: true }),
    noteFailure: assign(({ context }, { code }: Failed) => ({
      attempt: context.attempt + 1,
      // Refused credentials stay the reason until they are right, whatever the network does meanwhile.
      failure: context.refusedCredentials ? 'credentials' : shownFailure(code),
      onlyLost: false,
      unanswered: code === CLOSED_UNANSWERED ? context.unanswered + 1 : 0,
    })),
    noteLoss: assign(({ context }, { code }: Failed) => ({
      attempt: context.attempt + 1,
      failure: code,
      onlyLost: context.attempt === 0,
    })),
    forward: sendTo(
      'connection',
      (_, command: Extract<BrokerCommand, { readonly type: 'mqtt.publish' | 'mqtt.subscribe' }>) => command,
    ),
    deliver: emit((_, { topic, payload, retained }: IncomingMessage): MqttEmitted => ({
      type: 'broker.message',
      topic,
      payload,
      retained,
    })),
    takePublisher: assign((_, { present }: { readonly present: boolean }) => ({ hasPublisher: present })),
    publishOffline: sendTo('connection', ({ context }): BrokerCommand => ({
      type: 'mqtt.publish',
      messages: [absence(context)],
    })),
    leave: sendTo('connection', ({ context }): BrokerCommand => ({
      type: 'mqtt.leave',
      messages: [absence(context)],
    })),
  },
}).createMachine({
  id: 'mqtt',
  options: { maxIterations: 50 },
  context: initialFacts,
  initial: 'off',
  invoke: { src: 'desired', id: 'desired', onError: '.failed' },
  on: {
    'broker.desired': {
      guard: withEvent('isAnotherBroker'),
      target: '.choosing',
      actions: ['disconnect', withEvent('takeBroker')],
    },
    'publisher.changed': { actions: withEvent('takePublisher') },
    'mqtt.stop': '.stopped',
  },
  output: outcomeOf,
  states: {
    off: {},
    choosing: {
      always: [
        { guard: 'isAmbiguous', target: 'ambiguous' },
        { guard: 'isUnsearched', target: 'unconfigured' },
        { guard: 'hasNoBroker', target: 'discovering' },
        { guard: 'isUnusable', target: 'misconfigured' },
        { target: 'linked' },
      ],
    },
    ambiguous: {},
    unconfigured: {},
    discovering: {},
    misconfigured: {},
    linked: {
      initial: 'attempting',
      states: {
        attempting: {
          entry: 'beginAttempt',
          initial: 'connecting',
          invoke: {
            src: 'connection',
            id: 'connection',
            input: ({ context }) => connectionOf(context.desired, context.speak, context.generation),
            onError: '#mqtt.failed',
          },
          states: {
            connecting: {
              on: {
                'broker.connected': {
                  guard: withEvent('isCurrent'),
                  target: 'connected',
                  actions: withEvent('welcome'),
                },
                'broker.refused': [
                  {
                    guard: withEvent('refusesProtocol'),
                    target: '#mqtt.linked.attempting',
                    reenter: true,
                    actions: 'speakOlder',
                  },
                  {
                    guard: withEvent('refusesCredentials'),
                    target: '#mqtt.linked.waiting',
                    actions: ['markCredentials', withEvent('noteFailure')],
                  },
                  { guard: withEvent('isCurrent'), target: '#mqtt.linked.waiting', actions: withEvent('noteFailure') },
                ],
                'broker.lost': [
                  {
                    guard: withEvent('closesUnanswered'),
                    target: '#mqtt.linked.waiting',
                    actions: [withEvent('noteFailure'), 'speakOther'],
                  },
                  { guard: withEvent('isCurrent'), target: '#mqtt.linked.waiting', actions: withEvent('noteFailure') },
                ],
              },
            },
            connected: {
              on: {
                'mqtt.publish': { actions: withEvent('forward') },
                'mqtt.subscribe': { actions: withEvent('forward') },
                'broker.message': { guard: withEvent('isCurrent'), actions: withEvent('deliver') },
                'broker.lost': {
                  guard: withEvent('isCurrent'),
                  target: '#mqtt.linked.waiting',
                  actions: ['disconnect', withEvent('noteLoss')],
                },
                'mqtt.stop': 'leaving',
              },
              type: 'parallel',
              states: {
                hold: {
                  initial: 'fresh',
                  states: { fresh: { after: { held: 'steady' } }, steady: { entry: 'settleDown' } },
                },
                // Without a publisher nothing would change and no command be heard: the panel must not look alive.
                publisher: {
                  initial: 'present',
                  states: {
                    present: { always: { guard: not('hasPublisher'), target: 'missing' } },
                    missing: { always: { guard: 'hasPublisher', target: 'present' }, after: { absence: 'away' } },
                    away: { entry: 'publishOffline', always: { guard: 'hasPublisher', target: 'present' } },
                  },
                },
              },
            },
            leaving: {
              entry: 'leave',
              after: { farewell: '#mqtt.stopped' },
              on: {
                'broker.ended': { guard: withEvent('isCurrent'), target: '#mqtt.stopped' },
                'broker.lost': { guard: withEvent('isCurrent'), target: '#mqtt.stopped' },
                'broker.desired': {},
                'mqtt.stop': {},
              },
            },
          },
        },
        waiting: { after: { retry: 'attempting' } },
      },
    },
    stopped: { type: 'final', output: stopped },
    // The codes stand in the records of supervision that owners already have.
    failed: { type: 'final', output: crashed({ desired: 'wishes', connection: 'connection' }) },
  },
});
