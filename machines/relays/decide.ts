import type { RelayRestore } from './events.ts';

/** Everything that decides the state of a relay whose device was found. */
export interface RelayStart {
  /** The state requested since the agent started; null for none. */
  readonly wanted: boolean | null;
  readonly restore: RelayRestore;
  /** `pending` before the store has answered, otherwise the stored state, null for none. */
  readonly recalled: boolean | null | 'pending';
  /**
   * True if this agent has already run the relay and only its part restarts: the profile's rule for the start does
   * not apply then.
   */
  readonly again: boolean;
}

/**
 * The state to write to a relay that was found: `wait` for the store, or null to leave it as it is. A device that
 * returns gets the last requested state, so that a loose plug does not switch a heater.
 */
export function stateToWrite({ wanted, restore, recalled, again }: RelayStart): boolean | null | 'wait' {
  if (wanted !== null) return wanted;
  if (!again && restore !== 'keep') return restore === 'on';
  return recalled === 'pending' ? 'wait' : recalled;
}
