import { matchesState, type StateValue } from 'xstate';

import type { ResetPhase } from './events.ts';

/** The phase of a reset, derived from the machine's state. */
export function phaseOf(state: StateValue): ResetPhase {
  if (matchesState('withdrawing', state)) return 'withdrawing';
  if (matchesState('clearing', state)) return 'clearing';
  return (['restarting', 'done'] as const).some((name) => matchesState(name, state)) ? 'restarting' : 'idle';
}
