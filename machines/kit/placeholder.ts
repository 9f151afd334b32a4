import { type ActorLogic, type EventObject, fromPromise, type NonReducibleUnknown, type Snapshot } from 'xstate';

/**
 * What can be seen of a driver from outside: only whether it runs. Its input, which may hold a secret, is not in it.
 */
type DriverSnapshot = Snapshot<undefined>;

/**
 * The contract of a driver actor: `TEvent` is what its machine sends to it, `TInput` what it is started with, `TFact`
 * what it reports to its machine.
 */
export interface DriverLogic<TEvent extends EventObject, TInput, out TFact extends EventObject> extends ActorLogic<
  DriverSnapshot,
  TEvent,
  TInput
> {
  /**
   * Carries `TFact` for the compiler and is never set: without it a driver that reports other facts than its machine
   * takes would fit.
   */
  readonly reports?: TFact;
}

const notProvided = (): Error => new Error('placeholder-not-provided');

/**
 * Stands in a machine's `setup({ actors })` until `machine.provide(...)` brings the driver; it throws when it is
 * started. A driver that reports nothing has `never` for its facts.
 */
export const placeholder = <TEvent extends EventObject, TInput, TFact extends EventObject>(): DriverLogic<
  TEvent,
  TInput,
  TFact
> => ({
  start: () => {
    throw notProvided();
  },
  transition: (snapshot) => snapshot,
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
  getPersistedSnapshot: (snapshot) => snapshot,
});

/** The same for work that ends with one result: it rejects until `machine.provide(...)` brings the promise. */
export const promisePlaceholder = <TOutput, TInput = NonReducibleUnknown>() =>
  fromPromise<TOutput, TInput>(() => Promise.reject(notProvided()));
