import { type AnyStateMachine, setup as setupOfXState, StateMachine } from 'xstate';

type Implementations = AnyStateMachine['implementations'];

/**
 * A machine whose states are built at their first use. `provide` only builds the machine that it returns; XState's own
 * builds both, which costs the start two thirds more work.
 */
function unbuilt(implementations: Implementations, config: AnyStateMachine['config']): AnyStateMachine {
  let built: AnyStateMachine | undefined;
  const build = (): AnyStateMachine => (built ??= new StateMachine(config, implementations));
  const { actors, actions, guards, delays } = implementations;
  const provide = (own: Partial<Implementations>): AnyStateMachine =>
    new StateMachine(config, {
      actors: { ...actors, ...own.actors },
      actions: { ...actions, ...own.actions },
      guards: { ...guards, ...own.guards },
      delays: { ...delays, ...own.delays },
    });
  // Only its prototype is that of a machine: every field comes from the one that is built.
  return new Proxy(Object.create(StateMachine.prototype) as AnyStateMachine, {
    get: (_, field) => (field === 'provide' ? provide : (Reflect.get(build(), field) as unknown)),
    has: (_, field) => Reflect.has(build(), field),
  });
}

/** XState's `setup`, but the machine is built when it is provided or first used. */
// XState's types hold: a machine that is not built yet has all of its fields.
export const setup = ((words: Partial<Implementations>) => ({
  ...setupOfXState(words as never),
  createMachine: (config: AnyStateMachine['config']) => {
    const { actors = {}, actions = {}, guards = {}, delays = {} } = words;
    return unbuilt({ actors, actions, guards, delays }, config);
  },
})) as unknown as typeof setupOfXState;
