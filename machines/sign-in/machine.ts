import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import type { SignInAnswer } from './events.ts';
import { initialFacts } from './facts.ts';
import { given } from './given.ts';
import { held } from './held.ts';
import { type RequestKind, signInSetup } from './implementations.ts';
import { replacedStart } from './judge-start.ts';

/** Reads what is stored with each change of the settings, and again a second after a reading failed. */
const reading = signInSetup.createStateConfig({
  initial: 'current',
  on: { 'settings.changed': { target: '.current', actions: 'readVault' } },
  states: {
    current: { on: { 'vault.unread': 'behind' } },
    behind: { after: { readAgain: { target: 'current', actions: 'readVault' } } },
  },
});

const credential = signInSetup.createStateConfig({
  initial: 'unknown',
  on: {
    'credential.changed': [
      {
        guard: withEvent('hasCredential'),
        target: '.held',
        actions: [{ type: 'refuseWaiting', params: { reason: 'unreachable' } }, withEvent('noteCredential'), 'judge'],
      },
      {
        guard: withEvent('hasAddress'),
        target: '.none.looking',
        actions: [{ type: 'refuseWaiting', params: { reason: 'unreachable' } }, withEvent('noteCredential'), 'judge'],
      },
      {
        target: '.none',
        actions: [{ type: 'refuseWaiting', params: { reason: 'unreachable' } }, withEvent('noteCredential'), 'judge'],
      },
    ],
  },
  states: {
    unknown: {
      on: {
        'sign-in.token': {
          actions: {
            type: 'refuseToken',
            params: ({ event }) => ({ requestId: event.requestId, reason: 'unreachable' as const }),
          },
        },
      },
    },
    none: {
      initial: 'unaddressed',
      on: {
        'sign-in.token': {
          actions: {
            type: 'refuseToken',
            params: ({ event }) => ({ requestId: event.requestId, reason: 'none' as const }),
          },
        },
      },
      states: {
        unaddressed: {},
        // Probed so that the page can warn before anyone signs in at an address that does not answer.
        looking: {
          invoke: { id: 'look', src: 'look', onError: '#sign-in.failed' },
          on: { 'address.looked': { target: 'pausing', actions: withEvent('noteLook') } },
        },
        pausing: { after: { lookAgain: 'looking' } },
      },
    },
    held,
  },
});

const attempt = signInSetup.createStateConfig({
  initial: 'closed',
  on: {
    // A newer attempt replaces the one before, and its ten minutes begin again.
    'attempt.opened': { target: '.open', actions: [withEvent('openAttempt'), 'judge'] },
    'attempt.closed': { target: '.closed', actions: [withEvent('closeAttempt'), 'judge'] },
  },
  states: {
    closed: {},
    open: {
      on: {
        'attempt.returned': 'exchanging',
        // The close of an older attempt, which came back before this one was opened, is ignored.
        'attempt.closed': { guard: withEvent('hasOutcome') },
      },
      after: {
        attempt: { target: 'closed', actions: [{ type: 'closeAttempt', params: { outcome: 'expired' } }, 'judge'] },
      },
    },
    exchanging: {},
  },
});

interface Asked {
  readonly event: { readonly requestId: string };
}

/** The answer to a request while too many are under way. */
const crowded = (outcome: SignInAnswer) =>
  ({
    guard: 'isCrowded',
    actions: { type: 'answer', params: ({ event }: Asked) => ({ requestId: event.requestId, outcome }) },
  }) as const;
/** Which machine serves a request. */
const named =
  (src: RequestKind) =>
  ({ event }: Asked) => ({ src, requestId: event.requestId });

/**
 * The sign-in to Home Assistant, in four regions: `reading` reads what is stored again after a change; `credential`
 * is the one in force with its access tokens; `attempt` is the open link of a person who signs in; `given` is a
 * password that was handed over at the start. `look` probes an address, `doubts` reports that a connection was
 * refused its token, and the vault carries out what needs a secret, for one machine per request. The drivers hold
 * all secrets; events carry some of them, and no context keeps one.
 */
export const signInMachine = signInSetup.createMachine({
  id: 'sign-in',
  context: initialFacts,
  initial: 'live',
  output: outcomeOf,
  states: {
    live: {
      type: 'parallel',
      invoke: [
        { id: 'vault', src: 'vault', onError: 'failed' },
        { id: 'settings', src: 'settings', onError: 'failed' },
        { id: 'doubts', src: 'doubts', onError: 'failed' },
      ],
      on: {
        'sign-in.start': [
          crowded(replacedStart),
          { actions: [{ type: 'begin', params: named('start') }, withEvent('tellVault')] },
        ],
        'sign-in.callback': [
          crowded({ outcome: 'unreachable' }),
          { actions: [{ type: 'begin', params: named('callback') }, withEvent('tellVault')] },
        ],
        'sign-in.sign-out': [
          crowded({ status: 'commit-failed' }),
          { actions: [withEvent('tellVault'), { type: 'begin', params: named('signOut') }] },
        ],
        'sign-in.leave': { actions: withEvent('tellVault') },
        'sign-in.by-password': { actions: withEvent('tellVault') },
        'command.issued': { actions: withEvent('passCommand') },
        'step.finished': { actions: withEvent('passResult') },
        'request.ended': { actions: withEvent('endRequest') },
        'sign-in.answered': { actions: withEvent('answer') },
        'settings.taken': { actions: withEvent('noteSettings') },
      },
      states: { reading, credential, attempt, given },
    },
    failed: { type: 'final', output: crashed('sign-in-vault') },
  },
});
