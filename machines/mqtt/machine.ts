import { assign, cancel, emit, enqueueActions, not, sendTo } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type { EpochMs } from '../kit/units.ts';
import { parseBrokerAddress } from './broker-address.ts';
import {
  adoptBinding,
  beginAttempt,
  bindPassword,
  CLOSED_UNANSWERED,
  expireBinding,
  forgetBroker,
  isFirstToAccept,
  isUnclaimed,
  noteFailure,
  noteLoss,
  notePassword,
  postpone,
  speakOther,
  takeBroker,
  takeUpcoming,
  welcome,
} from './transitions.ts';
import {
  isConfirmed,
  isWaiting,
  keepCommand,
  noteRefused,
  notWaitingReply,
  settleCommand,
  settledReply,
  waitingReply,
} from './confirming.ts';
import { connectionOf, leaveCommand, offlineCommand } from './connection.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConfirmOutcome,
  ConnectionInput,
  DesiredBroker,
  DesiredFact,
  FoundBroker,
  MqttEvent,
  PasswordCommand,
  PasswordFact,
} from './events.ts';
import { initialFacts, type LinkFacts } from './facts.ts';
import { nextBroker } from './next-broker.ts';
import { retryDelay } from './retry.ts';

/** Longest wait for the last message to reach the broker. */
const FAREWELL_MS = 1000;
/** Time without a publisher after which the panel counts as offline: longer than a restart of the publisher. */
const ABSENCE_MS = 2000;
/**
 * How long a connection must hold before the back-off resets: a broker that accepts and drops is not retried faster and
 * faster.
 */
const HELD_MS = 30_000;
/** The middle of the jitter; the wiring brings real randomness. */
const NO_JITTER = 0.5;

type Fact<T extends BrokerFact['type']> = Extract<BrokerFact, { readonly type: T }>;
type Noted<T extends PasswordFact['type']> = Extract<PasswordFact, { readonly type: T }>;
type Asked = Extract<MqttEvent, { readonly type: 'mqtt.confirm' }>;
type ReadWaiting = Extract<MqttEvent, { readonly type: 'mqtt.read-waiting' }>;
type Wanted = { readonly broker: DesiredBroker };
type OfAttempt = { readonly generation: number };
type Failed = { readonly code: string; readonly at: EpochMs };

/** Actions for a new password: an open one starts its expiry. */
const noted = ['cancelExpiry', withEvent('notePassword'), 'awaitExpiry'] as const;

const isCurrent = (context: LinkFacts, { generation }: OfAttempt): boolean => generation === context.generation;

/** The machine that keeps one connection to the broker; one run of its `connection` actor is one attempt. */
export const mqttMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: {
    context: {} as LinkFacts,
    events: {} as MqttEvent,
    emitted: {} as ReplyEvent<ConfirmOutcome | FoundBroker | null>,
    output: {} as WorkerOutcome,
  },
  actors: {
    desired: placeholder<PasswordCommand, undefined, DesiredFact>(),
    connection: placeholder<BrokerCommand, ConnectionInput, BrokerFact>(),
  },
  delays: {
    retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, NO_JITTER),
    farewell: FAREWELL_MS,
    absence: ABSENCE_MS,
    held: HELD_MS,
  },
  guards: {
    isAnotherBroker: ({ context }, { broker }: Wanted) => nextBroker(context, broker).key !== context.desired?.key,
    isCurrent: ({ context }, event: OfAttempt) => isCurrent(context, event),
    refusesProtocol: ({ context }, event: Fact<'broker.refused'>) =>
      isCurrent(context, event) && event.reason === 'protocol' && context.speak === 5,
    refusesCredentials: ({ context }, event: Fact<'broker.refused'>) =>
      isCurrent(context, event) && event.reason === 'credentials',
    // It was tried without the password: that it requires one says nothing about the one that is set.
    wantsPassword: ({ context }, event: Fact<'broker.refused'>) =>
      isCurrent(context, event) && event.reason === 'credentials' && context.release === 'ask',
    bindsPassword: ({ context }, event: OfAttempt) => isCurrent(context, event) && isFirstToAccept(context),
    isLeftBehind: ({ context }, event: OfAttempt) => isCurrent(context, event) && context.upcoming !== null,
    isUnclaimed: ({ context }) => isUnclaimed(context),
    isUnread: ({ context }) => context.release === 'wait' && context.binding === null,
    isUnconfirmed: ({ context }) => context.release === 'wait',
    isWaiting: ({ context }, asked: Asked) => isWaiting(context, asked),
    isConfirmed: ({ context }, settled: Noted<'binding.settled'>) => isConfirmed(context, settled),
    closesUnanswered: ({ context }, event: Fact<'broker.lost'>) =>
      isCurrent(context, event) && event.code === CLOSED_UNANSWERED,
    isUnsearched: ({ context }) => context.desired?.url === null && !context.desired.searching,
    hasNoBroker: ({ context }) => context.desired === null || context.desired.url === null,
    isAmbiguous: ({ context }) => context.desired?.source === 'ambiguous',
    hasPublisher: ({ context }) => context.hasPublisher,
    isUnusable: ({ context }) => !parseBrokerAddress(context.desired?.url ?? '').ok,
  },
  actions: {
    takeBroker: assign(({ context }, { broker }: Wanted) => takeBroker(context, broker)),
    noteUnneeded: assign((_, { revision }: Extract<DesiredFact, { readonly type: 'broker.unneeded' }>) => ({
      isUnneeded: true,
      settingsRevision: revision,
    })),
    forgetBroker: assign((_, { revision }: Extract<DesiredFact, { readonly type: 'broker.unneeded' }>) =>
      forgetBroker(revision),
    ),
    forgetLeft: assign(({ context }) => forgetBroker(context.settingsRevision)),
    postpone: assign(({ context }, { broker }: Wanted) => postpone(context, broker)),
    takeUpcoming: assign(({ context }) => takeUpcoming(context)),
    notePassword: assign(({ context }, event: Noted<'password.noted'>) => notePassword(context, event)),
    bindPassword: assign(({ context }) => bindPassword(context)),
    adoptBinding: assign(({ context }, { recipient }: Noted<'binding.settled'>) => adoptBinding(context, recipient)),
    keepBinding: enqueueActions(({ context, enqueue }) => {
      const command = keepCommand(context);
      if (command !== null) enqueue.sendTo('desired', command);
    }),
    settleBinding: enqueueActions(({ context, enqueue }, asked: Asked) => {
      const command = settleCommand(context, asked);
      if (command !== null) enqueue.sendTo('desired', command);
    }),
    awaitExpiry: enqueueActions(({ context, enqueue }) => {
      if (context.binding?.kind === 'open')
        enqueue.raise({ type: 'binding.expired' }, { id: 'expiry', delay: context.openMs });
    }),
    cancelExpiry: cancel('expiry'),
    expireBinding: assign(({ context }) => expireBinding(context)),
    noteRefused: assign((_, settled: Noted<'binding.settled'>) => noteRefused(settled)),
    replySettled: emit((_, settled: Noted<'binding.settled'>) => settledReply(settled)),
    replyNotWaiting: emit(({ context }, asked: Asked) => notWaitingReply(context, asked)),
    replyWaiting: emit(({ context }, asked: ReadWaiting) => waitingReply(context, asked)),
    beginAttempt: assign(({ context }) => beginAttempt(context)),
    speakOlder: assign({ speak: 4, unanswered: 0 }),
    speakOther: assign(({ context }) => speakOther(context)),
    welcome: assign(({ context }, event: Fact<'broker.connected'>) => welcome(context, event)),
    disconnect: assign({ protocol: null, connectedAt: null, panelId: null }),
    settleDown: assign({ attempt: 0, drops: 0, failingSince: null, failure: null }),
    markCredentials: assign({ refusedCredentials: true }),
    noteFailure: assign(({ context }, event: Failed) => noteFailure(context, event)),
    noteLoss: assign(({ context }, event: Failed) => noteLoss(context, event)),
    takePublisher: assign(
      (_, { present, withdrawn }: Extract<DesiredFact, { readonly type: 'publisher.changed' }>) => ({
        hasPublisher: present,
        withdrawn,
      }),
    ),
    publishOffline: sendTo('connection', ({ context }) => offlineCommand(context)),
    leave: sendTo('connection', ({ context }) => leaveCommand(context)),
  },
}).createMachine({
  id: 'mqtt',
  options: { maxIterations: 50 },
  context: initialFacts,
  initial: 'off',
  invoke: { src: 'desired', id: 'desired', onError: '.failed' },
  on: {
    'broker.desired': [
      {
        guard: withEvent('isAnotherBroker'),
        target: '.choosing',
        actions: [withEvent('takeBroker'), 'disconnect'],
      },
      { actions: withEvent('postpone') },
    ],
    'broker.unneeded': { target: '.unneeded', actions: [withEvent('forgetBroker'), 'disconnect'] },
    'password.noted': { actions: noted },
    'binding.expired': { guard: 'isUnclaimed', target: '.choosing', actions: ['expireBinding', 'disconnect'] },
    'mqtt.confirm': [
      { guard: withEvent('isWaiting'), actions: withEvent('settleBinding') },
      { actions: withEvent('replyNotWaiting') },
    ],
    'mqtt.read-waiting': { actions: withEvent('replyWaiting') },
    'binding.settled': [
      {
        guard: withEvent('isConfirmed'),
        target: '.choosing',
        actions: [withEvent('adoptBinding'), 'disconnect', withEvent('replySettled')],
      },
      { actions: [withEvent('noteRefused'), withEvent('replySettled')] },
    ],
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
        { guard: 'isUnread', target: 'recalling' },
        { guard: 'isUnconfirmed', target: 'unconfirmed' },
        { target: 'linked' },
      ],
    },
    recalling: {
      on: { 'password.noted': { target: 'choosing', actions: noted } },
    },
    /** The entities go over another surface. A password that is saved meanwhile is for later. */
    unneeded: {
      on: {
        'broker.desired': { target: 'choosing', actions: withEvent('takeBroker') },
        'broker.unneeded': { actions: withEvent('forgetBroker') },
        'binding.expired': { actions: 'expireBinding' },
        'binding.settled': { actions: [withEvent('noteRefused'), withEvent('replySettled')] },
      },
    },
    unconfirmed: {},
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
            input: ({ context }) => connectionOf(context.desired, context.speak, context.generation, context.release),
            onError: '#mqtt.failed',
          },
          states: {
            connecting: {
              on: {
                'broker.connected': [
                  {
                    guard: withEvent('bindsPassword'),
                    target: 'connected',
                    actions: [withEvent('welcome'), 'bindPassword', 'keepBinding', 'cancelExpiry'],
                  },
                  { guard: withEvent('isCurrent'), target: 'connected', actions: withEvent('welcome') },
                ],
                'broker.refused': [
                  {
                    guard: withEvent('refusesProtocol'),
                    target: '#mqtt.linked.attempting',
                    reenter: true,
                    actions: 'speakOlder',
                  },
                  { guard: withEvent('wantsPassword'), target: '#mqtt.unconfirmed' },
                  {
                    guard: withEvent('refusesCredentials'),
                    target: '#mqtt.linked.waiting',
                    actions: ['markCredentials', withEvent('noteFailure')],
                  },
                  { guard: withEvent('isCurrent'), target: '#mqtt.linked.waiting', actions: withEvent('noteFailure') },
                ],
                'broker.lost': [
                  { guard: withEvent('isLeftBehind'), target: '#mqtt.choosing', actions: 'takeUpcoming' },
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
                'broker.lost': [
                  {
                    guard: withEvent('isLeftBehind'),
                    target: '#mqtt.choosing',
                    actions: ['takeUpcoming', 'disconnect'],
                  },
                  {
                    guard: withEvent('isCurrent'),
                    target: '#mqtt.linked.waiting',
                    actions: ['disconnect', withEvent('noteLoss')],
                  },
                ],
                'mqtt.stop': 'leaving',
                'broker.unneeded': { target: 'departing', actions: withEvent('noteUnneeded') },
              },
              type: 'parallel',
              states: {
                hold: {
                  initial: 'fresh',
                  states: { fresh: { after: { held: 'steady' } }, steady: { entry: 'settleDown' } },
                },
                // Without a publisher no state is updated and no command is carried out: the panel must not look
                // online.
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
            /** As at a stop, but the link stays, without a broker. */
            departing: {
              entry: 'leave',
              after: { farewell: { target: '#mqtt.unneeded', actions: ['forgetLeft', 'disconnect'] } },
              on: {
                'broker.ended': {
                  guard: withEvent('isCurrent'),
                  target: '#mqtt.unneeded',
                  actions: ['forgetLeft', 'disconnect'],
                },
                'broker.lost': {
                  guard: withEvent('isCurrent'),
                  target: '#mqtt.unneeded',
                  actions: ['forgetLeft', 'disconnect'],
                },
                'broker.desired': {
                  target: '#mqtt.choosing',
                  actions: [withEvent('takeBroker'), 'disconnect'],
                },
                'broker.unneeded': { actions: withEvent('noteUnneeded') },
                'binding.expired': {},
                'binding.settled': { actions: withEvent('replySettled') },
              },
            },
            leaving: {
              entry: 'leave',
              after: { farewell: '#mqtt.stopped' },
              on: {
                'broker.ended': { guard: withEvent('isCurrent'), target: '#mqtt.stopped' },
                'broker.lost': { guard: withEvent('isCurrent'), target: '#mqtt.stopped' },
                'broker.desired': {},
                'broker.unneeded': {},
                'binding.expired': {},
                'binding.settled': { actions: withEvent('replySettled') },
                'mqtt.stop': {},
              },
            },
          },
        },
        waiting: { after: { retry: 'attempting' } },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ desired: 'desired-state', connection: 'connection' }) },
  },
});
