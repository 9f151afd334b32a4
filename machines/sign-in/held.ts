import { withEvent } from '../kit/with-event.ts';
import { signInSetup } from './implementations.ts';

/** Requests that arrive while a renewal is under way get its outcome. */
const renewal = signInSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      on: {
        'token.asked': [
          { guard: withEvent('servesRequest'), actions: withEvent('giveToken') },
          { target: 'renewing', actions: withEvent('wait') },
        ],
        'renewal.due': 'renewing',
      },
    },
    renewing: {
      entry: 'renew',
      on: {
        'token.asked': [
          { guard: withEvent('servesRequest'), actions: withEvent('giveToken') },
          { actions: withEvent('wait') },
        ],
        'token.ready': { target: 'idle', actions: ['giveWaiting', 'clearWaiting'] },
        'token.unreachable': {
          target: 'idle',
          actions: [
            withEvent('giveInNeed'),
            withEvent('keepWaitingUnserved'),
            { type: 'refuseWaiting', params: { reason: 'unreachable' } },
            'clearWaiting',
          ],
        },
      },
    },
  },
});

/** When the access token is renewed without a request; a long-lived one never is. */
const schedule = signInSetup.createStateConfig({
  initial: 'unset',
  on: {
    'token.ready': [
      { guard: 'isOauth', target: '.set', actions: [withEvent('noteReached'), withEvent('scheduleRenewal')] },
      { actions: withEvent('noteReached') },
    ],
    'token.unreachable': { actions: withEvent('noteLost') },
  },
  states: {
    unset: {},
    set: { after: { renewal: 'due' } },
    due: {
      entry: 'wantRenewal',
      on: { 'token.unreachable': { target: 'set', actions: [withEvent('noteLost'), 'renewAgainSoon'] } },
    },
  },
});

/** A short connection reads who is signed in, and again after each doubt about the credential. */
const connection = signInSetup.createStateConfig({
  initial: 'asking',
  states: {
    asking: {
      entry: 'askForConnection',
      on: {
        'connection.asked': [
          { guard: withEvent('servesConnection'), target: 'open', actions: 'openConnection' },
          { actions: 'wantRenewal' },
        ],
        'token.ready': { target: 'open', actions: 'openConnection' },
        'token.unreachable': [
          { guard: withEvent('servesInNeed'), target: 'open', actions: 'openConnection' },
          { target: 'pausing', actions: { type: 'countTry', params: { needsNewToken: false } } },
        ],
      },
    },
    open: {
      on: {
        'user.read': { actions: withEvent('noteUser') },
        'connection.ended': [
          { guard: withEvent('isDone'), target: 'known', actions: 'startWaitsAnew' },
          {
            guard: withEvent('isRefusedForGood'),
            target: '#refused',
            actions: [
              { type: 'refuseWaiting', params: { reason: 'refused' } },
              withEvent('noteRefusal'),
              'dropToken',
              'judge',
            ],
          },
          // The connection also ends when the credential is revoked; only a renewal shows that.
          {
            guard: withEvent('mayBeRevoked'),
            target: 'verifying',
            actions: { type: 'countTry', params: { needsNewToken: false } },
          },
          {
            guard: withEvent('isUnreachable'),
            target: 'pausing',
            actions: [withEvent('noteLost'), { type: 'countTry', params: { needsNewToken: false } }],
          },
          {
            target: 'pausing',
            actions: { type: 'countTry', params: ({ event }) => ({ needsNewToken: event.end === 'refused' }) },
          },
        ],
      },
    },
    known: { on: { 'credential.doubted': 'verifying' } },
    verifying: {
      entry: 'wantRenewal',
      on: { 'token.ready': 'pausing', 'token.unreachable': 'pausing' },
    },
    pausing: { after: { reconnection: 'asking' } },
  },
});

/** There is a credential: it keeps access tokens fresh, or Home Assistant refused it. */
export const held = signInSetup.createStateConfig({
  invoke: { id: 'tokens', src: 'tokens', onError: '#sign-in.failed' },
  initial: 'inForce',
  states: {
    inForce: {
      type: 'parallel',
      on: {
        'sign-in.token': { actions: withEvent('askForToken') },
        'token.refused': {
          target: 'refused',
          actions: [
            { type: 'refuseWaiting', params: { reason: 'refused' } },
            withEvent('noteRefusal'),
            'dropToken',
            'judge',
          ],
        },
      },
      states: { renewal, schedule: { id: 'schedule', ...schedule }, connection },
    },
    refused: {
      id: 'refused',
      initial: 'waiting',
      on: {
        'sign-in.token': {
          actions: {
            type: 'refuseToken',
            params: ({ event }) => ({ requestId: event.requestId, reason: 'refused' as const }),
          },
        },
      },
      states: {
        // A long-lived token stays refused: each try would count as a failed login at Home Assistant.
        waiting: { after: { refusedAgain: { guard: 'isOauth', target: 'retrying' } } },
        retrying: {
          entry: 'renew',
          on: {
            'token.ready': {
              target: '#schedule.set',
              actions: [withEvent('noteReturn'), withEvent('scheduleRenewal'), 'judge'],
            },
            'token.unreachable': 'waiting',
            'token.refused': 'waiting',
          },
        },
      },
    },
  },
});
