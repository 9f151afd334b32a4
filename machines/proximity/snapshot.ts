import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { ProximityContext } from './events.ts';

/** The context together with the facts that follow from the state of the chart. */
export interface ProximitySnapshot extends ProximityContext {
  /** True while a guided calibration is running. */
  readonly calibrating: boolean;
  /** True once the saved calibrations are loaded. */
  readonly recalled: boolean;
  /** The save or reset that is being written. */
  readonly keeping: 'save' | 'reset' | null;
}

export function proximitySnapshot({ value, context }: SnapshotView<ProximityContext>): ProximitySnapshot {
  const isIn = (region: 'sensor' | 'store', state: string | { readonly present: string }): boolean =>
    matchesState({ watching: { [region]: state } }, value);
  return {
    ...context,
    calibrating: isIn('sensor', { present: 'calibrating' }),
    recalled: !isIn('store', 'recalling'),
    keeping: isIn('store', 'saving') ? 'save' : isIn('store', 'resetting') ? 'reset' : null,
  };
}
