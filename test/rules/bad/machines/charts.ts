import { assign, createMachine, fromPromise, not, raise, setup, type AnyStateMachine } from 'xstate';

const work = fromPromise(() => Promise.resolve());
const named = setup({ actors: { work }, actions: { note: () => {} }, guards: { isOpen: () => true }, delays: { pause: 10 } });

/** A machine without the types that would refuse some of these faults. */
const bare = (config: object): AnyStateMachine => createMachine(config as never, named.createMachine({}).implementations as never);

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
} as const;

/** One that uses everything and breaks nothing. */
export const goodChart = named.createMachine({
  options: { maxIterations: 100 },
  initial: 'a',
  entry: 'note',
  states: {
    a: {
      invoke: { src: 'work', id: 'work', onError: { actions: 'note' } },
      after: { pause: 'b', 20: { guard: not('isOpen'), target: 'b' } },
      always: { guard: 'isOpen', target: 'b' },
    },
    b: { entry: assign({}), on: { go: { actions: raise({ type: 'went' } as never, { delay: 'pause' }) } } },
  },
});
