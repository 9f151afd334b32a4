import { assign, emit, enqueueActions, type EventObject, raise, sendTo } from 'xstate';

import { shownFailure } from '../kit/certificate.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import {
  type AnsweredFact,
  ATTEMPT_MS,
  type DoubtFact,
  type LookFact,
  type SettingsFact,
  type SignInAnswer,
  type SignInContext,
  type TokenOutcome,
  type TokensCommand,
  type TokensFact,
  type VaultCommand,
  type VaultFact,
} from './events.ts';
import {
  endPassword,
  failureAfter,
  losePassword,
  noteLookAt,
  refuseCredential,
  replaceCredential,
  type SignInFacts,
  type SignInMachineEvent,
} from './facts.ts';
import { maySendAgain } from './password.ts';
import { phaseOf } from './phase.ts';
import { callbackMachine, passwordMachine, signOutMachine, startMachine } from './requests/machine.ts';
import { isFresh, isLastResort, reconnectDelay, REFUSED_AGAIN_MS, RENEW_AGAIN_MS, renewIn } from './token-times.ts';

type EventOf<T extends SignInMachineEvent['type']> = Extract<SignInMachineEvent, { readonly type: T }>;
type Refusal = Extract<TokenOutcome, { readonly ok: false }>['reason'];
/** The machine that serves a request. */
export type RequestKind = 'start' | 'callback' | 'signOut';
/** How long the driver's token is still valid; null without one. */
interface Left {
  readonly leftMs: Milliseconds | null;
}

/** Wait before the store is read again after it did not answer. */
const READ_AGAIN_MS: Milliseconds = 1000;
/** Wait before the next look at the address: a failing one may be under repair, a working one seldom changes. */
const LOOK_AGAIN_MS = { failed: 15_000, answered: 300_000 } as const satisfies Readonly<Record<string, Milliseconds>>;
/** Most requests at once; each takes 25 s at most, and a machine may have 100 children. */
const MOST_REQUESTS = 64;
/** The middle of the jitter; the wiring provides randomness. */
const NO_JITTER = 0.5;

const refusal = (requestId: string, reason: Refusal): ReplyEvent<SignInAnswer> => ({
  type: 'reply',
  requestId,
  outcome: { ok: false, reason },
});

/** The actors, delays, guards and actions of the sign-in. */
export const signInSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SignInFacts,
    events: {} as SignInMachineEvent,
    output: {} as WorkerOutcome,
    emitted: {} as ReplyEvent<SignInAnswer>,
  },
  actors: {
    vault: placeholder<VaultCommand, undefined, VaultFact>(),
    // They take their steps through the vault and touch nothing themselves, so they need no placeholder.
    start: startMachine,
    callback: callbackMachine,
    signOut: signOutMachine,
    password: passwordMachine,
    tokens: placeholder<TokensCommand, undefined, TokensFact>(),
    settings: placeholder<EventObject, undefined, SettingsFact>(),
    /** Reports when another part's connection casts doubt on the credential. */
    doubts: placeholder<EventObject, undefined, DoubtFact>(),
    /** Checks once that Home Assistant answers at the address that is set. */
    look: placeholder<EventObject, undefined, LookFact>(),
  },
  delays: {
    attempt: ATTEMPT_MS,
    readAgain: READ_AGAIN_MS,
    renewal: ({ context }) => context.renewInMs,
    refusedAgain: REFUSED_AGAIN_MS,
    lookAgain: ({ context }) => LOOK_AGAIN_MS[context.look?.status ?? 'failed'],
    reconnection: ({ context }) => reconnectDelay(context.tries, NO_JITTER),
    passwordAgain: ({ context }) => reconnectDelay(context.passwordTries, NO_JITTER),
  },
  guards: {
    hasCredential: (_, { method }: EventOf<'credential.changed'>) => method !== null,
    hasAddress: (_, { hasAddress }: EventOf<'credential.changed'>) => hasAddress,
    isSignedIn: ({ context }) => context.credential === 'kept' || context.credential === 'refused',
    needsSignIn: ({ context }) => context.credential === 'none' && context.hasAddress,
    isSentInVain: ({ context }, { sent }: EventOf<'password.unreachable'>) =>
      !maySendAgain(context.passwordSends + (sent ? 1 : 0)),
    isStale: (_, { isStale }: EventOf<'password.held'>) => isStale,
    isCrowded: ({ context }) => context.requests >= MOST_REQUESTS,
    hasOutcome: (_, { outcome }: EventOf<'attempt.closed'>) => outcome !== null,
    isOauth: ({ context }) => context.method === 'oauth',
    servesRequest: (_, { leftMs, force }: EventOf<'token.asked'>) => isFresh(leftMs, force),
    servesConnection: ({ context }, { leftMs }: Left) => isFresh(leftMs, context.needsNewToken),
    servesInNeed: ({ context }, { leftMs }: Left) => isLastResort(leftMs, context.needsNewToken),
    isRefusedForGood: ({ context }, { end }: EventOf<'connection.ended'>) =>
      end === 'refused' && context.method === 'long-lived',
    mayBeRevoked: ({ context }, { end }: EventOf<'connection.ended'>) => end === 'closed' && context.method === 'oauth',
    isDone: (_, { end }: EventOf<'connection.ended'>) => end === 'done',
    isUnreachable: (_, { end }: EventOf<'connection.ended'>) => end === 'unreachable',
  },
  actions: {
    tellVault: sendTo('vault', (_, command: VaultCommand) => command),
    begin: enqueueActions(
      ({ context, enqueue }, { src, requestId }: { readonly src: RequestKind; readonly requestId: string }) => {
        enqueue.spawnChild(src, { id: requestId, input: { requestId } });
        enqueue.assign({ requests: context.requests + 1 });
      },
    ),
    passCommand: sendTo('vault', (_, { command }: EventOf<'command.issued'>) => command),
    passResult: sendTo(
      (_, { requestId }: EventOf<'step.finished'>) => requestId,
      (_, { result }: EventOf<'step.finished'>) => result,
    ),
    endRequest: enqueueActions(({ context, enqueue }, { requestId }: EventOf<'request.ended'>) => {
      enqueue.stopChild(requestId);
      enqueue.sendTo('vault', { type: 'request.forget', requestId });
      enqueue.assign({ requests: context.requests - 1 });
    }),
    readVault: sendTo('vault', { type: 'vault.read' }),
    answer: emit((_, { requestId, outcome }: Omit<AnsweredFact, 'type'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
    refuseToken: emit((_, { requestId, reason }: { readonly requestId: string; readonly reason: Refusal }) =>
      refusal(requestId, reason),
    ),

    askForToken: sendTo('tokens', (_, { requestId, force }: EventOf<'sign-in.token'>) => ({
      type: 'token.ask' as const,
      requestId,
      force,
    })),
    giveToken: sendTo('tokens', (_, { requestId }: EventOf<'token.asked'>) => ({
      type: 'token.give' as const,
      requestIds: [requestId],
    })),
    wait: assign(({ context }, { requestId, force }: EventOf<'token.asked'>) => ({
      waiting: [...context.waiting, { requestId, force }],
    })),
    giveWaiting: sendTo('tokens', ({ context }) => ({
      type: 'token.give' as const,
      requestIds: context.waiting.map(({ requestId }) => requestId),
    })),
    giveInNeed: sendTo('tokens', ({ context }, { leftMs }: Left) => ({
      type: 'token.give' as const,
      requestIds: context.waiting.filter(({ force }) => isLastResort(leftMs, force)).map(({ requestId }) => requestId),
    })),
    keepWaitingUnserved: assign(({ context }, { leftMs }: Left) => ({
      waiting: context.waiting.filter(({ force }) => !isLastResort(leftMs, force)),
    })),
    refuseWaiting: enqueueActions(({ context, enqueue }, { reason }: { readonly reason: Refusal }) => {
      for (const { requestId } of context.waiting) enqueue.emit(refusal(requestId, reason));
    }),
    clearWaiting: assign({ waiting: [] }),

    renew: sendTo('tokens', { type: 'token.renew' }),
    wantRenewal: raise({ type: 'renewal.due' }),
    dropToken: sendTo('tokens', { type: 'token.drop' }),
    scheduleRenewal: assign((_, { leftMs }: EventOf<'token.ready'>) => ({ renewInMs: renewIn(leftMs) })),
    renewAgainSoon: assign({ renewInMs: RENEW_AGAIN_MS }),

    askForConnection: sendTo('tokens', { type: 'connection.ask' }),
    openConnection: sendTo('tokens', { type: 'connection.open' }),
    countTry: assign(({ context }, params: { readonly needsNewToken: boolean }) => ({
      tries: context.tries + 1,
      needsNewToken: params.needsNewToken,
    })),
    startWaitsAnew: assign({ tries: 0 }),

    noteSettings: assign((_, { revision }: EventOf<'settings.taken'>) => ({ settingsRevision: revision })),
    noteCredential: assign(({ context }, fact: EventOf<'credential.changed'>) => replaceCredential(context, fact)),
    noteRefusal: assign(({ context }, { at }: { readonly at: number }) => refuseCredential(context, at)),
    noteReturn: assign(({ context }, { at }: EventOf<'token.ready'>) => ({
      ...replaceCredential(context, { hasAddress: true, method: 'oauth', at }),
      reachable: true,
    })),
    noteUser: assign((_, { displayName, administrator, at }: EventOf<'user.read'>) => ({
      displayName,
      administrator,
      reachable: true,
      failure: null,
      at,
    })),
    noteReached: assign((_, { at }: EventOf<'token.ready'>) => ({ reachable: true, failure: null, at })),
    noteLost: assign((_, { code, at }: { readonly code: string | null; readonly at: number }) => ({
      reachable: false,
      failure: code === null ? null : shownFailure(code),
      at,
    })),

    noteLook: assign((_, fact: LookFact) => noteLookAt(fact)),

    openAttempt: assign((_, { until }: EventOf<'attempt.opened'>) => ({ attemptOpen: true, attemptUntil: until })),
    closeAttempt: assign(({ context }, { outcome }: { readonly outcome: SignInContext['lastOutcome'] }) => ({
      attemptOpen: false,
      attemptUntil: null,
      lastOutcome: outcome ?? context.lastOutcome,
      failure: failureAfter(context, outcome),
    })),
    tryPassword: enqueueActions(({ context, enqueue }) => {
      // An older attempt may still be under way.
      const requestId = `password-${context.passwordAttempts + 1}`;
      enqueue.spawnChild('password', { id: requestId, input: { requestId } });
      enqueue.assign({ passwordAttempts: context.passwordAttempts + 1, requests: context.requests + 1 });
    }),
    forgetPassword: sendTo('vault', { type: 'password.forget' }),
    takePassword: assign({ password: 'held', passwordTries: 0, passwordSends: 0 }),
    // Between retries it stays `unreachable`.
    notePasswordTry: assign(({ context }) => ({
      password: context.password === 'unreachable' ? ('unreachable' as const) : ('trying' as const),
    })),
    notePasswordLost: assign(({ context }, fact: EventOf<'password.unreachable'>) => losePassword(context, fact)),
    notePasswordEnd: assign(({ context }, { outcome }: Pick<EventOf<'password.ended'>, 'outcome'>) =>
      endPassword(context, outcome),
    ),
    dropPassword: assign({ password: 'none' }),

    judge: assign(({ context }) => ({ phase: phaseOf(context) })),
  },
});
