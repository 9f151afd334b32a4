import type { ActorLogic, EventObject, Snapshot } from 'xstate';

/**
 * What can be seen of a driver from outside: only whether it runs. Its input, which may hold a secret, is not in it.
 */
export type DriverSnapshot = Snapshot<undefined>;

/** The logic of a driver actor: `TEvent` is what its machine sends to it, `TInput` what it is started with. */
export type DriverLogic<TEvent extends EventObject, TInput> = ActorLogic<DriverSnapshot, TEvent, TInput>;

/**
 * Stands in a machine's `setup({ actors })` until `machine.provide(...)` brings the driver; it throws when it is
 * started.
 */
export const placeholder = <TEvent extends EventObject, TInput = undefined>(): DriverLogic<TEvent, TInput> => ({
  start: () => {
    throw new Error('placeholder-not-provided');
  },
  transition: (snapshot) => snapshot,
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
  getPersistedSnapshot: (snapshot) => snapshot,
});
