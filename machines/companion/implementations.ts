import { assign, emit, enqueueActions, type EventObject, raise, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent } from '../kit/fault.ts';
import type { WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import type {
  BridgeCommand,
  BridgeFact,
  CompanionEvent,
  CompanionMachineEvent,
  CompanionReply,
  FollowedFact,
  KeysCommand,
  KeysFact,
  PairingAnswered,
  SessionCommand,
  SessionFact,
} from './events.ts';
import {
  beginPairing,
  closeSession,
  type CompanionFacts,
  endPairing,
  withHappened,
  notePhase,
  noteRefused,
  noteRenewed,
  objectionTo,
  openSession,
  takeKeys,
  takeWanted,
  type Wanted,
} from './facts.ts';
import { RELOAD_MS } from './home-life.ts';
import { type MoveCode, type MoveOutcome, noMemory, type Surface } from './move.ts';
import * as moving from './moving.ts';
import { PAIRINGS_WITHIN_MS } from './pairing-limit.ts';

type Session<T extends SessionFact['type']> = Extract<SessionFact, { readonly type: T }>;
type Keys<T extends KeysFact['type']> = Extract<KeysFact, { readonly type: T }>;
type Event<T extends CompanionEvent['type']> = Extract<CompanionEvent, { readonly type: T }>;
type EndCommand = Extract<SessionCommand, { readonly type: 'pairing.end' }>;
type Outcome = EndCommand['outcome'];

/** A pairing's number passes this long after it was asked for, and counts no more. */
interface PairingAged {
  readonly type: 'pairing.aged';
  readonly pairing: number;
}

/** The surface in force is another one now. */
interface SurfaceMoved {
  readonly type: 'surface.moved';
}
type Moved = Session<'session.moved'>;
interface Withdrew {
  readonly output: moving.Withdrawn;
}
/** The code of why it was not done; null if it was. */
interface Attempted {
  readonly output: string | null;
}

/** For Home Assistant to read what the owner chose there, and to release its entities: it reads its own registry. */
const PREPARE_MS: Milliseconds = 10_000;
/** For it to apply the choices: longer than the 30 s after which it gives up on entities that do not come. */
const APPLY_MS: Milliseconds = 40_000;
/** Before a withdrawal is tried again whose setting is saved already. */
const AGAIN_MS: Milliseconds = 5000;
/** Most keys of offered rows that are stored (as `announced` of the publisher). */
const OFFERED = 300;
/** How often keys of long sessions are looked at. */
const REVIEW_MS: Milliseconds = 24 * 3_600_000;
/** How long an approval waits for the digits: its question says that they come first. */
const DIGITS_MS: Milliseconds = 60_000;
/** Bound of the farewell: Home Assistant reads it within milliseconds. */
const FAREWELL_MS: Milliseconds = 300;

/** What Home Assistant answers to a step. */
const awaited: ReadonlyMap<unknown, Moved['step']> = new Map([
  ['prepare', 'prepared'],
  ['release', 'released'],
  ['apply', 'applied'],
]);

const answerTo = (requestId: string, outcome: MoveOutcome): CompanionReply => ({ type: 'reply', requestId, outcome });

const endOf = (pairing: number, outcome: Outcome): EndCommand => ({ type: 'pairing.end', pairing, outcome });

/** Implementations of the machine: its actors, delays, guards and actions. */
export const companionSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as CompanionFacts,
    events: {} as CompanionMachineEvent | PairingAged | SurfaceMoved,
    emitted: {} as FaultEvent | CompanionReply,
    output: {} as WorkerOutcome,
  },
  actors: {
    sessions: placeholder<SessionCommand, undefined, SessionFact>(),
    keys: placeholder<KeysCommand, undefined, KeysFact>(),
    follower: placeholder<EventObject, undefined, FollowedFact>(),
    question: placeholder<EventObject, { readonly digits: string; readonly name: string }, PairingAnswered>(),
    bridge: placeholder<BridgeCommand, undefined, BridgeFact>(),
    /** Withdraws the entities from the broker. If something is left that may not be, they are announced again. */
    withdraw: promisePlaceholder<moving.Withdrawn, { readonly leave: boolean }>(),
    /** Saves the setting; the entities are announced again where they are to go through the broker. */
    commit: promisePlaceholder<string | null, { readonly to: Surface }>(),
    /** Asks at the panel, in Hardened mode, about a move that a person in Home Assistant wants; null if it may. */
    consent: promisePlaceholder<string | null, { readonly clientId: string; readonly to: Surface }>(),
  },
  delays: {
    review: REVIEW_MS,
    reload: RELOAD_MS,
    digits: DIGITS_MS,
    farewell: FAREWELL_MS,
    prepare: PREPARE_MS,
    apply: APPLY_MS,
    again: AGAIN_MS,
    pairingAge: PAIRINGS_WITHIN_MS,
  },
  guards: {
    hasSession: ({ context }) => context.sessions.length > 0,
    hasBridgeWork: ({ context }) => context.sessions.length > 0 && context.surface !== null,
    isHeld: ({ context }) => context.life === 'held',
    mayPair: ({ context }, wanted: Wanted) => objectionTo(context, wanted) === null,
    isOfPairing: ({ context }, { pairing }: { readonly pairing: number }) => context.pairing?.pairing === pairing,
    isConfirmed: ({ context }) => context.pairing?.isConfirmed === true,
    isApproved: (_, { answer }: PairingAnswered) => answer === 'approved',
    isApprovedLast: ({ context }, { answer }: PairingAnswered) =>
      answer === 'approved' && context.pairing?.isConfirmed === true,

    knowsSurface: ({ context }) => context.wanted !== null && context.memory !== null,
    isToApply: ({ context }) => moving.isToApply(context),
    isReleased: ({ context }) => moving.isReleased(context),
    isAsWanted: ({ context }) => context.surface === context.wanted,
    isAtSurface: ({ context }, { to }: { readonly to: Surface }) => context.surface === to,
    isElsewhere: ({ context }, { to }: { readonly to: Surface }) => context.surface !== to,
    lacksSession: ({ context }, { to, dryRun }: Event<'companion.move'>) =>
      to === 'native' && !dryRun && context.sessions.length === 0,
    hasLostLastKey: ({ context }) =>
      context.surface === 'native' && context.hadClients && context.clients?.length === 0 && context.hasBroker,
    /** True for the answer to the step under way; a late one of another move changes nothing. */
    isOfMove: ({ context }, { to, step }: Moved) =>
      context.move?.to === to && step === awaited.get(context.moving?.step),
    isFailedMove: ({ context }, { to, step }: Moved) => context.move?.to === to && step === 'failed',
    isKept: (_, { failure }: Keys<'memory.kept'>) => failure === null,
    isFailedForced: ({ context }, { to, step }: Moved) =>
      context.move?.to === to && step === 'failed' && moving.isForced(context),
    isKeptToNative: ({ context }, { failure }: Keys<'memory.kept'>) =>
      failure === null && context.move?.to === 'native',
    isDryRun: ({ context }) => context.move?.dryRun === true,
    isLate: ({ context }, { to, step }: Moved) =>
      moving.isUnapplied(context) && to === context.surface && (step === 'applied' || step === 'failed'),
    isForced: ({ context }) => moving.isForced(context),
    isToNative: ({ context }) => context.move?.to === 'native',
    isPrepared: ({ context }) => context.move?.isPrepared === true,
    isBySetting: ({ context }) => context.move?.cause === 'setting',
    mayLeave: ({ context }, { output }: Withdrew) => output.status !== 'left' || context.move?.leave === true,
    isDone: (_, { output }: Attempted) => output === null,
    isLeaving: ({ context }, { to, leave, dryRun }: Event<'companion.move'>) =>
      leave && !dryRun && to === context.move?.to,
    hasAll: ({ context }, { announced }: Extract<BridgeFact, { readonly type: 'catalogue.sent' }>) =>
      announced.every(({ key }) => context.memory?.offered.includes(key) === true),
  },
  actions: {
    takeKeys: assign(({ context }, known: Keys<'keys.known'>) => takeKeys(context, known)),
    /** The last key is gone, and the broker gets the entities: Home Assistant lets go of them, and of their ids. */
    leaveLast: enqueueActions(({ context, enqueue }, { clients }: Keys<'keys.known'>) => {
      const { surface, hadClients, hasBroker, sessions } = context;
      if (clients.length > 0 || surface !== 'native' || !hadClients || !hasBroker || sessions.length === 0) return;
      enqueue.sendTo('sessions', { type: 'sessions.end', reason: 'moved' } satisfies SessionCommand);
    }),
    passKeys: sendTo('sessions', (_, { keys }: Keys<'keys.known'>): SessionCommand => ({
      type: 'sessions.keys',
      keys,
    })),
    takeWanted: assign((_, fact: Extract<FollowedFact, { readonly type: 'surface.changed' }>) => takeWanted(fact)),
    takeMemory: assign((_, { memory }: Keys<'memory.known'>) => ({ memory })),
    noteNamed: assign({ isNamed: true }),
    passName: sendTo(
      'sessions',
      (_, { panel }: Extract<FollowedFact, { readonly type: 'panel.named' }>): SessionCommand => ({
        type: 'sessions.panel',
        panel,
      }),
    ),
    passSurface: enqueueActions(({ context, enqueue }) => {
      const { surface, memory } = context;
      if (surface === null) return;
      const offered = memory?.offered ?? [];
      enqueue.sendTo('bridge', { type: 'bridge.surface', surface, offered } satisfies BridgeCommand);
    }),

    openSession: assign(({ context }, opened: Session<'session.opened'>) => openSession(context, opened)),
    noteUse: sendTo('keys', (_, { keyId, at }: Session<'session.opened'>): KeysCommand => ({
      type: 'keys.used',
      keyId,
      at,
    })),
    /** A session that opens with a prepared key proves that Home Assistant has it. */
    promoteOpened: enqueueActions(({ context, enqueue }, { keyId }: Session<'session.opened'>) => {
      const isPrepared = context.clients?.some(({ nextKeyId }) => nextKeyId === keyId) === true;
      if (isPrepared) enqueue.sendTo('keys', { type: 'keys.promote', keyId } satisfies KeysCommand);
    }),
    notePhase: assign(({ context }, fact: Session<'session.phase'>) => notePhase(context, fact)),
    noteEndOfUse: enqueueActions(({ context, enqueue }, { session, at }: Session<'session.closed'>) => {
      const of = context.sessions.find((one) => one.session === session);
      if (of !== undefined) enqueue.sendTo('keys', { type: 'keys.used', keyId: of.keyId, at } satisfies KeysCommand);
    }),
    /** The integration was removed there, and its key with it. */
    revokeRemoved: enqueueActions(({ context, enqueue }, { session, end }: Session<'session.closed'>) => {
      const of = context.sessions.find((one) => one.session === session);
      if (of === undefined || end.kind !== 'bye' || end.reason !== 'removed') return;
      enqueue.sendTo('keys', { type: 'keys.revoke', requestId: null, keyId: of.keyId } satisfies KeysCommand);
    }),
    closeSession: assign(({ context }, closed: Session<'session.closed'>) => closeSession(context, closed)),
    loseHome: assign({ life: 'lost' }),
    countRefused: assign(({ context }, of: 'connections' | 'commands') => noteRefused(context, of)),
    countCommand: assign(({ context }, { code }: Extract<BridgeFact, { readonly type: 'command.ended' }>) =>
      code === null ? {} : noteRefused(context, 'commands'),
    ),
    noteCatalogue: assign(({ context }, { announced }: Extract<BridgeFact, { readonly type: 'catalogue.sent' }>) => ({
      announced,
      memory: {
        ...(context.memory ?? noMemory),
        offered: [...new Set([...(context.memory?.offered ?? []), ...announced.map(({ key }) => key)])].slice(-OFFERED),
      },
    })),

    reviewKeys: sendTo('keys', ({ context }): KeysCommand => ({
      type: 'keys.review',
      keyIds: context.sessions.map(({ keyId }) => keyId),
    })),
    renewKey: enqueueActions(({ context, enqueue }, { keyId, next }: Keys<'key.prepared'>) => {
      const of = context.sessions.findLast((one) => one.keyId === keyId);
      if (of === undefined) return;
      enqueue.sendTo('sessions', { type: 'sessions.rekey', session: of.session, ...next } satisfies SessionCommand);
    }),
    noteRenewed: assign(({ context }, fact: Session<'session.rekeyed'>) => noteRenewed(context, fact)),
    promoteKey: sendTo('keys', (_, { keyId }: Session<'session.rekeyed'>): KeysCommand => ({
      type: 'keys.promote',
      keyId,
    })),

    beginPairing: assign(({ context }, wanted: Wanted) => beginPairing(context, wanted)),
    holdKey: sendTo('keys', (_, { pairing, client, key }: Wanted): KeysCommand => ({
      type: 'keys.hold',
      pairing,
      client,
      key,
    })),
    countPairing: enqueueActions(({ enqueue }, { pairing }: Wanted) => {
      enqueue.raise({ type: 'pairing.aged', pairing }, { id: `aged-${pairing}`, delay: 'pairingAge' });
    }),
    dropOld: assign(({ context }, { pairing }: PairingAged) => ({
      recent: context.recent.filter((one) => one.pairing !== pairing),
    })),
    refusePairing: enqueueActions(({ context, enqueue }, wanted: Wanted) => {
      enqueue.sendTo('sessions', endOf(wanted.pairing, objectionTo(context, wanted) ?? 'pairing-busy'));
    }),
    confirmPairing: assign(({ context }) => ({
      pairing: context.pairing === null ? null : { ...context.pairing, isConfirmed: true },
    })),
    keepKey: enqueueActions(({ context, enqueue }) => {
      if (context.pairing === null) return;
      enqueue.sendTo('keys', { type: 'keys.keep', pairing: context.pairing.pairing } satisfies KeysCommand);
    }),
    dropKey: enqueueActions(({ context, enqueue }) => {
      if (context.pairing === null) return;
      enqueue.sendTo('keys', { type: 'keys.drop', pairing: context.pairing.pairing } satisfies KeysCommand);
    }),
    endPairing: enqueueActions(({ context, enqueue }, outcome: Outcome) => {
      if (context.pairing === null) return;
      enqueue.sendTo('sessions', endOf(context.pairing.pairing, outcome));
    }),
    endAnswered: enqueueActions(({ context, enqueue }, { answer }: PairingAnswered) => {
      if (context.pairing === null || answer === 'approved') return;
      enqueue.sendTo('sessions', endOf(context.pairing.pairing, answer));
      if (answer === 'denied') enqueue.assign(withHappened(context, 'denied', null));
    }),
    forgetPairing: assign(endPairing),
    notePaired: assign(({ context }, { at }: Keys<'keys.kept'>) => ({
      ...withHappened(context, 'paired', at),
      failure: null,
    })),
    noteUnkept: assign((_, { code }: Keys<'keys.unkept'>) => ({ failure: code })),
    /** Home Assistant went while its key was stored, and does not know that it was. */
    revokeKept: sendTo('keys', (_, { keyId }: Keys<'keys.kept'>): KeysCommand => ({
      type: 'keys.revoke',
      requestId: null,
      keyId,
    })),

    revoke: sendTo('keys', (_, { requestId, keyId }: Event<'companion.revoke'>): KeysCommand => ({
      type: 'keys.revoke',
      requestId,
      keyId,
    })),
    choose: sendTo('keys', (_, { requestId, clientId }: Event<'companion.follow'>): KeysCommand => ({
      type: 'keys.follow',
      requestId,
      clientId,
    })),
    forget: sendTo('keys', (_, { requestId }: Event<'companion.forget'>): KeysCommand => ({
      type: 'keys.forget',
      requestId,
    })),
    endSessions: sendTo('sessions', (_, reason: 'reset' | 'stopping'): SessionCommand => ({
      type: 'sessions.end',
      reason,
    })),
    noteRemoved: assign(({ context }, { removed }: Keys<'keys.answered'>) =>
      removed === 0 ? {} : withHappened(context, 'revoked', null),
    ),
    reply: enqueueActions(({ enqueue }, { requestId, outcome }: Keys<'keys.answered'>) => {
      if (requestId !== null) enqueue.emit({ type: 'reply', requestId, outcome });
    }),
    /** Changes the facts by one of the functions of `moving.ts`. */
    change: assign((_, change: Partial<CompanionFacts>) => change),
    keepMemory: sendTo('keys', ({ context }, isAwaited: boolean): KeysCommand => ({
      type: 'memory.keep',
      memory: context.memory ?? noMemory,
      isAwaited,
    })),
    /** Tells the Home Assistant that takes part; without a session nothing is told. */
    tellHome: enqueueActions(({ context, enqueue }, step: 'prepare' | 'release' | 'apply' | 'abandon') => {
      const session = moving.sessionOf(context);
      if (session === null || context.move === null) return;
      const to = context.move.to;
      enqueue.sendTo('sessions', { type: 'sessions.move', session, to, step } satisfies SessionCommand);
    }),
    /** What a session must know of a move at its start: the last step of this one, or that it was taken back. */
    catchUp: enqueueActions(({ context, enqueue }, { session }: Session<'session.opened'>) => {
      const { move, moving: at, owed } = context;
      const tell = (to: Surface, step: 'apply' | 'abandon'): void => {
        enqueue.sendTo('sessions', { type: 'sessions.move', session, to, step } satisfies SessionCommand);
      };
      if (at?.step === 'apply' && move?.isPrepared === true) tell(at.to, 'apply');
      if (moving.isUnapplied(context) && context.surface !== null) tell(context.surface, 'apply');
      if (owed === null || at !== null) return;
      tell(owed, 'abandon');
      enqueue.assign({ owed: null });
      const memory = context.memory ?? noMemory;
      enqueue.sendTo('keys', { type: 'memory.keep', memory, isAwaited: false } satisfies KeysCommand);
    }),
    refuseMove: emit((_, { requestId, code }: { readonly requestId: string; readonly code: MoveCode }) =>
      answerTo(requestId, moving.refusedMove(code)),
    ),
    answerUnchanged: emit((_, { requestId }: Event<'companion.move'>) => answerTo(requestId, { status: 'unchanged' })),
    /** Answers the request of the move, if there is one. */
    answerMove: enqueueActions(({ context: { move }, enqueue }, outcome: MoveOutcome) => {
      if (move?.requestId != null) enqueue.emit(answerTo(move.requestId, outcome));
    }),
    joinMove: assign(({ context }, { requestId, leave }: Event<'companion.move'>) => ({
      move: context.move === null ? null : { ...context.move, requestId, leave },
    })),
    /** A reset follows: nothing goes through the broker again for the keys that are forgotten. */
    noteForgotten: assign({ hadClients: false, hasBroker: false }),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
    dropRequest: assign(({ context }) => ({
      move: context.move === null ? null : { ...context.move, requestId: null },
    })),
    raiseMoved: raise({ type: 'surface.moved' }),
    refuseStopping: emit((_, { requestId }: { readonly requestId: string }): CompanionReply => ({
      type: 'reply',
      requestId,
      outcome: { status: 'failed', code: 'stopping' },
    })),
  },
});
