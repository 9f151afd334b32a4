import { assign, emit, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent } from '../kit/fault.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { AnnouncedEntities } from './announced.ts';
import type {
  GatewayCommand,
  GatewayFact,
  IncomingEvent,
  LinkState,
  PublishedPanel,
  PublisherEvent,
  PublisherRequest,
  RowChanged,
  WithdrawOutcome,
} from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { DUPLICATE_ADVICE } from './owner.ts';
import { claimIn, isAnotherName, isReady, ownerOf, shapeOfKey, verdictOf } from './reading.ts';
import * as step from './steps.ts';
import { beginWithdrawal, endWithdrawal, hasTold, notWithdrawn } from './withdrawal.ts';

/** Longest wait for the echo that says all retained messages have arrived. */
const BARRIER_MS = 1000;
/**
 * Pause between two different discovery payloads (seen with Home Assistant 2026.11: back to back, payloads get lost).
 */
const PAYLOAD_PAUSE_MS = 1000;
/**
 * How long births of Home Assistant are gathered from the first one on: one discovery answers all of them, so that
 * nobody on the broker can have everything published again and again (Home Assistant itself is born once in 5 s at
 * most, as seen with Home Assistant 2026.11).
 */
const BIRTHS_MS = 2000;
/**
 * How long another machine must be gone before its panel id is taken over: longer than a restart of its agent takes.
 */
const DUPLICATE_GRACE_MS = 5000;
/**
 * How long a withdrawal may take until the broker has taken all of it: two pauses between payloads and an echo, with
 * room for a slow broker.
 */
const WITHDRAWAL_MS = 5000;
/** How long a withdrawn panel stays silent where nobody releases it: longer than a reset takes until the restart. */
const WITHDRAWN_MS = 30_000;
/** Wait before the store is asked again for what was announced earlier. */
const RECALL_RETRY_MS = 1000;

type OwnerChanged = Extract<IncomingEvent, { readonly type: 'owner.changed' }>;
type StatusChanged = Extract<IncomingEvent, { readonly type: 'status.changed' }>;
type Received = Extract<IncomingEvent, { readonly type: 'command.received' }>;
type Asked = Extract<PublisherRequest, { readonly type: 'publisher.withdraw' }>;
type PanelChanged = { readonly panel: PublishedPanel };

type Left = { readonly reason: 'away' | 'silent' };

const replyTo = (requestId: string | undefined, outcome: WithdrawOutcome): ReplyEvent<WithdrawOutcome> => ({
  type: 'reply',
  requestId: requestId ?? '',
  outcome,
});
const publish = (
  messages: Extract<GatewayCommand, { readonly type: 'gateway.publish' }>['messages'],
): GatewayCommand => ({
  type: 'gateway.publish',
  messages,
});

/** What the publisher's chart is written in; its gateway and its memory are provided by the wiring. */
export const publisherSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as PublisherFacts,
    events: {} as PublisherEvent,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent | ReplyEvent<WithdrawOutcome>,
  },
  actors: {
    gateway: placeholder<GatewayCommand, undefined, GatewayFact>(),
    readAnnounced: promisePlaceholder<unknown>(),
    keepAnnounced: promisePlaceholder<void, AnnouncedEntities>(),
  },
  delays: {
    barrierBound: BARRIER_MS,
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
    isRemovedElsewhere: ({ context }) => context.removedElsewhere,
    isAnotherName: ({ context }, { panel }: PanelChanged) => isAnotherName(context, panel),
    isAnotherLink: ({ context: { link } }, { connected, session, panelId }: LinkState) =>
      connected !== link.connected || session !== link.session || panelId !== link.panelId,
    isAnnounced: ({ context }, { key }: { readonly key: string }) => shapeOfKey(context, key) !== undefined,
    hasUnansweredBirth: ({ context }) => context.unansweredBirth,
    hasTold: ({ context }) => hasTold(context),
    hasMoreStages: ({ context }) => context.stages.length > 0,
    isKept: ({ context }) =>
      context.kept !== null && JSON.stringify(context.kept) === JSON.stringify(context.remembered),
  },
  actions: {
    takePanel: assign((_, { panel }: PanelChanged) => ({ panel })),
    takeLink: assign((_, { connected, session, panelId }: LinkState) => ({ link: { connected, session, panelId } })),
    takeValue: assign(({ context }, event: RowChanged) => step.takeValue(context, event)),
    takeOwner: assign(({ context }, event: OwnerChanged) => step.takeOwner(context, event)),
    takeStatus: assign(({ context }, event: StatusChanged) => step.takeStatus(context, event)),
    recall: assign((_, params: { readonly stored: unknown }) => step.recall(params.stored)),
    noteBirth: assign({ homeAssistantSeen: true, homeAssistantLeft: false }),
    noteUnansweredBirth: assign({ homeAssistantSeen: true, homeAssistantLeft: false, unansweredBirth: true }),
    noteLeave: assign({ homeAssistantSeen: false, homeAssistantLeft: true }),
    forgetSession: assign({
      owners: {},
      statuses: {},
      homeAssistantSeen: false,
      homeAssistantLeft: false,
      unansweredBirth: false,
      stages: [],
      announced: [],
    }),
    advise: assign({ advice: DUPLICATE_ADVICE }),
    retractAdvice: assign({ advice: null }),
    subscribe: sendTo('gateway', ({ context }): GatewayCommand => ({
      type: 'gateway.subscribe',
      ...step.topicsToHear(context),
    })),
    raiseBarrier: sendTo('gateway', ({ context }) => publish([step.barrierMessage(context)])),
    claim: sendTo('gateway', ({ context }) => publish(step.claimMessages(context))),
    withdraw: sendTo('gateway', ({ context }) => publish([step.statusMessage(context, 'offline')])),
    publishOnline: sendTo('gateway', ({ context }) => publish([step.statusMessage(context, 'online')])),
    prepare: assign(({ context }) => step.prepare(context)),
    planStages: assign(({ context }) => step.plan(context)),
    publishStage: sendTo('gateway', ({ context }) => publish(step.stageMessages(context))),
    endStage: assign(({ context }) => step.endStage(context)),
    endSweep: assign(({ context }) => step.endSweep(context)),
    publishRow: sendTo('gateway', ({ context }, event: RowChanged) => publish(step.valueMessages(context, event))),
    markRemoved: assign({ removedElsewhere: true }),
    // Under another name it is another device, which nobody removed.
    forgetRemoval: assign({ removedElsewhere: false }),
    run: sendTo('gateway', (_, { key, value }: Received): GatewayCommand => ({ type: 'gateway.run', key, value })),
    refuse: sendTo('gateway', ({ context }, event: step.Refusal): GatewayCommand => ({
      type: 'gateway.refuse',
      ...step.refusal(context, event),
    })),
    countRefusal: assign(({ context }, event: step.Refusal) => step.countRefusal(context, event)),
    beginWithdrawal: assign(({ context }, { requestId }: Asked) => beginWithdrawal(context, requestId, false)),
    // What is announced whole has been loaded there.
    beginWithdrawalOfLive: assign(({ context }, { requestId }: Asked) => beginWithdrawal(context, requestId, true)),
    dropStage: assign(({ context }) => step.dropStage(context)),
    replyWithdrawn: emit(({ context: { withdrawing } }) =>
      replyTo(withdrawing?.requestId, { status: 'withdrawn', entities: withdrawing?.entities ?? 0 }),
    ),
    replyLeft: emit(({ context }, { reason }: Left) =>
      replyTo(context.withdrawing?.requestId, notWithdrawn(context, reason)),
    ),
    refuseWithdrawal: emit(({ context }, { requestId }: Asked) =>
      replyTo(requestId, notWithdrawn(context, context.link.connected ? 'busy' : 'away')),
    ),
    endWithdrawal: assign(({ context }) => endWithdrawal(context)),
    dropWithdrawal: assign({ withdrawing: null, stages: [] }),
    noteKept: assign(({ context }) => ({ kept: context.remembered, storeFault: null })),
    noteNotKept: assign({ storeFault: 'not-kept' }),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
  },
});
