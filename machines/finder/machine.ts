import { assign, setup } from 'xstate';

import { crashed, outcomeOf as endingOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { FinderContext, FinderEvent, FinderFact, FoundPlatform, WantedFact } from './events.ts';
import { outcomeOf } from './outcome.ts';

/** Facts of browsing with what it works on. */
export interface FinderFacts extends FinderContext {
  readonly platforms: readonly FoundPlatform[];
}

/** How long answers are collected before the first platform counts as the only one. */
const SETTLE_MS = 1500;
/** Wait before the network is browsed again after it could not be. */
const RETRY_MS = 15_000;

const facts: FinderFacts = {
  wanted: false,
  outcome: 'idle',
  host: null,
  count: 0,
  failure: null,
  platforms: [],
};

/** The machine that looks for the platform while no broker is configured. */
export const finderMachine = setup({
  // The one way XState offers to state these types.
  types: { context: {} as FinderFacts, events: {} as FinderEvent, output: {} as WorkerOutcome },
  actors: {
    wishes: placeholder<FinderEvent, undefined, WantedFact>(),
    browse: placeholder<FinderEvent, undefined, FinderFact>(),
  },
  delays: { settle: SETTLE_MS, retry: RETRY_MS },
  guards: {
    isWanted: ({ event }) => event.type === 'finder.wanted' && event.wanted,
    isUnwanted: ({ event }) => event.type === 'finder.wanted' && !event.wanted,
    hasSeen: ({ context }) => context.platforms.length > 0,
  },
  actions: {
    begin: assign({ wanted: true, outcome: 'searching', failure: null, host: null, count: 0, platforms: [] }),
    rest: assign({ wanted: false, outcome: 'idle', failure: null, host: null, count: 0, platforms: [] }),
    take: assign(({ event }) => (event.type === 'finder.seen' ? { platforms: event.platforms } : {})),
    decide: assign(({ context }) => outcomeOf(context.platforms)),
    blame: assign(({ event }) => ({
      outcome: 'unavailable' as const,
      host: null,
      count: 0,
      platforms: [],
      failure: event.type === 'finder.unavailable' ? event.code : 'unknown',
    })),
  },
}).createMachine({
  id: 'finder',
  options: { maxIterations: 50 },
  context: facts,
  initial: 'idle',
  invoke: { src: 'wishes', id: 'wishes', onError: '.failed' },
  on: {
    'finder.wanted': { guard: 'isUnwanted', target: '.idle' },
    'finder.stop': '.stopped',
  },
  output: endingOf,
  states: {
    idle: {
      entry: 'rest',
      on: { 'finder.wanted': { guard: 'isWanted', target: 'browsing' } },
    },
    browsing: {
      entry: 'begin',
      invoke: { src: 'browse', id: 'browse', onError: 'failed' },
      on: { 'finder.unavailable': { target: 'unavailable', actions: 'blame' } },
      initial: 'listening',
      states: {
        listening: {
          on: { 'finder.seen': { actions: 'take' } },
          always: { guard: 'hasSeen', target: 'settling' },
        },
        // A second platform may answer a moment after the first: the first is not taken at once.
        settling: {
          on: { 'finder.seen': { actions: 'take' } },
          after: { settle: 'decided' },
        },
        decided: {
          entry: 'decide',
          on: { 'finder.seen': { actions: ['take', 'decide'] } },
        },
      },
    },
    unavailable: { after: { retry: 'browsing' } },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ wishes: 'wishes', browse: 'browse' }) },
  },
});
