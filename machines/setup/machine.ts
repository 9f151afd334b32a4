import { assign, emit, enqueueActions, type EventObject } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { EpochMs } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  AnswerRequest,
  Answers,
  FactsFact,
  RecordCommand,
  RecordFact,
  SetupContext,
  SetupEmitted,
  SetupEvent,
  SetupFacts,
  SetupRecord,
} from './events.ts';
import { isReached, stepsOf, wasSetUp } from './steps.ts';

type Found = Extract<RecordFact, { readonly type: 'record.found' }>;
type Written = Extract<RecordFact, { readonly type: 'record.written' }>;

/** Public facts with their inputs. */
interface SetupState extends SetupContext {
  /** Facts from the other parts; null until known. */
  readonly facts: SetupFacts | null;
  /** The record on disk; undefined until it was read, null if there is none. */
  readonly kept: SetupRecord | null | undefined;
  /** The answers, including those still being written. */
  readonly wanted: Answers;
  /** Time of the newest fact. */
  readonly at: EpochMs;
}

const stepsIn = ({ facts, answers }: Pick<SetupState, 'facts' | 'answers'>): SetupState['steps'] =>
  facts === null ? [] : stepsOf(facts, answers);

/** Tracks the progress of the setup, from the facts of the other parts and a person's answers; it switches nothing. */
export const setupMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: {
    context: {} as SetupState,
    events: {} as SetupEvent,
    emitted: {} as SetupEmitted,
    output: {} as WorkerOutcome,
  },
  actors: {
    /** The stored record. */
    record: placeholder<RecordCommand, undefined, RecordFact>(),
    /** Follows the other parts. */
    followed: placeholder<EventObject, undefined, FactsFact>(),
  },
  guards: {
    knowsAll: ({ context }) => context.facts !== null && context.kept !== undefined,
    isAsked: (_, { requestId }: Written) => requestId !== null,
  },
  actions: {
    recall: assign((_, { record, at }: Found) => ({ kept: record, at })),
    observe: assign(({ context: { answers } }, { facts, at }: FactsFact) => ({
      facts,
      at,
      steps: stepsIn({ facts, answers }),
      foundEntity: facts.foundEntity,
    })),
    /** A panel from a version without this record counts as set up if it was in use. */
    begin: assign(({ context }) => {
      const { facts, kept, at } = context;
      const answers = kept?.answers ?? {};
      const reachedAt = kept?.reachedAt ?? (kept === null && facts !== null && wasSetUp(facts) ? at : null);
      return {
        answers,
        wanted: answers,
        reachedAt,
        steps: stepsIn({ facts, answers }),
      };
    }),
    /** A completed setup stays complete: a broker that breaks later does not bring the setup back. */
    reach: enqueueActions(({ context, enqueue }) => {
      const { steps, wanted: answers, at, kept } = context;
      const reachedAt = context.reachedAt ?? (isReached(steps) ? at : null);
      if (reachedAt === null || kept?.reachedAt === reachedAt) return;
      enqueue.assign({ reachedAt });
      enqueue.sendTo('record', { type: 'record.write', requestId: null, record: { answers, reachedAt } });
    }),
    ask: enqueueActions(({ context, enqueue }, { requestId, subject, answer }: AnswerRequest) => {
      const answers = { ...context.wanted, [subject]: answer };
      const { reachedAt } = context;
      enqueue.assign({ wanted: answers });
      enqueue.sendTo('record', { type: 'record.write', requestId, record: { answers, reachedAt } });
    }),
    settle: assign(({ context }, { record, failure }: Written) =>
      failure === null
        ? { kept: record, answers: record.answers, steps: stepsIn({ facts: context.facts, answers: record.answers }) }
        : { wanted: context.answers },
    ),
    reply: emit((_, { requestId, failure }: Written) => ({
      type: 'reply' as const,
      requestId: requestId ?? '',
      outcome: failure === null ? ({ status: 'kept' } as const) : { status: 'commit-failed' as const, reason: failure },
    })),
  },
}).createMachine({
  id: 'setup',
  options: { maxIterations: 50 },
  context: {
    answers: {},
    reachedAt: null,
    steps: [],
    foundEntity: null,
    facts: null,
    kept: undefined,
    wanted: {},
    at: 0,
  },
  invoke: [
    { src: 'record', id: 'record', onError: '.failed' },
    { src: 'followed', id: 'followed', onError: '.failed' },
  ],
  initial: 'recalling',
  states: {
    recalling: {
      on: {
        'record.found': { actions: withEvent('recall') },
        'setup.observed': { actions: withEvent('observe') },
      },
      always: { guard: 'knowsAll', target: 'watching', actions: ['begin', 'reach'] },
    },
    watching: {
      on: {
        'setup.observed': { actions: [withEvent('observe'), 'reach'] },
        'setup.answer': { actions: withEvent('ask') },
        'record.written': [
          { guard: withEvent('isAsked'), actions: [withEvent('settle'), withEvent('reply'), 'reach'] },
          { actions: withEvent('settle') },
        ],
      },
    },
    failed: {
      type: 'final',
      output: crashed({ record: 'setup-record', followed: 'setup-facts' }),
    },
  },
  output: outcomeOf,
});
