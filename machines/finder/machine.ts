import { assign, setup } from 'xstate';

import { crashed, outcomeOf as endingOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import type { FinderContext, FinderEvent, FinderFact, FoundInstance, SwitchedOffFact, WantedFact } from './events.ts';
import { outcomeOf } from './outcome.ts';

/** Facts of browsing with what it works on. */
export interface FinderFacts extends FinderContext {
  readonly instances: readonly FoundInstance[];
}

/** How long answers are collected before the first Home Assistant counts as the only one. */
const SETTLE_MS = 1500;
/** Wait before the network is browsed again after it could not be. */
const RETRY_MS = 15_000;

const nothingFound = { host: null, name: null, count: 0, instances: [] };

const facts: FinderFacts = { wanted: false, outcome: 'idle', failure: null, ...nothingFound };

/** The machine that looks for Home Assistant while no broker is configured. */
export const finderMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: { context: {} as FinderFacts, events: {} as FinderEvent, output: {} as WorkerOutcome },
  actors: {
    wanted: placeholder<FinderEvent, undefined, WantedFact | SwitchedOffFact>(),
    browse: placeholder<FinderEvent, undefined, FinderFact>(),
  },
  delays: { settle: SETTLE_MS, retry: RETRY_MS },
  guards: {
    isWanted: (_, { wanted }: WantedFact) => wanted,
    isUnwanted: (_, { wanted }: WantedFact) => !wanted,
    hasSeen: ({ context }) => context.instances.length > 0,
  },
  actions: {
    begin: assign({ wanted: true, outcome: 'searching', failure: null, ...nothingFound }),
    rest: assign({ wanted: false, outcome: 'idle', failure: null, ...nothingFound }),
    switchOff: assign({ outcome: 'off' }),
    take: assign((_, { instances }: Extract<FinderFact, { readonly type: 'finder.seen' }>) => ({ instances })),
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
    'finder.wanted': { guard: withEvent('isUnwanted'), target: '.idle' },
    'finder.switched-off': '.off',
  },
  output: endingOf,
  states: {
    idle: {
      entry: 'rest',
      on: { 'finder.wanted': { guard: withEvent('isWanted'), target: 'browsing' } },
    },
    browsing: {
      entry: 'begin',
      invoke: { src: 'browse', id: 'browse', onError: 'failed' },
      on: { 'finder.unavailable': { target: 'unavailable', actions: withEvent('blame') } },
      initial: 'listening',
      states: {
        listening: {
          on: { 'finder.seen': { actions: withEvent('take') } },
          always: { guard: 'hasSeen', target: 'settling' },
        },
        // A second one may answer a moment after the first: the first is not taken at once.
        settling: {
          on: { 'finder.seen': { actions: withEvent('take') } },
          after: { settle: 'decided' },
        },
        decided: {
          entry: 'decide',
          on: { 'finder.seen': { actions: [withEvent('take'), 'decide'] } },
        },
      },
    },
    unavailable: { after: { retry: 'browsing' } },
    off: { entry: 'switchOff', on: { 'finder.wanted': {} } },
    // The codes stand in the records of supervision that owners already have.
    failed: { type: 'final', output: crashed({ wanted: 'wishes', browse: 'browse' }) },
  },
});
