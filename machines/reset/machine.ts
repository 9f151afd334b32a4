import { assign, emit, sendTo } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent, faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder, promisePlaceholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import { codeOf, leftOutcome, leftTopics, mayGoOn, orderedOutcome } from './decide.ts';
import type {
  CancelOutcome,
  CancelRequest,
  ReleaseCommand,
  ResetContext,
  ResetEvent,
  ResetInput,
  ResetOutcome,
  ResetRecord,
  ResetRequest,
  TrialFact,
  Withdrawal,
} from './events.ts';

/** What an order is kept with: it, and what stood there before, for where it cannot be kept; null takes it back. */
export interface Ordering {
  readonly record: ResetRecord | null;
  readonly before: ResetRecord | null;
}

/** Facts of the reset with what it works on; other rooms see the public part. */
interface ResetFacts extends ResetContext {
  readonly answerMs: Milliseconds;
  /** What was asked for; null while no reset is under way. */
  readonly request: ResetRequest | null;
  /** The request that waits for an order to be taken back; null while none does. */
  readonly cancelling: string | null;
  readonly withdrawal: Withdrawal | null;
}

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

/** An action with the reason of a refusal. */
const refuse = (reason: Refusal) => ({
  type: 'refuse' as const,
  params: ({ event }: { readonly event: ResetRequest }) => ({ request: event, reason }),
});

/** The same for an order that is not taken back. */
const refuseCancel = (reason: CancelRefusal) => ({
  type: 'refuseCancel' as const,
  params: ({ event }: { readonly event: CancelRequest }) => ({ request: event, reason }),
});

/** What goes on when a step failed: nothing was changed, so the entities come back. */
const failedAt = (operation: string) =>
  ({
    target: '#reset.idle',
    actions: [{ type: 'reportFault', params: faultIn(operation) }, withEvent('replyFailed'), 'release'],
  }) as const;

/**
 * A reset: first everything leaves Home Assistant, then the order is durably written down, then the agent restarts, and
 * the start carries it out before anything else runs.
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
    /** Follows whether a profile is being tried, and has the entities announced again. */
    surroundings: placeholder<ReleaseCommand, undefined, TrialFact>(),
    readRecord: promisePlaceholder<ResetRecord | null>(),
    withdraw: promisePlaceholder<Withdrawal>(),
    keepOrder: promisePlaceholder<void, Ordering>(),
    /** Has Home Assistant forget the sign-in; what is stored of it goes with the rest. */
    signOut: promisePlaceholder<void>(),
  },
  delays: {
    /** Wait before the store is asked again for the last reset. */
    recallRetry: 1000,
    answer: ({ context }) => context.answerMs,
  },
  guards: {
    isOrdered: ({ context }) => context.last?.state === 'ordered',
    isTrial: ({ context }) => context.trial,
    mayGoOn: ({ context }, { output }: Withdrawn) => context.request !== null && mayGoOn(context.request, output),
  },
  actions: {
    recall: assign((_, { output }: { readonly output: ResetRecord | null }) => ({ last: output })),
    noteTrial: assign((_, { trial }: TrialFact) => ({ trial })),
    take: assign((_, request: ResetRequest) => ({ request, scope: request.scope, withdrawal: null })),
    noteWithdrawal: assign((_, { output }: Withdrawn) => ({ withdrawal: output })),
    noteOrder: assign(({ context }) => ({ last: recordOf(context) })),
    markRestartDue: assign({ restartDue: true }),
    forget: assign({ request: null, scope: null, withdrawal: null, cancelling: null }),
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
      // An earlier instance of this part may have ended in the middle of a reset.
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
          { target: 'withdrawing', actions: withEvent('take') },
        ],
        'reset.cancel': [
          { guard: 'isOrdered', target: 'cancelling', actions: withEvent('takeCancel') },
          { actions: refuseCancel('none') },
        ],
      },
    },
    cancelling: {
      invoke: {
        src: 'keepOrder',
        id: 'keepNoOrder',
        input: ({ context }) => ({ record: null, before: context.last }),
        onDone: { target: 'idle', actions: ['noteCancelled', 'replyCancelled'] },
        onError: {
          target: 'idle',
          actions: [{ type: 'reportFault', params: faultIn('reset-cancel') }, withEvent('replyNotCancelled')],
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
          { target: 'idle', actions: [withEvent('replyLeft'), 'release'] },
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
            onDone: { target: 'signingOut', actions: 'noteOrder' },
            onError: failedAt('reset-order'),
          },
        },
        // It is decided: what fails from here on does not hold it up.
        signingOut: {
          invoke: {
            src: 'signOut',
            id: 'signOut',
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
