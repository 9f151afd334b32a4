import { and, assign, emit, not, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { statusTopic } from '../kit/status-topic.ts';
import { parseBrokerAddress } from './broker-address.ts';
import { brokerOf, connectionOf } from './connection.ts';
import type {
  BrokerCommand,
  BrokerFact,
  BrokerWish,
  ConnectionInput,
  MqttContext,
  MqttEmitted,
  MqttEvent,
  MqttPhase,
  OutgoingMessage,
  WishFact,
} from './events.ts';
import { retryDelay } from './retry.ts';

/** Facts of the link with what it works on; other rooms see the public part. */
export interface LinkFacts extends MqttContext {
  readonly wish: BrokerWish | null;
  /** Number of the connection attempt whose facts count. */
  readonly generation: number;
  /** Protocol of the next attempt. */
  readonly speak: 4 | 5;
  /** Attempts in a row that the broker closed without an answer, in the protocol of the next one. */
  readonly unanswered: number;
  /** Protocol that a broker was found to speak, by host and port; the newest 8. */
  readonly spoken: readonly { readonly broker: string; readonly protocol: 4 | 5 }[];
  /** True from refused credentials until they are accepted or replaced. */
  readonly refusedCredentials: boolean;
  /** Whether a publisher speaks for the panel. */
  readonly spokenFor: boolean;
}

/** Longest wait for the farewell to reach the broker. */
const FAREWELL_MS = 1000;
/** How long nobody may speak for the panel until it counts as away: longer than a restart of the publisher takes. */
const SILENCE_MS = 2000;
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

const facts: LinkFacts = {
  phase: 'off',
  protocol: null,
  failure: null,
  attempt: 0,
  connectedAt: null,
  session: 0,
  source: 'none',
  panelId: null,
  wish: null,
  generation: 0,
  speak: 5,
  unanswered: 0,
  spoken: [],
  refusedCredentials: false,
  spokenFor: false,
};

const spokenTo = (context: LinkFacts, wish: BrokerWish): 4 | 5 =>
  context.spoken.find((entry) => entry.broker === brokerOf(wish))?.protocol ?? 5;

/** What the link says for a machine that does not answer; the publisher says itself that it is there. */
const absence = ({ wish }: LinkFacts): OutgoingMessage => ({
  topic: statusTopic(wish?.panelId ?? '', wish?.installId ?? ''),
  payload: 'offline',
  retain: true,
  qos: 1,
});

const failing = (context: LinkFacts): MqttPhase => (context.refusedCredentials ? 'auth_failed' : 'unreachable');

/** The machine that keeps one connection to the broker; one run of its `connection` actor is one attempt. */
export const mqttMachine = setup({
  // The one way XState offers to state these types.
  types: { context: {} as LinkFacts, events: {} as MqttEvent, emitted: {} as MqttEmitted, output: {} as WorkerOutcome },
  actors: {
    wishes: placeholder<MqttEvent, undefined, WishFact>(),
    connection: placeholder<BrokerCommand, ConnectionInput, BrokerFact>(),
  },
  delays: {
    retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, NO_JITTER),
    farewell: FAREWELL_MS,
    silence: SILENCE_MS,
    held: HELD_MS,
  },
  guards: {
    isNewWish: ({ context, event }) => event.type === 'mqtt.wish' && event.wish.key !== context.wish?.key,
    isCurrent: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    isProtocolRefused: ({ context, event }) =>
      event.type === 'broker.refused' && event.reason === 'protocol' && context.speak === 5,
    isCredentials: ({ event }) => event.type === 'broker.refused' && event.reason === 'credentials',
    isClosedUnanswered: ({ event }) => event.type === 'broker.lost' && event.code === CLOSED_UNANSWERED,
    hasNoBroker: ({ context }) => context.wish === null || context.wish.url === null,
    isAmbiguous: ({ context }) => context.wish?.source === 'ambiguous',
    isSpokenFor: ({ context }) => context.spokenFor,
    isUnusable: ({ context }) => !parseBrokerAddress(context.wish?.url ?? '').ok,
  },
  actions: {
    takeWish: assign(({ context, event }) => {
      if (event.type !== 'mqtt.wish') return {};
      const { wish } = event;
      return {
        wish,
        source: wish.source,
        attempt: 0,
        failure: null,
        refusedCredentials: false,
        unanswered: 0,
        speak: spokenTo(context, wish),
      };
    }),
    setPhase: assign((_, params: { readonly phase: MqttPhase }) => ({ phase: params.phase })),
    beginAttempt: assign(({ context }) => ({ generation: context.generation + 1 })),
    speakOlder: assign({ speak: 4, unanswered: 0 }),
    speakOther: assign(({ context }) =>
      context.unanswered < UNANSWERED_PROOF
        ? {}
        : { speak: context.speak === 5 ? (4 as const) : (5 as const), unanswered: 0 },
    ),
    welcome: assign(({ context, event }) => {
      if (event.type !== 'broker.connected' || !context.wish) return {};
      const broker = brokerOf(context.wish);
      return {
        phase: 'connected' as const,
        protocol: event.protocol,
        // Accepted credentials are right; any other reason stays in sight until the connection has held.
        failure: context.refusedCredentials ? null : context.failure,
        connectedAt: event.at,
        session: context.session + 1,
        panelId: context.wish.panelId,
        refusedCredentials: false,
        unanswered: 0,
        spoken: [
          { broker, protocol: event.protocol },
          ...context.spoken.filter((entry) => entry.broker !== broker),
        ].slice(0, 8),
      };
    }),
    disconnect: assign({ protocol: null, connectedAt: null, panelId: null }),
    settleDown: assign({ attempt: 0, failure: null }),
    markCredentials: assign({ refusedCredentials: true }),
    noteFailure: assign(({ context, event }) => ({
      attempt: context.attempt + 1,
      // Refused credentials stay the reason until they are right, whatever the network does meanwhile.
      failure: context.refusedCredentials ? 'credentials' : 'code' in event ? event.code : 'unknown',
      phase: failing(context),
      unanswered: event.type === 'broker.lost' && event.code === CLOSED_UNANSWERED ? context.unanswered + 1 : 0,
    })),
    noteLoss: assign(({ context, event }) => ({
      attempt: context.attempt + 1,
      failure: 'code' in event ? event.code : 'unknown',
      phase: context.attempt === 0 ? ('connecting' as const) : failing(context),
    })),
    forward: sendTo('connection', ({ event }): BrokerCommand =>
      event.type === 'mqtt.publish' || event.type === 'mqtt.subscribe' ? event : { type: 'mqtt.publish', messages: [] },
    ),
    deliver: emit(({ event }): MqttEmitted => {
      const { topic, payload, retained } =
        event.type === 'broker.message' ? event : { topic: '', payload: '', retained: true };
      return { type: 'broker.message', topic, payload, retained };
    }),
    takeVoice: assign(({ event }) => (event.type === 'mqtt.voice' ? { spokenFor: event.present } : {})),
    sayOffline: sendTo('connection', ({ context }): BrokerCommand => ({
      type: 'mqtt.publish',
      messages: [absence(context)],
    })),
    takeLeave: sendTo('connection', ({ context }): BrokerCommand => ({
      type: 'mqtt.leave',
      messages: [absence(context)],
    })),
  },
}).createMachine({
  id: 'mqtt',
  options: { maxIterations: 50 },
  context: facts,
  initial: 'off',
  invoke: { src: 'wishes', id: 'wishes', onError: '.failed' },
  on: {
    'mqtt.wish': { guard: 'isNewWish', target: '.choosing', actions: ['disconnect', 'takeWish'] },
    'mqtt.voice': { actions: 'takeVoice' },
    'mqtt.stop': '.stopped',
  },
  output: outcomeOf,
  states: {
    off: {},
    choosing: {
      always: [
        { guard: 'isAmbiguous', target: 'ambiguous' },
        { guard: 'hasNoBroker', target: 'discovering' },
        { guard: 'isUnusable', target: 'misconfigured' },
        { target: 'linked' },
      ],
    },
    ambiguous: { entry: { type: 'setPhase', params: { phase: 'ambiguous' } } },
    discovering: { entry: { type: 'setPhase', params: { phase: 'discovering' } } },
    misconfigured: { entry: { type: 'setPhase', params: { phase: 'config_error' } } },
    linked: {
      entry: { type: 'setPhase', params: { phase: 'connecting' } },
      initial: 'attempting',
      states: {
        attempting: {
          entry: 'beginAttempt',
          initial: 'connecting',
          invoke: {
            src: 'connection',
            id: 'connection',
            input: ({ context }) => connectionOf(context.wish, context.speak, context.generation),
            onError: '#mqtt.failed',
          },
          states: {
            connecting: {
              on: {
                'broker.connected': { guard: 'isCurrent', target: 'connected', actions: 'welcome' },
                'broker.refused': [
                  {
                    guard: and(['isCurrent', 'isProtocolRefused']),
                    target: '#mqtt.linked.attempting',
                    reenter: true,
                    actions: 'speakOlder',
                  },
                  {
                    guard: and(['isCurrent', 'isCredentials']),
                    target: '#mqtt.linked.waiting',
                    actions: ['markCredentials', 'noteFailure'],
                  },
                  { guard: 'isCurrent', target: '#mqtt.linked.waiting', actions: 'noteFailure' },
                ],
                'broker.lost': [
                  {
                    guard: and(['isCurrent', 'isClosedUnanswered']),
                    target: '#mqtt.linked.waiting',
                    actions: ['noteFailure', 'speakOther'],
                  },
                  { guard: 'isCurrent', target: '#mqtt.linked.waiting', actions: 'noteFailure' },
                ],
              },
            },
            connected: {
              on: {
                'mqtt.publish': { actions: 'forward' },
                'mqtt.subscribe': { actions: 'forward' },
                'broker.message': { guard: 'isCurrent', actions: 'deliver' },
                'broker.lost': {
                  guard: 'isCurrent',
                  target: '#mqtt.linked.waiting',
                  actions: ['disconnect', 'noteLoss'],
                },
                'mqtt.stop': 'leaving',
              },
              type: 'parallel',
              states: {
                hold: {
                  initial: 'fresh',
                  states: { fresh: { after: { held: 'steady' } }, steady: { entry: 'settleDown' } },
                },
                // What is frozen must not look alive: without a publisher nothing would change and no command be heard.
                voice: {
                  initial: 'heard',
                  states: {
                    heard: { always: { guard: not('isSpokenFor'), target: 'missing' } },
                    missing: { always: { guard: 'isSpokenFor', target: 'heard' }, after: { silence: 'silent' } },
                    silent: { entry: 'sayOffline', always: { guard: 'isSpokenFor', target: 'heard' } },
                  },
                },
              },
            },
            leaving: {
              entry: 'takeLeave',
              after: { farewell: '#mqtt.stopped' },
              on: {
                'broker.ended': { guard: 'isCurrent', target: '#mqtt.stopped' },
                'broker.lost': { guard: 'isCurrent', target: '#mqtt.stopped' },
                'mqtt.wish': {},
                'mqtt.stop': {},
              },
            },
          },
        },
        waiting: { after: { retry: 'attempting' } },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ wishes: 'wishes', connection: 'connection' }) },
  },
});
