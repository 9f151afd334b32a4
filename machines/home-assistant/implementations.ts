import { assign, emit, enqueueActions, sendTo } from 'xstate';

import { type Backoff, backoffDelay } from '../kit/backoff.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { endKindOf } from './end-kind.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  ExcessCommand,
  ExcessFact,
  HomeAssistantEvent,
  HomeAssistantMachineEmitted,
  HomeAssistantMachineEvent,
  NeedsFact,
  ReadOutcome,
  SampleOutcome,
  Unanswered,
} from './events.ts';
import { excessAfter, parkedFor } from './excess.ts';
import {
  afterAnswer,
  afterEnd,
  afterProbe,
  afterSign,
  type HomeAssistantFacts,
  isSameCredential,
  readOutcomeOf,
  takeNeeds,
  takeRequests,
  takeWatch,
  unheld,
  waitingOf,
} from './facts.ts';
import { BACK_ONLINE_MS, isAwaiting, type LifecycleSign, SHUTDOWN_MS, wasUnavailable } from './lifecycle.ts';
import { answeredBy, distinctOf, hasCapacityFor, isKept, isUnderWay, type Request, SHARED_MS } from './sharing.ts';
import { failedTurn, turnAfter } from './turn.ts';
import { TOPICS_PER_WATCHER, watchedOf, watchedTopics, WATCHERS } from './topics.ts';

type EventOf<T extends HomeAssistantMachineEvent['type']> = Extract<HomeAssistantMachineEvent, { readonly type: T }>;
type OfAttempt = { readonly generation: number };
type OfTurn = { readonly turn: number };
type OfRequest = { readonly requestId: string };
type Outcome = ReadOutcome | SampleOutcome;

/**
 * Wait between two attempts: 1 s doubled, at most 10 s, spread by half, so that many panels do not reconnect at once.
 */
const retryBackoff: Backoff = { firstMs: 1000, capMs: 10_000, jitter: 0.5 };
/** The middle of the jitter; the wiring brings real randomness. */
const NO_JITTER = 0.5;
/** A connection that held this long resets the back-off. */
const HELD_MS: Milliseconds = 30_000;
/** This many silent pings in a row end the connection: the verdict is severe by then. */
const SILENT_LIMIT = 2;

/** Wait before attempt `attempt` (1 is the first retry); `random` is in [0, 1). */
export const socketRetryDelay = (attempt: number, random: number): Milliseconds =>
  backoffDelay(retryBackoff, attempt, random);

const reply = (requestId: string, outcome: Outcome): ReplyEvent<Outcome> => ({ type: 'reply', requestId, outcome });
const refusal = (requestId: string, reason: Unanswered['reason']): ReplyEvent<Outcome> =>
  reply(requestId, { ok: false, reason });

/** Implementations of the machine: its actors, delays, guards and actions. */
export const homeAssistantSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as HomeAssistantFacts,
    events: {} as HomeAssistantMachineEvent,
    emitted: {} as HomeAssistantMachineEmitted,
    input: {} as Pick<HomeAssistantFacts, 'settleMs'>,
    output: {} as WorkerOutcome,
  },
  actors: {
    connection: placeholder<ConnectionCommand, ConnectionInput, ConnectionFact>(),
    needs: placeholder<HomeAssistantEvent, undefined, NeedsFact>(),
    store: placeholder<ExcessCommand, undefined, ExcessFact>(),
  },
  delays: {
    retry: ({ context }) => socketRetryDelay(context.attempt, NO_JITTER),
    /** The full length; the wiring subtracts the time that has passed. */
    parked: ({ context }) => (context.excess === null ? 0 : parkedFor(context.excess, 0)),
    held: HELD_MS,
    backOnline: BACK_ONLINE_MS,
    shutdown: SHUTDOWN_MS,
    shared: SHARED_MS,
    settled: ({ context }) => context.settleMs,
  },
  guards: {
    isWanted: ({ context }) => context.isRecalled && context.credential && context.reasons.length > 0,
    /** True if the panel would connect but for the back-off. */
    isParked: ({ context }) => context.isParked && context.credential && context.reasons.length > 0,
    isUnwanted: ({ context }) => !context.credential || context.reasons.length === 0,
    isOtherCredential: ({ context }, needs: EventOf<'needs.changed'>) => !isSameCredential(context, needs),
    isSameCredential: ({ context }, needs: EventOf<'needs.changed'>) => isSameCredential(context, needs),
    isCurrent: ({ context }, { generation }: OfAttempt) => generation === context.generation,
    isRefusedAgain: ({ context }, { generation, code }: EventOf<'socket.ended'>) =>
      generation === context.generation && endKindOf(code) === 'auth' && context.needsNewToken,
    isOfTurn: ({ context }, { generation, fact }: EventOf<'socket.turn'>) =>
      generation === context.generation && fact.turn === context.turn?.turn,
    isTurn: ({ context }, { turn }: OfTurn) => turn === context.turn?.turn,
    isSilent: ({ context }) => context.silent >= SILENT_LIMIT,
    /** True if Home Assistant answers although it counts as unavailable, or is unknown: its own answer is newer. */
    isBackUnheard: ({ context }, { answeredMs }: EventOf<'socket.probed'>) =>
      answeredMs !== null &&
      !context.isNative &&
      (wasUnavailable(context.lifecycle) || (context.watchesLifecycle && context.lifecycle === null)),
    isBackOnline: ({ context }) => context.lifecycle?.state === 'back_online',
    /** True while one half of an orderly shutdown waits for the other. */
    isAwaiting: ({ context }) => isAwaiting(context.lifecycle),
    /** True if an earlier answer serves this caller too. */
    isAnswered: ({ context }, request: Request) => isKept(request) && context.shared !== null,
    /** True if it waits for an answer that is under way already. */
    isJoining: ({ context }, request: Request) =>
      isUnderWay(context.requests, request) && hasCapacityFor(context.requests, request),
    hasShared: ({ context }) => context.shared !== null,
    hasCapacity: ({ context }, request: Request) => hasCapacityFor(context.requests, request),
    hasCredential: ({ context }) => context.credential,
    isBounded: ({ context }, { watcher, topics }: EventOf<'home-assistant.watch'>) =>
      topics.length <= TOPICS_PER_WATCHER &&
      (Object.hasOwn(context.watches, watcher) || Object.keys(context.watches).length < WATCHERS),
  },
  actions: {
    takeNeeds: assign(({ context }, fact: EventOf<'needs.changed'>) => takeNeeds(context, fact)),
    takeWatch: assign(({ context }, event: EventOf<'home-assistant.watch'>) => takeWatch(context, event)),
    takeRequest: assign(({ context }, request: Request) =>
      takeRequests(context, [...context.requests, waitingOf(request)]),
    ),
    dropRequest: assign(({ context }, { requestId }: OfRequest) =>
      takeRequests(
        context,
        context.requests.filter((waiting) => waiting.requestId !== requestId),
      ),
    ),
    refuseRequests: enqueueActions(
      ({ context, enqueue }, { reason }: { readonly reason: 'signed-out' | 'unreachable' }) => {
        for (const { requestId } of context.requests) enqueue.emit(refusal(requestId, reason));
      },
    ),
    dropRequests: assign(({ context }) => takeRequests(context, [])),
    refuseSignedOut: emit((_, { requestId }: OfRequest) => refusal(requestId, 'signed-out')),
    refuseUnreachable: emit((_, { requestId }: OfRequest) => refusal(requestId, 'unreachable')),
    refuseBusy: emit((_, { requestId }: OfRequest) => refusal(requestId, 'busy')),
    answerRead: enqueueActions(({ context, enqueue }, answer: EventOf<'socket.answered'>) => {
      const outcome = readOutcomeOf(answer);
      for (const { requestId } of answeredBy(context.requests, answer.requestId))
        enqueue.emit(reply(requestId, outcome));
    }),
    noteAnswer: assign(({ context }, answer: EventOf<'socket.answered'>) => afterAnswer(context, answer)),
    answerShared: enqueueActions(({ context, enqueue }, { requestId }: OfRequest) => {
      if (context.shared !== null) enqueue.emit(reply(requestId, context.shared));
    }),
    dropShared: assign({ shared: null }),
    answerSample: emit((_, { requestId, sample }: EventOf<'socket.sampled'>) =>
      sample === null ? refusal(requestId, 'unreachable') : reply(requestId, { ok: true, sample }),
    ),
    deliver: emit((_, { reading }: EventOf<'socket.read-out'>) => ({
      type: 'home-assistant.read-out' as const,
      reading,
    })),
    takeTurn: assign((_, { turn }: OfTurn) => ({ turn: { turn, isOver: false } })),
    sendTurn: sendTo('connection', (_, event: EventOf<'home-assistant.begin-turn'>): ConnectionCommand => ({
      ...event,
      type: 'socket.begin-turn',
    })),
    sendCancel: sendTo('connection', (_, { turn }: OfTurn): ConnectionCommand => ({
      type: 'socket.cancel-turn',
      turn,
    })),
    deliverTurn: emit((_, { fact }: EventOf<'socket.turn'>) => ({ type: 'home-assistant.turn' as const, fact })),
    noteTurn: assign(({ context }, { fact }: EventOf<'socket.turn'>) => ({
      turn: context.turn && turnAfter(context.turn, fact),
    })),
    failTurn: emit(({ context }, { turn, code }: OfTurn & { readonly code: 'unavailable' | 'signed-out' }) =>
      failedTurn(turn, code, context.lastProbedAt),
    ),
    /** A turn cannot be resumed over another connection. */
    loseTurn: enqueueActions(({ context: { turn, lastProbedAt }, enqueue }) => {
      if (turn?.isOver === false) enqueue.emit(failedTurn(turn.turn, 'unavailable', lastProbedAt));
      enqueue.assign({ turn: null });
    }),
    forgetTurn: assign({ turn: null }),

    beginAttempt: assign(({ context }) => ({ generation: context.generation + 1 })),
    welcome: assign((_, { generation, at, family, hearsEvents }: EventOf<'socket.live'>) => ({
      established: true,
      lastProbedAt: at,
      failure: null,
      needsNewToken: false,
      silent: 0,
      hearsEvents,
      route: { number: generation, family },
    })),
    sendWatches: sendTo('connection', ({ context }): ConnectionCommand => ({
      type: 'socket.watch',
      topics: watchedTopics(context.watches),
    })),
    changeWatch: enqueueActions(({ context, enqueue }, event: EventOf<'home-assistant.watch'>) => {
      const changed = takeWatch(context, event);
      // A topic that another watcher has already is not reported by itself.
      const known = watchedOf(context.watches, event.topics);
      enqueue.assign(changed);
      enqueue.sendTo('connection', {
        type: 'socket.watch',
        topics: watchedTopics(changed.watches ?? context.watches),
      } satisfies ConnectionCommand);
      if (known.length > 0)
        enqueue.sendTo('connection', { type: 'socket.renew', topics: known } satisfies ConnectionCommand);
    }),
    sendRequests: enqueueActions(({ context, enqueue }) => {
      for (const waiting of distinctOf(context.requests)) enqueue.sendTo('connection', waiting);
    }),
    sendRequest: sendTo('connection', (_, request: Request): ConnectionCommand => waitingOf(request)),
    askRunning: sendTo('connection', { type: 'socket.ask-running' }),
    noteSign: assign(({ context }, sign: LifecycleSign) => afterSign(context, sign)),
    noteProbe: assign(({ context }, probe: EventOf<'socket.probed'>) => afterProbe(context, probe)),
    noteEnd: assign(({ context }, ended: Pick<EventOf<'socket.ended'>, 'code' | 'at'>) => afterEnd(context, ended)),
    noteOverrun: enqueueActions(({ context, enqueue }, { code, moment }: EventOf<'socket.overrun'>) => {
      const excess = excessAfter(context.excess, code, moment);
      enqueue.assign({ excess, isParked: true });
      enqueue.sendTo('store', { type: 'excess.keep', excess } satisfies ExcessCommand);
    }),
    takeExcess: assign((_, { excess }: EventOf<'excess.recalled'>) => ({
      // Perhaps of another address.
      shared: null,
      excess,
      isRecalled: true,
      isParked: excess !== null,
    })),
    endPark: assign({ isParked: false }),
    endSettling: assign({ settling: false }),
    noteSilence: assign(({ context }) => ({
      attempt: context.attempt + 1,
      doubts: context.doubts + 1,
      failure: 'silent',
      route: null,
      silent: 0,
    })),
    resetBackoff: assign({ attempt: 0 }),
    forget: assign(unheld),
    forgetLifecycle: assign(({ context }) => ({ lifecycle: context.isNative ? context.lifecycle : null })),
  },
});
