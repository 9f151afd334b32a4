import type { StateValue } from 'xstate';

/** What other parts may read of an actor: its state value and its facts. */
export interface SnapshotView<C = unknown> {
  readonly value: StateValue;
  readonly context: C;
}
