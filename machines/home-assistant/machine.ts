import { not } from 'xstate';

import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { initialFacts } from './facts.ts';
import { signOfEnd } from './lifecycle.ts';
import { homeAssistantSetup } from './implementations.ts';

/** A live connection: pings measure the path, and Home Assistant reports its state. */
const live = homeAssistantSetup.createStateConfig({
  initial: 'fresh',
  entry: ['sendWatches', 'sendRequests'],
  always: {
    guard: 'isSilent',
    target: '#waiting',
    actions: ['noteSilence', { type: 'noteSign', params: { type: 'lost' } }],
  },
  on: {
    'needs.changed': { guard: withEvent('isSameCredential'), actions: [withEvent('takeNeeds'), 'askRunning'] },
    'socket.probed': [
      { guard: withEvent('isBackUnheard'), actions: [withEvent('noteProbe'), 'askRunning'] },
      { actions: withEvent('noteProbe') },
    ],
    'socket.running': {
      guard: withEvent('isCurrent'),
      actions: { type: 'noteSign', params: ({ event }) => ({ type: 'answered' as const, running: event.running }) },
    },
    'socket.notice': {
      guard: withEvent('isCurrent'),
      actions: { type: 'noteSign', params: ({ event }) => ({ type: event.notice }) },
    },
    'socket.read-out': { guard: withEvent('isCurrent'), actions: withEvent('deliver') },
    'socket.answered': {
      guard: withEvent('isCurrent'),
      actions: [withEvent('answerRead'), withEvent('noteAnswer')],
    },
    'socket.sampled': {
      guard: withEvent('isCurrent'),
      actions: [withEvent('answerSample'), withEvent('dropRequest')],
    },
    'socket.ended': {
      guard: withEvent('isCurrent'),
      target: '#waiting',
      actions: [withEvent('noteEnd'), { type: 'noteSign', params: ({ event }) => signOfEnd(event.code) }],
    },
    'socket.overrun': {
      guard: withEvent('isCurrent'),
      target: '#parked',
      actions: [withEvent('noteEnd'), withEvent('noteOverrun'), { type: 'noteSign', params: { type: 'lost' } }],
    },
    'socket.turn': { guard: withEvent('isOfTurn'), actions: [withEvent('deliverTurn'), withEvent('noteTurn')] },
    'home-assistant.begin-turn': {
      actions: [withEvent('takeTurn'), withEvent('sendTurn')],
    },
    'home-assistant.cancel-turn': { guard: withEvent('isTurn'), actions: ['forgetTurn', withEvent('sendCancel')] },
    'home-assistant.watch': { guard: withEvent('isBounded'), actions: withEvent('changeWatch') },
    'home-assistant.read': [
      { guard: withEvent('isAnswered'), actions: withEvent('answerShared') },
      { guard: withEvent('isJoining'), actions: withEvent('takeRequest') },
      { guard: withEvent('hasCapacity'), actions: [withEvent('takeRequest'), withEvent('sendRequest')] },
      { actions: withEvent('refuseBusy') },
    ],
    'home-assistant.sample': [
      { guard: withEvent('hasCapacity'), actions: [withEvent('takeRequest'), withEvent('sendRequest')] },
      { actions: withEvent('refuseBusy') },
    ],
  },
  states: { fresh: { after: { held: 'steady' } }, steady: { entry: 'resetBackoff' } },
});

/** One connection at a time, as long as something needs it and there is a credential. */
const link = homeAssistantSetup.createStateConfig({
  initial: 'absent',
  on: {
    'needs.changed': [
      {
        guard: withEvent('isOtherCredential'),
        target: '.absent',
        actions: [
          withEvent('takeNeeds'),
          { type: 'refuseRequests', params: { reason: 'unreachable' } },
          'dropRequests',
        ],
      },
      { actions: withEvent('takeNeeds') },
    ],
    'excess.recalled': { actions: withEvent('takeExcess') },
    'home-assistant.retry': { actions: 'endPark' },
    'home-assistant.watch': { guard: withEvent('isBounded'), actions: withEvent('takeWatch') },
    'home-assistant.read': [
      { guard: not('hasCredential'), actions: withEvent('refuseSignedOut') },
      { guard: withEvent('isAnswered'), actions: withEvent('answerShared') },
      { guard: withEvent('hasCapacity'), actions: withEvent('takeRequest') },
      { actions: withEvent('refuseBusy') },
    ],
    'home-assistant.sample': [
      { guard: not('hasCredential'), actions: withEvent('refuseSignedOut') },
      { guard: withEvent('hasCapacity'), actions: withEvent('takeRequest') },
      { actions: withEvent('refuseBusy') },
    ],
    'home-assistant.begin-turn': [
      {
        guard: not('hasCredential'),
        actions: { type: 'failTurn', params: ({ event }) => ({ turn: event.turn, code: 'signed-out' as const }) },
      },
      { actions: { type: 'failTurn', params: ({ event }) => ({ turn: event.turn, code: 'unavailable' as const }) } },
    ],
  },
  states: {
    absent: {
      entry: ['loseTurn', 'forget'],
      always: [
        { guard: 'isParked', target: 'parked' },
        { guard: 'isWanted', target: 'held' },
      ],
    },
    held: {
      initial: 'attempting',
      always: { guard: 'isUnwanted', target: 'absent' },
      states: {
        attempting: {
          entry: 'beginAttempt',
          invoke: {
            id: 'connection',
            src: 'connection',
            input: ({ context }) => ({ generation: context.generation, forceToken: context.needsNewToken }),
            onError: '#home-assistant.failed',
          },
          initial: 'connecting',
          states: {
            connecting: {
              on: {
                'socket.live': {
                  guard: withEvent('isCurrent'),
                  target: 'live',
                  actions: [
                    withEvent('welcome'),
                    {
                      type: 'noteSign',
                      params: ({ event }) => ({ type: 'answered' as const, running: event.running }),
                    },
                  ],
                },
                'socket.overrun': {
                  guard: withEvent('isCurrent'),
                  target: '#parked',
                  actions: [withEvent('noteEnd'), withEvent('noteOverrun')],
                },
                'socket.ended': [
                  {
                    guard: withEvent('isRefusedAgain'),
                    target: '#refused',
                    actions: [
                      withEvent('noteEnd'),
                      { type: 'refuseRequests', params: { reason: 'signed-out' } },
                      'dropRequests',
                    ],
                  },
                  { guard: withEvent('isCurrent'), target: '#waiting', actions: withEvent('noteEnd') },
                ],
              },
            },
            live,
          },
        },
        waiting: {
          id: 'waiting',
          // No caller is kept waiting for an unreachable Home Assistant.
          entry: ['loseTurn', { type: 'refuseRequests', params: { reason: 'unreachable' } }, 'dropRequests'],
          after: { retry: 'attempting' },
        },
      },
    },
    // A Home Assistant that sent too much would do so again at once.
    parked: {
      id: 'parked',
      entry: ['loseTurn', 'forget', { type: 'refuseRequests', params: { reason: 'unreachable' } }, 'dropRequests'],
      always: { guard: not('isParked'), target: 'absent' },
      after: { parked: { actions: 'endPark' } },
      on: {
        'home-assistant.read': [
          { guard: withEvent('isAnswered'), actions: withEvent('answerShared') },
          { actions: withEvent('refuseUnreachable') },
        ],
        'home-assistant.sample': { actions: withEvent('refuseUnreachable') },
      },
    },
    // A refused sign-in is not retried with the same credential: each try counts as a failed login.
    refused: {
      id: 'refused',
      entry: ['forget', 'forgetLifecycle'],
      on: {
        'needs.changed': { guard: withEvent('isSameCredential'), actions: [withEvent('takeNeeds'), 'forgetLifecycle'] },
        'home-assistant.read': { actions: withEvent('refuseSignedOut') },
        'home-assistant.sample': { actions: withEvent('refuseSignedOut') },
        'home-assistant.begin-turn': {
          actions: { type: 'failTurn', params: ({ event }) => ({ turn: event.turn, code: 'signed-out' as const }) },
        },
      },
    },
  },
});

/** The lifecycle; `back_online` ends after a minute. */
const lifecycle = homeAssistantSetup.createStateConfig({
  initial: 'steady',
  on: {
    'will.observed': {
      actions: {
        type: 'noteSign',
        params: ({ event }) => ({ type: event.online ? ('online' as const) : ('offline' as const) }),
      },
    },
    'native.observed': {
      actions: { type: 'noteSign', params: ({ event }) => ({ type: 'native' as const, life: event.life }) },
    },
  },
  states: {
    steady: { always: { guard: 'isBackOnline', target: 'back' } },
    back: {
      always: { guard: not('isBackOnline'), target: 'steady' },
      after: { backOnline: { target: 'steady', actions: { type: 'noteSign', params: { type: 'settled' } } } },
    },
  },
});

/** Waits for the second half of an orderly shutdown: the broker's notice, or the close of the connection. */
const shutdown = homeAssistantSetup.createStateConfig({
  initial: 'certain',
  states: {
    certain: { always: { guard: 'isAwaiting', target: 'awaiting' } },
    awaiting: {
      always: { guard: not('isAwaiting'), target: 'certain' },
      after: { shutdown: { target: 'certain', actions: { type: 'noteSign', params: { type: 'unconfirmed' } } } },
    },
  },
});

/** How long one answer serves all callers, whether or not the connection is held. */
const shared = homeAssistantSetup.createStateConfig({
  initial: 'none',
  states: {
    none: { always: { guard: 'hasShared', target: 'kept' } },
    kept: {
      always: { guard: not('hasShared'), target: 'none' },
      after: { shared: { target: 'none', actions: 'dropShared' } },
    },
  },
});

/**
 * The one connection to Home Assistant: open only while something needs it, measured while it is open; each attempt is
 * a new run of its driver, which subscribes again to what is watched.
 */
export const homeAssistantMachine = homeAssistantSetup.createMachine({
  id: 'home-assistant',
  context: ({ input }) => initialFacts(input),
  options: { maxIterations: 50 },
  initial: 'running',
  output: outcomeOf,
  states: {
    running: {
      type: 'parallel',
      invoke: [
        { id: 'needs', src: 'needs', onError: 'failed' },
        { id: 'store', src: 'store', onError: 'failed' },
      ],
      states: {
        link,
        lifecycle,
        shutdown,
        shared,
        settling: {
          initial: 'settling',
          states: { settling: { after: { settled: 'settled' } }, settled: { entry: 'endSettling' } },
        },
      },
    },
    failed: {
      type: 'final',
      entry: 'loseTurn',
      output: crashed({ needs: 'needs', store: 'store', connection: 'connection' }),
    },
  },
});
