import { assign, emit, enqueueActions, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent } from '../kit/fault.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { AnnouncedEntities } from './announced.ts';
import type {
  BridgeCommand,
  BridgeFact,
  HomeAssistantSaid,
  IncomingEvent,
  LinkState,
  PublishedPanel,
  PublisherEvent,
  PublisherRequest,
  ReportedRefusal,
  WithdrawOutcome,
} from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { duplicateAdvice } from './owner.ts';
import { claimIn, isAnotherName, isReady, nameOf, offeredId, ownerOf, verdictOf } from './selectors.ts';
import * as to from './transitions.ts';
import { beginWithdrawal, endWithdrawal, hasAnnounced, notWithdrawn } from './withdrawal.ts';

/** Limit for the return of the sync token, which follows all retained messages. */
const SYNC_MS = 1000;
/**
 * Pause between two different discovery payloads: sent back to back, payloads get lost (seen with Home Assistant
 * 2026.11).
 */
const PAYLOAD_PAUSE_MS = 1000;
/**
 * How long births of Home Assistant are gathered, counted from the first one. One discovery answers all of them, so
 * that no client of the broker can trigger a full publication again and again (Home Assistant sends at most one birth
 * in 5 s, as seen with 2026.11).
 */
const BIRTHS_MS = 2000;
/** How long another machine must be gone before its panel id is taken over: longer than a restart of its agent. */
const DUPLICATE_GRACE_MS = 5000;
/**
 * Limit for a withdrawal, until the broker has acknowledged all of it: two pauses between payloads and an echo, with
 * margin for a slow broker.
 */
const WITHDRAWAL_MS = 5000;
/** How long a withdrawn panel stays silent unless it is released: longer than a reset takes until the restart. */
const WITHDRAWN_MS = 30_000;
/** Pause before the stored announced entities are read again after a failure. */
const RECALL_RETRY_MS = 1000;

type OwnerChanged = Extract<IncomingEvent, { readonly type: 'owner.changed' }>;
type StatusChanged = Extract<IncomingEvent, { readonly type: 'status.changed' }>;
type Asked = Extract<PublisherRequest, { readonly type: 'publisher.withdraw' }>;
type PanelChanged = { readonly panel: PublishedPanel };

type Unfinished = { readonly reason: 'away' | 'silent' };
type Left = Extract<IncomingEvent, { readonly type: 'homeAssistant.left' }>;

const replyTo = (requestId: string | undefined, outcome: WithdrawOutcome): ReplyEvent<WithdrawOutcome> => ({
  type: 'reply',
  requestId: requestId ?? '',
  outcome,
});
const publish = (messages: Extract<BridgeCommand, { readonly type: 'bridge.publish' }>['messages']): BridgeCommand => ({
  type: 'bridge.publish',
  messages,
});

/** Actors, delays, guards and actions of the publisher's machine; the wiring provides its bridge and its store. */
export const publisherSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as PublisherFacts,
    events: {} as PublisherEvent,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent | HomeAssistantSaid | ReplyEvent<WithdrawOutcome>,
  },
  actors: {
    bridge: placeholder<BridgeCommand, undefined, BridgeFact>(),
    readAnnounced: promisePlaceholder<unknown>(),
    persistAnnounced: promisePlaceholder<void, AnnouncedEntities>(),
  },
  delays: {
    syncBound: SYNC_MS,
    payloadPause: PAYLOAD_PAUSE_MS,
    births: BIRTHS_MS,
    duplicateGrace: DUPLICATE_GRACE_MS,
    recallRetry: RECALL_RETRY_MS,
    withdrawalBound: WITHDRAWAL_MS,
    withdrawnBound: WITHDRAWN_MS,
  },
  guards: {
    isReady: ({ context }) => isReady(context),
    isOurs: ({ context }) => verdictOf(context) === 'ours',
    isDuplicate: ({ context }) => verdictOf(context) === 'duplicate',
    isAnothers: ({ context }) => ownerOf(context) !== null && verdictOf(context) !== 'ours',
    isDisputed: ({ context }, event: OwnerChanged) => claimIn(context, event) === 'disputed',
    isOwnerLost: ({ context }, event: OwnerChanged) => claimIn(context, event) === 'lost',
    isWill: (_, { now }: Left) => now,
    isRemovedElsewhere: ({ context }) => context.removedElsewhere,
    isAnotherName: ({ context }, { panel }: PanelChanged) => isAnotherName(context, panel),
    isAnotherLink: ({ context: { link } }, { connected, session, panelId }: LinkState) =>
      connected !== link.connected || session !== link.session || panelId !== link.panelId,
    hasUnansweredBirth: ({ context }) => context.unansweredBirth,
    hasAnnounced: ({ context }) => hasAnnounced(context),
    hasMoreStages: ({ context }) => context.stages.length > 0,
    isPersisted: ({ context }) =>
      context.persisted !== null && JSON.stringify(context.persisted) === JSON.stringify(context.remembered),
  },
  actions: {
    takePanel: assign((_, { panel }: PanelChanged) => ({ panel })),
    takeLink: assign((_, { connected, session, panelId }: LinkState) => ({ link: { connected, session, panelId } })),
    takeOwner: assign(({ context }, event: OwnerChanged) => to.takeOwner(context, event)),
    takeTaken: assign(({ context }, event: OwnerChanged) => to.takeTaken(context, event)),
    takeStatus: assign(({ context }, event: StatusChanged) => to.takeStatus(context, event)),
    recall: assign((_, params: { readonly stored: unknown }) => to.recall(params.stored)),
    noteBirth: assign({ homeAssistantDetected: true, homeAssistantLeft: false }),
    noteUnansweredBirth: assign({ homeAssistantDetected: true, homeAssistantLeft: false, unansweredBirth: true }),
    noteLeave: assign({ homeAssistantDetected: false, homeAssistantLeft: true }),
    forgetSession: assign({
      owners: {},
      taken: [],
      statuses: {},
      homeAssistantDetected: false,
      homeAssistantLeft: false,
      unansweredBirth: false,
      stages: [],
      announced: [],
    }),
    advise: assign(({ context }) => {
      const freeId = offeredId(context);
      return { advice: duplicateAdvice(freeId), freeId };
    }),
    retractAdvice: assign({ advice: null, freeId: null }),
    subscribe: sendTo('bridge', ({ context }): BridgeCommand => ({
      type: 'bridge.subscribe',
      ...to.subscriptionOf(context),
    })),
    subscribeToOwners: sendTo('bridge', (): BridgeCommand => ({ type: 'bridge.subscribe', ...to.ownersSubscription })),
    sendSyncToken: sendTo('bridge', ({ context }) => publish([to.syncMessage(context)])),
    claim: sendTo('bridge', ({ context }) => publish(to.claimMessages(context))),
    serve: sendTo('bridge', ({ context }): BridgeCommand => ({
      type: 'bridge.serve',
      panelId: nameOf(context).panelId,
      shapes: context.shapes,
    })),
    silence: sendTo('bridge', (): BridgeCommand => ({ type: 'bridge.silence' })),
    withdraw: sendTo('bridge', ({ context }) => publish([to.statusMessage(context, 'offline')])),
    publishOnline: sendTo('bridge', ({ context }) => publish([to.statusMessage(context, 'online')])),
    prepare: assign(({ context }) => to.prepare(context)),
    planStages: assign(({ context }) => to.plan(context)),
    publishStage: enqueueActions(({ context, enqueue }) => {
      for (const command of to.stageCommands(context)) enqueue.sendTo('bridge', command);
    }),
    endStage: assign(({ context }) => to.endStage(context)),
    endSweep: assign(({ context }) => to.endSweep(context)),
    markRemoved: assign({ removedElsewhere: true }),
    // Under another name it is another device, which was not removed.
    forgetRemoval: assign({ removedElsewhere: false }),
    countRefusal: assign(({ context }) => ({ refusedCommands: context.refusedCommands + 1 })),
    noteRefusal: assign((_, { name, code, at }: ReportedRefusal) => ({ lastRefusal: { name, code, at } })),
    announceBirth: emit((): HomeAssistantSaid => ({ type: 'homeAssistant.said', online: true })),
    announceWill: emit((): HomeAssistantSaid => ({ type: 'homeAssistant.said', online: false })),
    beginWithdrawal: assign(({ context }, { requestId }: Asked) => beginWithdrawal(context, requestId, false)),
    // A device that is announced in full has been loaded by Home Assistant.
    beginWithdrawalOfLive: assign(({ context }, { requestId }: Asked) => beginWithdrawal(context, requestId, true)),
    dropStage: assign(({ context }) => to.dropStage(context)),
    replyWithdrawn: emit(({ context: { withdrawing } }) =>
      replyTo(withdrawing?.requestId, { status: 'withdrawn', entities: withdrawing?.entities ?? 0 }),
    ),
    replyLeft: emit(({ context }, { reason }: Unfinished) =>
      replyTo(context.withdrawing?.requestId, notWithdrawn(context, reason)),
    ),
    refuseWithdrawal: emit(({ context }, { requestId }: Asked) =>
      replyTo(requestId, notWithdrawn(context, context.link.connected ? 'busy' : 'away')),
    ),
    endWithdrawal: assign(({ context }) => endWithdrawal(context)),
    dropWithdrawal: assign({ withdrawing: null, stages: [] }),
    notePersisted: assign(({ context }) => ({ persisted: context.remembered, storeFault: null })),
    noteNotPersisted: assign({ storeFault: 'not-kept' }),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
  },
});
