import type { StateValue } from 'xstate';

/** What a room may see of another subsystem's actor: its state value and its public facts. */
export interface SnapshotView<C = unknown> {
  readonly value: StateValue;
  readonly context: C;
}
