import type { RelayRestore } from './events.ts';

/** What decides about a relay whose device was found. */
export interface RelayStart {
  /** What it is wanted to be since the agent started; null for nothing. */
  readonly wanted: boolean | null;
  readonly restore: RelayRestore;
  /** `pending` before the store has answered, else the state that was kept, null for none. */
  readonly recalled: boolean | null | 'pending';
  /**
   * Whether this agent has run the relay before and only this part of it starts anew: then nothing has happened that
   * the profile speaks of.
   */
  readonly again: boolean;
}

/**
 * The state to write to a relay that was found: `wait` for the store, or null to leave it as it is. A device that
 * comes back gets what was last asked for, so that a loose plug does not switch a heater.
 */
export function stateToWrite({ wanted, restore, recalled, again }: RelayStart): boolean | null | 'wait' {
  if (wanted !== null) return wanted;
  if (!again && restore !== 'keep') return restore === 'on';
  return recalled === 'pending' ? 'wait' : recalled;
}
