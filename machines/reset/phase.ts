import { matchesState, type StateValue } from 'xstate';

import type { ResetContext, ResetOutcome, ResetPhase } from './events.ts';

/** The phase of a reset, derived from the machine's state. */
export function phaseOf(state: StateValue): ResetPhase {
  if (matchesState('withdrawing', state)) return 'withdrawing';
  if (matchesState('clearing', state)) return 'clearing';
  return (['restarting', 'done'] as const).some((name) => matchesState(name, state)) ? 'restarting' : 'idle';
}

/** Why a reset would be refused in this state, as the machine refuses it; null if one can begin. */
export function whyUnresettable(reset: {
  readonly value: StateValue;
  readonly context: Pick<ResetContext, 'trial'>;
}): Extract<ResetOutcome, { readonly status: 'refused' }>['reason'] | null {
  if (matchesState('recalling', reset.value)) return 'unread';
  if (!matchesState('idle', reset.value)) return 'running';
  return reset.context.trial ? 'trial' : null;
}
