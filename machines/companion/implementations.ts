import { assign, emit, enqueueActions, type EventObject, sendTo } from 'xstate';

import type { WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
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
  takeSurface,
  type Wanted,
} from './facts.ts';
import { RELOAD_MS } from './home-life.ts';
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

/** How often keys of long sessions are looked at. */
const REVIEW_MS: Milliseconds = 24 * 3_600_000;
/** How long an approval waits for the digits: its question says that they come first. */
const DIGITS_MS: Milliseconds = 60_000;
/** Bound of the farewell: Home Assistant reads it within milliseconds. */
const FAREWELL_MS: Milliseconds = 300;

const endOf = (pairing: number, outcome: Outcome): EndCommand => ({ type: 'pairing.end', pairing, outcome });

/** Implementations of the machine: its actors, delays, guards and actions. */
export const companionSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as CompanionFacts,
    events: {} as CompanionMachineEvent | PairingAged,
    emitted: {} as CompanionReply,
    output: {} as WorkerOutcome,
  },
  actors: {
    sessions: placeholder<SessionCommand, undefined, SessionFact>(),
    keys: placeholder<KeysCommand, undefined, KeysFact>(),
    follower: placeholder<EventObject, undefined, FollowedFact>(),
    question: placeholder<EventObject, { readonly digits: string; readonly name: string }, PairingAnswered>(),
    bridge: placeholder<BridgeCommand, undefined, BridgeFact>(),
  },
  delays: {
    review: REVIEW_MS,
    reload: RELOAD_MS,
    digits: DIGITS_MS,
    farewell: FAREWELL_MS,
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
  },
  actions: {
    takeKeys: assign(({ context }, known: Keys<'keys.known'>) => takeKeys(context, known)),
    passKeys: sendTo('sessions', (_, { keys }: Keys<'keys.known'>): SessionCommand => ({
      type: 'sessions.keys',
      keys,
    })),
    takeSurface: assign(({ context }, fact: Extract<FollowedFact, { readonly type: 'surface.changed' }>) =>
      takeSurface(context, fact),
    ),
    noteNamed: assign({ isNamed: true }),
    passName: sendTo(
      'sessions',
      (_, { panel }: Extract<FollowedFact, { readonly type: 'panel.named' }>): SessionCommand => ({
        type: 'sessions.panel',
        panel,
      }),
    ),
    passSurface: enqueueActions(({ context, enqueue }) => {
      if (context.surface !== null)
        enqueue.sendTo('bridge', { type: 'bridge.surface', surface: context.surface } satisfies BridgeCommand);
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
    noteCatalogue: assign((_, { entities }: Extract<BridgeFact, { readonly type: 'catalogue.sent' }>) => ({
      entities,
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
    refuseStopping: emit((_, { requestId }: { readonly requestId: string }): CompanionReply => ({
      type: 'reply',
      requestId,
      outcome: { status: 'failed', code: 'stopping' },
    })),
  },
});
