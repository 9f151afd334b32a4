import { assign, createMachine, emit, fromPromise, not, raise, setup, type AnyStateMachine } from 'xstate';

const work = fromPromise(() => Promise.resolve());
// Own copies of the kit's words: this folder is bundled by itself.
type Fault = { operation: string; error: unknown };
type Cause = { event: { actorId?: unknown; error?: unknown } };
const faultEvent = (fault: Fault) => ({ type: 'fault' as const, ...fault });
const faultIn = (operation: string) => ({ event }: { event: { error: unknown } }): Fault => ({ operation, error: event.error });
const crashed = (reasons: Record<string, string>) => ({ event }: Cause) => ({ ended: 'failed', reason: reasons[String(event.actorId)] ?? 'unknown', error: event.error });
const outcomeOf = ({ event }: { event: { output: unknown } }) => event.output;

const sayFault = emit((_, fault: Fault) => faultEvent(fault));
const named = setup({ actors: { work }, actions: { note: () => {}, keep: assign((_, fault: Fault) => fault), sayFault }, guards: { isOpen: () => true }, delays: { pause: 10 } });

/** A machine without the types that would refuse some of these faults. */
const bare = (config: object): AnyStateMachine => createMachine(config as never, named.createMachine({}).implementations as never);

/** A machine that an error of its invoke ends, as `failed` and `output` say it. */
const ended = (failed: object, output: unknown = outcomeOf): AnyStateMachine =>
  bare({ invoke: { src: 'work', id: 'work', onError: '.failed' }, initial: 'a', states: { a: {}, failed: { type: 'final', ...failed } }, output });

/** Machines that the audit must refuse, by the words that its refusal must contain. */
export const badCharts = {
  'without onError': named.createMachine({ invoke: { src: 'work', id: 'work' } }),
  'invoke deep without onError': named.createMachine({ initial: 'a', states: { a: { initial: 'b', states: { b: { invoke: { src: 'work', id: 'deep', onDone: {} } } } } } }),
  'unknown actor': bare({ invoke: { src: 'nobody', id: 'nobody', onError: {} } }),
  'unknown delay': bare({ initial: 'a', states: { a: { after: { later: 'b' } }, b: {} } }),
  'unknown delay eventually': bare({ on: { go: { actions: raise({ type: 'went' }, { delay: 'eventually' as never }) } } }),
  'unknown action': bare({ entry: 'shout' }),
  'unknown action whisper': bare({ on: { go: { actions: [{ type: 'whisper' }] } } }),
  'unknown guard': bare({ on: { go: { guard: 'isShut', actions: 'note' } } }),
  'unknown guard isGone': bare({ on: { go: { guard: not('isGone'), actions: 'note' } } }),
  'a guard without a name': bare({ on: { go: { guard: () => true, actions: 'note' } } }),
  'an action without a name': bare({ entry: () => {} }),
  "a bare '*'": bare({ on: { '*': { actions: 'note' } } }),
  'is for supervisors': bare({ on: { 'xstate.error.actor.*': { actions: 'note' } } }),
  'an exit action': bare({ initial: 'a', states: { a: { exit: 'note' } } }),
  'an exit action inline': bare({ exit: assign({}) }),
  'always without maxIterations': bare({ initial: 'a', states: { a: { always: { guard: 'isOpen', target: 'b' } }, b: {} } }),
  'xstate.error.actor.work drops its error': named.createMachine({ invoke: { src: 'work', id: 'work', onError: { actions: 'note' } } }),
  'drops its error inline': bare({ invoke: { src: 'work', id: 'work', onError: '.a' }, initial: 'a', states: { a: {} } }),
  'drops its error deep': ended({}),
  'drops its error in words': ended({ output: { ended: 'failed', reason: 'work' } }),
  'drops its error under another id': ended({ output: crashed({ other: 'work' }) }),
  'drops its error at the root': ended({ output: crashed({ work: 'work' }) }, { ended: 'failed', reason: 'work' }),
  'drops its error inside': bare({
    initial: 'a',
    states: { a: { invoke: { src: 'work', id: 'work', onError: '.failed' }, initial: 'b', states: { b: {}, failed: { type: 'final', output: crashed({ work: 'work' }) } } } },
    output: outcomeOf,
  }),
  'drops its error in a fault': named.createMachine({ invoke: { src: 'work', id: 'work', onError: { actions: { type: 'sayFault', params: { operation: 'work', error: null } } } } }),
  'drops its error in a context': named.createMachine({ invoke: { src: 'work', id: 'work', onError: { actions: { type: 'keep', params: faultIn('work') } } } }),
} as const;

/** One that uses everything and breaks nothing. */
export const goodChart = named.createMachine({
  id: 'good',
  options: { maxIterations: 100 },
  initial: 'a',
  entry: 'note',
  states: {
    a: {
      invoke: { src: 'work', id: 'work', onError: { actions: ['note', { type: 'sayFault', params: faultIn('work') }] } },
      after: { pause: 'b', 20: { guard: not('isOpen'), target: 'b' } },
      always: { guard: 'isOpen', target: 'b' },
    },
    b: { entry: assign({}), invoke: { src: 'work', id: 'other', onError: '#good.failed' }, on: { go: { actions: raise({ type: 'went' } as never, { delay: 'pause' }) } } },
    failed: { type: 'final', output: crashed({ other: 'other-driver' }) },
  },
  output: outcomeOf,
});
