import { assign, emit, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import {
  ATTEMPT_MS,
  type KeeperCommand,
  type KeeperFact,
  type SignInAnswer,
  type SignInContext,
  type SignInEvent,
} from './events.ts';
import { phaseOf, type Standing } from './phase.ts';

/** Facts of the sign-in with what its phase is decided from. */
export interface SignInFacts extends SignInContext, Standing {}

const facts: SignInFacts = {
  phase: 'no-address',
  method: null,
  displayName: null,
  administrator: null,
  reachable: null,
  attemptUntil: null,
  lastOutcome: null,
  revision: 0,
  at: null,
  hasAddress: false,
  credential: null,
  attemptOpen: false,
};

const nobody = { displayName: null, administrator: null, reachable: null } as const;

/**
 * The sign-in to the platform: what is known of the credential and of the open attempt. Tokens never enter it but in
 * replies.
 */
export const signInMachine = setup({
  types: {
    context: {} as SignInFacts,
    events: {} as SignInEvent | KeeperFact,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<SignInAnswer>,
  },
  actors: { keeper: placeholder<KeeperCommand, undefined, KeeperFact>() },
  delays: { attempt: ATTEMPT_MS },
  actions: {
    pass: sendTo('keeper', (_, command: KeeperCommand) => command),
    reply: emit((_, answer: { readonly requestId: string; readonly outcome: SignInAnswer }) => ({
      type: 'reply' as const,
      ...answer,
    })),
    noteCredential: assign(({ context }, fact: Extract<KeeperFact, { type: 'credential.changed' }>) => ({
      ...nobody,
      hasAddress: fact.hasAddress,
      credential: fact.method === null ? ('none' as const) : ('kept' as const),
      method: fact.method,
      revision: context.revision + 1,
      at: fact.at,
    })),
    noteRefusal: assign(({ context }, at: number) => ({
      ...nobody,
      credential: 'refused' as const,
      reachable: true,
      revision: context.revision + 1,
      at,
    })),
    noteUser: assign((_, { displayName, administrator, at }: Extract<KeeperFact, { type: 'user.read' }>) => ({
      displayName,
      administrator,
      at,
    })),
    noteReach: assign((_, reach: { readonly reachable: boolean; readonly at: number }) => reach),
    openAttempt: assign((_, until: number) => ({ attemptOpen: true, attemptUntil: until })),
    closeAttempt: assign(({ context }, outcome: SignInContext['lastOutcome']) => ({
      attemptOpen: false,
      attemptUntil: null,
      lastOutcome: outcome ?? context.lastOutcome,
    })),
    judge: assign(({ context }) => ({ phase: phaseOf(context) })),
  },
}).createMachine({
  id: 'sign-in',
  context: facts,
  initial: 'live',
  on: { 'sign-in.stop': '.stopped' },
  output: outcomeOf,
  states: {
    live: {
      type: 'parallel',
      states: {
        keeping: {
          invoke: { id: 'keeper', src: 'keeper', onError: '#sign-in.failed' },
          on: {
            'sign-in.start': { actions: { type: 'pass', params: ({ event }) => event } },
            'sign-in.callback': { actions: { type: 'pass', params: ({ event }) => event } },
            'sign-in.token': { actions: { type: 'pass', params: ({ event }) => event } },
            'sign-in.sign-out': { actions: { type: 'pass', params: ({ event }) => event } },
            'keeper.answered': {
              actions: {
                type: 'reply',
                params: ({ event }) => ({ requestId: event.requestId, outcome: event.outcome }),
              },
            },
            'credential.changed': { actions: [{ type: 'noteCredential', params: ({ event }) => event }, 'judge'] },
            'credential.refused': { actions: [{ type: 'noteRefusal', params: ({ event }) => event.at }, 'judge'] },
            'user.read': { actions: { type: 'noteUser', params: ({ event }) => event } },
            'platform.reached': {
              actions: { type: 'noteReach', params: ({ event }) => ({ reachable: true, at: event.at }) },
            },
            'platform.lost': {
              actions: { type: 'noteReach', params: ({ event }) => ({ reachable: false, at: event.at }) },
            },
          },
        },
        attempt: {
          initial: 'closed',
          on: {
            'attempt.closed': {
              target: '.closed',
              actions: [{ type: 'closeAttempt', params: ({ event }) => event.outcome }, 'judge'],
            },
          },
          states: {
            closed: {
              on: {
                'attempt.opened': {
                  target: 'open',
                  actions: [{ type: 'openAttempt', params: ({ event }) => event.until }, 'judge'],
                },
              },
            },
            open: {
              // Entered anew by itself alone: from its region, the keeper beside it would be started anew too.
              on: {
                'attempt.opened': {
                  target: 'open',
                  reenter: true,
                  actions: [{ type: 'openAttempt', params: ({ event }) => event.until }, 'judge'],
                },
              },
              after: { attempt: { target: 'closed', actions: [{ type: 'closeAttempt', params: 'expired' }, 'judge'] } },
            },
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('sign-in-keeper') },
  },
});
