import { matchesState, type StateValue } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { PublisherContext, PublisherPhase } from './events.ts';

/** Derives the phase from the machine's state. */
export function phaseOf(state: StateValue): PublisherPhase {
  if (matchesState('claiming', state)) return 'claiming';
  if (matchesState('duplicate', state)) return 'duplicate';
  if (matchesState('withdrawing', state) || matchesState('withdrawn', state)) return 'withdrawn';
  if (matchesState({ active: 'live' }, state)) return 'live';
  return matchesState('active', state) ? 'announcing' : 'waiting';
}

/** Public facts of the publisher, with its phase. */
export interface PublisherView extends PublisherContext {
  readonly phase: PublisherPhase;
}

export const publisherView = ({ value, context }: SnapshotView<PublisherContext>): PublisherView => ({
  ...context,
  phase: phaseOf(value),
});
