import { matchesState, type StateValue } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { AdvertiserContext, ResponderState } from './events.ts';

/** The state of the responder, derived from the machine's. */
export const responderState = (state: StateValue): ResponderState =>
  (['starting', 'up', 'down'] as const).find((name) => matchesState(name, state)) ?? 'idle';

/** The advertiser's public facts with the state of its responder. */
export interface AdvertiserView extends AdvertiserContext {
  readonly responder: ResponderState;
}

export const advertiserView = ({ value, context }: SnapshotView<AdvertiserContext>): AdvertiserView => ({
  ...context,
  responder: responderState(value),
});
