import { matchesState, type StateValue } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { AdvertiserContext, ResponderState } from './events.ts';

/** Whether a responder runs, by the advertiser's state. */
export const responderState = (state: StateValue): ResponderState =>
  (['starting', 'up', 'down'] as const).find((name) => matchesState(name, state)) ?? 'idle';

/** The advertiser's facts as they are shown. */
export interface AdvertiserView extends AdvertiserContext {
  readonly responder: ResponderState;
}

/** The advertiser's facts with the state of its responder. */
export const advertiserView = ({ value, context }: SnapshotView<AdvertiserContext>): AdvertiserView => ({
  ...context,
  responder: responderState(value),
});
