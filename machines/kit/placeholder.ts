import { type ActorLogic, type EventObject, fromPromise, type NonReducibleUnknown, type Snapshot } from 'xstate';

/** A driver's public snapshot: only whether it runs. Its input, which may hold a secret, is not in it. */
type DriverSnapshot = Snapshot<undefined>;

/**
 * The contract of a driver actor: `TEvent` is what its machine sends, `TInput` its input, `TFact` what it reports back.
 */
export interface DriverLogic<TEvent extends EventObject, TInput, out TFact extends EventObject> extends ActorLogic<
  DriverSnapshot,
  TEvent,
  TInput
> {
  /**
   * Carries `TFact` for the compiler and is never set: without it a driver that reports the wrong facts would compile.
   */
  readonly reports?: TFact;
}

const notProvided = (): Error => new Error('placeholder-not-provided');

/**
 * Placeholder in a machine's `setup({ actors })` until `machine.provide(...)` supplies the driver; throws when started.
 * Use `never` as the facts of a driver that reports nothing.
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

/** The same for work with one result: rejects until `machine.provide(...)` supplies the promise. */
export const promisePlaceholder = <TOutput, TInput = NonReducibleUnknown>() =>
  fromPromise<TOutput, TInput>(() => Promise.reject(notProvided()));
