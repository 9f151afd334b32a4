import { assign, emit, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent, faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import type { BeginOutcome } from '../maintenance/events.ts';
import { codeOf, leftOutcome, leftTopics, mayGoOn, orderedOutcome } from './decide.ts';
import type {
  CancelOutcome,
  CancelRequest,
  ResetContext,
  ResetEvent,
  ResetInput,
  ResetOutcome,
  ResetRecord,
  ResetRequest,
  SurroundingsCommand,
  TrialFact,
  Withdrawal,
} from './events.ts';

/** The record to store, null to remove it; and the previous one, to restore if that fails. */
export interface Ordering {
  readonly record: ResetRecord | null;
  readonly before: ResetRecord | null;
}

/** Public facts with the working state. */
interface ResetFacts extends ResetContext {
  readonly answerMs: Milliseconds;
  /** The reset request under way; null without one. */
  readonly request: ResetRequest | null;
  /** Id of the pending cancellation; null without one. */
  readonly cancelling: string | null;
  readonly withdrawal: Withdrawal | null;
  /** Names the operation while it is the one that runs; null without one. */
  readonly lane: string | null;
}

type Entered = { readonly output: BeginOutcome };
type Withdrawn = { readonly output: Withdrawal };
type Refusal = Extract<ResetOutcome, { readonly status: 'refused' }>['reason'];
type CancelRefusal = Extract<CancelOutcome, { readonly status: 'refused' }>['reason'];

const reply = (request: ResetRequest | null, outcome: ResetOutcome): ReplyEvent<ResetOutcome> => ({
  type: 'reply',
  requestId: request?.requestId ?? '',
  outcome,
});

const replyCancel = (requestId: string | null, outcome: CancelOutcome): ReplyEvent<CancelOutcome> => ({
  type: 'reply',
  requestId: requestId ?? '',
  outcome,
});

const recordOf = ({ request, withdrawal }: ResetFacts): ResetRecord => ({
  state: 'ordered',
  scope: request?.scope ?? 'connection',
  by: request?.by ?? '',
  at: request?.at ?? 0,
  leftBehind: leftTopics(withdrawal).length,
});

/** What is reported of the operation as it ends or is ordered. */
const laneReport = (
  { lane }: ResetFacts,
  end: Extract<SurroundingsCommand, { readonly type: 'lane.report' }>['end'],
): SurroundingsCommand => ({ type: 'lane.report', token: lane ?? '', end });

const orderedWords = 'The panel restarts now to carry out the reset.';
const cancelledEnd = { message: 'The reset that was asked for was cancelled.', result: { status: 'skipped' } } as const;

/** The `refuse` action with its reason. */
const refuse = (reason: Refusal) => ({
  type: 'refuse' as const,
  params: ({ event }: { readonly event: ResetRequest }) => ({ request: event, reason }),
});

/** The same for a refused cancellation. */
const refuseCancel = (reason: CancelRefusal) => ({
  type: 'refuseCancel' as const,
  params: ({ event }: { readonly event: CancelRequest }) => ({ request: event, reason }),
});

/** The transition after a failed step: nothing was changed, so the entities are announced again. */
const failedAt = (operation: string) =>
  ({
    target: '#reset.idle',
    actions: [{ type: 'reportFault', params: faultIn(operation) }, withEvent('replyFailed'), 'release', 'leaveLane'],
  }) as const;

/**
 * Resets the panel: withdraws all entities from Home Assistant, stores the order, and requests a restart, which carries
 * out the order before anything else runs.
 */
export const resetMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ResetFacts,
    events: {} as ResetEvent,
    input: {} as ResetInput,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent | ReplyEvent<ResetOutcome | CancelOutcome>,
  },
  actors: {
    /** Reports whether a profile is on trial, announces the entities again, and reports the end of the operation. */
    surroundings: placeholder<SurroundingsCommand, undefined, TrialFact>(),
    /** Becomes the one operation that runs. */
    enterLane: promisePlaceholder<BeginOutcome>(),
    readRecord: promisePlaceholder<ResetRecord | null>(),
    withdraw: promisePlaceholder<Withdrawal>(),
    keepOrder: promisePlaceholder<void, Ordering>(),
    /** Revokes the sign-in in Home Assistant; its stored part is cleared with the rest. */
    signOut: promisePlaceholder<void, { readonly token: string }>(),
  },
  delays: {
    /** Wait before reading the last reset again. */
    recallRetry: 1000,
    answer: ({ context }) => context.answerMs,
  },
  guards: {
    isOrdered: ({ context }) => context.last?.state === 'ordered',
    isTrial: ({ context }) => context.trial,
    isBusy: (_, { output }: Entered) => output.status === 'busy',
    isCancelling: ({ context }) => context.cancelling !== null,
    mayGoOn: ({ context }, { output }: Withdrawn) => context.request !== null && mayGoOn(context.request, output),
  },
  actions: {
    recall: assign((_, { output }: { readonly output: ResetRecord | null }) => ({ last: output })),
    noteTrial: assign((_, { trial }: TrialFact) => ({ trial })),
    take: assign((_, request: ResetRequest) => ({ request, scope: request.scope, withdrawal: null })),
    noteWithdrawal: assign((_, { output }: Withdrawn) => ({ withdrawal: output })),
    noteOrder: assign(({ context }) => ({ last: recordOf(context) })),
    markRestartDue: assign({ restartDue: true }),
    noteLane: assign((_, { output }: Entered) => ({ lane: output.status === 'begun' ? output.token : null })),
    leaveLane: sendTo('surroundings', ({ context }) => laneReport(context, null)),
    orderLane: sendTo('surroundings', ({ context }) => laneReport(context, { ordered: orderedWords })),
    endCancelled: sendTo('surroundings', ({ context }) => laneReport(context, cancelledEnd)),
    replyBusy: emit(({ context }, { output }: Entered) => {
      const outcome = { status: 'busy' as const, running: output.status === 'busy' ? output.running : null };
      return context.cancelling === null ? reply(context.request, outcome) : replyCancel(context.cancelling, outcome);
    }),
    forget: assign({ request: null, scope: null, withdrawal: null, cancelling: null, lane: null }),
    takeCancel: assign((_, { requestId }: CancelRequest) => ({ cancelling: requestId })),
    noteCancelled: assign({ last: null }),
    refuseCancel: emit((_, { request, reason }: { readonly request: CancelRequest; readonly reason: CancelRefusal }) =>
      replyCancel(request.requestId, { status: 'refused', reason }),
    ),
    replyCancelled: emit(({ context }) => replyCancel(context.cancelling, { status: 'cancelled' })),
    replyNotCancelled: emit(({ context }, { error }: { readonly error: unknown }) =>
      replyCancel(context.cancelling, { status: 'failed', reason: codeOf(error) }),
    ),
    release: sendTo('surroundings', { type: 'entities.release' }),
    forgetKeys: sendTo('surroundings', { type: 'keys.forget' }),
    refuse: emit((_, { request, reason }: { readonly request: ResetRequest; readonly reason: Refusal }) =>
      reply(request, { status: 'refused', reason }),
    ),
    replyLeft: emit(({ context }, { output }: Withdrawn) => reply(context.request, leftOutcome(output))),
    replyFailed: emit(({ context }, { error }: { readonly error: unknown }) =>
      reply(context.request, { status: 'failed', reason: codeOf(error) }),
    ),
    replyOrdered: emit(({ context }) => reply(context.request, orderedOutcome(context.withdrawal))),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
  },
}).createMachine({
  id: 'reset',
  context: ({ input }) => ({
    ...input,
    scope: null,
    last: null,
    trial: false,
    restartDue: false,
    request: null,
    cancelling: null,
    withdrawal: null,
    lane: null,
  }),
  invoke: { src: 'surroundings', id: 'surroundings', onError: '.failed' },
  initial: 'recalling',
  on: {
    'trial.changed': { actions: withEvent('noteTrial') },
    'reset.start': { actions: refuse('running') },
    'reset.cancel': { actions: refuseCancel('running') },
  },
  states: {
    recalling: {
      // An earlier instance of this part may have crashed during a reset.
      entry: 'release',
      initial: 'reading',
      on: {
        'reset.start': { actions: refuse('unread') },
        'reset.cancel': { actions: refuseCancel('unread') },
      },
      states: {
        reading: {
          invoke: {
            src: 'readRecord',
            id: 'readRecord',
            onDone: { target: '#reset.idle', actions: withEvent('recall') },
            onError: { target: 'resting', actions: { type: 'reportFault', params: faultIn('reset-read') } },
          },
        },
        resting: { after: { recallRetry: 'reading' } },
      },
    },
    idle: {
      entry: 'forget',
      on: {
        'reset.start': [
          { guard: 'isTrial', actions: refuse('trial') },
          { target: 'entering', actions: withEvent('take') },
        ],
        'reset.cancel': [
          { guard: 'isOrdered', target: 'entering', actions: withEvent('takeCancel') },
          { actions: refuseCancel('none') },
        ],
      },
    },
    /** On the way to be the one operation that runs, for a reset or a cancellation. */
    entering: {
      invoke: {
        src: 'enterLane',
        id: 'enterLane',
        onDone: [
          { guard: withEvent('isBusy'), target: 'idle', actions: withEvent('replyBusy') },
          { guard: 'isCancelling', target: 'cancelling', actions: withEvent('noteLane') },
          { target: 'withdrawing', actions: withEvent('noteLane') },
        ],
        onError: [
          {
            guard: 'isCancelling',
            target: 'idle',
            actions: [{ type: 'reportFault', params: faultIn('reset-lane') }, withEvent('replyNotCancelled')],
          },
          {
            target: 'idle',
            actions: [{ type: 'reportFault', params: faultIn('reset-lane') }, withEvent('replyFailed')],
          },
        ],
      },
    },
    cancelling: {
      invoke: {
        src: 'keepOrder',
        id: 'keepNoOrder',
        input: ({ context }) => ({ record: null, before: context.last }),
        onDone: { target: 'idle', actions: ['noteCancelled', 'endCancelled', 'replyCancelled'] },
        onError: {
          target: 'idle',
          actions: [
            { type: 'reportFault', params: faultIn('reset-cancel') },
            'leaveLane',
            withEvent('replyNotCancelled'),
          ],
        },
      },
    },
    withdrawing: {
      invoke: {
        src: 'withdraw',
        id: 'withdraw',
        onDone: [
          {
            guard: withEvent('mayGoOn'),
            target: 'clearing',
            actions: withEvent('noteWithdrawal'),
          },
          { target: 'idle', actions: [withEvent('replyLeft'), 'release', 'leaveLane'] },
        ],
        onError: failedAt('reset-withdraw'),
      },
    },
    clearing: {
      initial: 'ordering',
      states: {
        ordering: {
          invoke: {
            src: 'keepOrder',
            id: 'keepOrder',
            input: ({ context }) => ({ record: recordOf(context), before: context.last }),
            onDone: { target: 'signingOut', actions: ['noteOrder', 'orderLane', 'forgetKeys'] },
            onError: failedAt('reset-order'),
          },
        },
        // The order is stored: failures from here on do not stop the reset.
        signingOut: {
          invoke: {
            src: 'signOut',
            id: 'signOut',
            input: ({ context }) => ({ token: context.lane ?? '' }),
            onDone: '#reset.restarting',
            onError: {
              target: '#reset.restarting',
              actions: { type: 'reportFault', params: faultIn('reset-sign-out') },
            },
          },
        },
      },
    },
    restarting: { entry: 'replyOrdered', after: { answer: { target: 'done', actions: 'markRestartDue' } } },
    done: {},
    failed: { type: 'final', output: crashed('reset-surroundings') },
  },
  output: outcomeOf,
});
