import { assign, emit, enqueueActions } from 'xstate';

import { crashed, outcomeOf as endingOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  FinderContext,
  FinderEvent,
  FinderFact,
  FindRequest,
  FoundInstance,
  Discovered,
  SwitchedOffFact,
  WantedFact,
} from './events.ts';
import { outcomeOf } from './outcome.ts';
import { discoveredOf } from './discovered.ts';

/** Public facts with the working state. */
export interface FinderFacts extends FinderContext {
  readonly instances: readonly FoundInstance[];
  /** Ids of requests that wait for a result. */
  readonly waiting: readonly string[];
}

/** How long to collect answers before the first Home Assistant counts as the only one. */
const SETTLE_MS = 1500;
/** Wait before browsing again after a failure. */
const RETRY_MS = 15_000;
/** How long to browse for a request while a broker is configured. */
const LOOK_MS = 4000;
/** Most requests waiting at a time; others run into their own time limit. */
const MOST_WAITING = 16;

const nothingFound = { host: null, name: null, count: 0, instances: [] };

const facts: FinderFacts = { wanted: false, outcome: 'idle', failure: null, waiting: [], ...nothingFound };

const reply = (requestId: string, outcome: Discovered | null): ReplyEvent<Discovered | null> => ({
  type: 'reply',
  requestId,
  outcome,
});

/** Searches the network for Home Assistant while no broker is configured, and on request. */
export const finderMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: {
    context: {} as FinderFacts,
    events: {} as FinderEvent,
    emitted: {} as ReplyEvent<Discovered | null>,
    output: {} as WorkerOutcome,
  },
  actors: {
    wanted: placeholder<FinderEvent, undefined, WantedFact | SwitchedOffFact>(),
    browse: placeholder<FinderEvent, undefined, FinderFact>(),
  },
  delays: { settle: SETTLE_MS, retry: RETRY_MS, look: LOOK_MS },
  guards: {
    isWanted: (_, { wanted }: WantedFact) => wanted,
    isUnwanted: (_, { wanted }: WantedFact) => !wanted,
    hasDetected: ({ context }) => context.instances.length > 0,
  },
  actions: {
    begin: assign({ wanted: true, outcome: 'searching', failure: null, ...nothingFound }),
    rest: assign({ wanted: false, outcome: 'idle', failure: null, ...nothingFound }),
    forget: assign({ instances: [] }),
    queue: assign(({ context }, { requestId }: FindRequest) => ({
      waiting: [...context.waiting, requestId].slice(-MOST_WAITING),
    })),
    answer: enqueueActions(({ context, enqueue }) => {
      const discovered = discoveredOf(context.instances);
      for (const requestId of context.waiting) enqueue(emit(reply(requestId, discovered)));
      enqueue.assign({ waiting: [] });
    }),
    answerNothing: emit((_, { requestId }: FindRequest) => reply(requestId, null)),
    switchOff: assign({ outcome: 'off' }),
    take: assign((_, { instances }: Extract<FinderFact, { readonly type: 'finder.observed' }>) => ({ instances })),
    decide: assign(({ context }) => outcomeOf(context.instances)),
    blame: assign((_, { code }: Extract<FinderFact, { readonly type: 'finder.unavailable' }>) => ({
      outcome: 'unavailable' as const,
      ...nothingFound,
      failure: code,
    })),
  },
}).createMachine({
  id: 'finder',
  options: { maxIterations: 50 },
  context: facts,
  initial: 'idle',
  invoke: { src: 'wanted', id: 'wanted', onError: '.failed' },
  on: {
    'finder.wanted': { guard: withEvent('isUnwanted'), target: '.idle', actions: 'answer' },
    'finder.switched-off': { target: '.off', actions: 'answer' },
    'finder.find': { actions: withEvent('answerNothing') },
  },
  output: endingOf,
  states: {
    idle: {
      entry: 'rest',
      on: {
        'finder.wanted': { guard: withEvent('isWanted'), target: 'browsing' },
        'finder.find': { target: 'looking', actions: withEvent('queue') },
      },
    },
    // A request while a broker is configured: the result changes only the answer.
    looking: {
      entry: 'forget',
      invoke: { src: 'browse', id: 'browse', onError: 'failed' },
      on: {
        'finder.wanted': { guard: withEvent('isWanted'), target: 'browsing' },
        'finder.find': { actions: withEvent('queue') },
        'finder.unavailable': { target: 'idle', actions: 'answer' },
      },
      after: { look: { target: 'idle', actions: 'answer' } },
      initial: 'listening',
      states: {
        listening: {
          on: { 'finder.observed': { actions: withEvent('take') } },
          always: { guard: 'hasDetected', target: 'settling' },
        },
        settling: {
          on: { 'finder.observed': { actions: withEvent('take') } },
          after: { settle: { target: '#finder.idle', actions: 'answer' } },
        },
      },
    },
    browsing: {
      entry: 'begin',
      invoke: { src: 'browse', id: 'browse', onError: 'failed' },
      on: {
        'finder.unavailable': { target: 'unavailable', actions: [withEvent('blame'), 'answer'] },
        'finder.find': { actions: withEvent('queue') },
      },
      initial: 'listening',
      states: {
        listening: {
          on: { 'finder.observed': { actions: withEvent('take') } },
          always: { guard: 'hasDetected', target: 'settling' },
        },
        // A second one may answer a moment later, so the first is not accepted at once.
        settling: {
          on: { 'finder.observed': { actions: withEvent('take') } },
          after: { settle: 'decided' },
        },
        decided: {
          entry: ['decide', 'answer'],
          on: {
            'finder.observed': { actions: [withEvent('take'), 'decide'] },
            'finder.find': { actions: [withEvent('queue'), 'answer'] },
          },
        },
      },
    },
    unavailable: { after: { retry: 'browsing' } },
    off: { entry: 'switchOff', on: { 'finder.wanted': {} } },
    failed: { type: 'final', output: crashed({ wanted: 'desired-state', browse: 'browse' }) },
  },
});
