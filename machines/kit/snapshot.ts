import type { StateValue } from 'xstate';

/** The public view of an actor: its state value and its public facts. */
export interface SnapshotView<C = unknown> {
  readonly value: StateValue;
  readonly context: C;
}
