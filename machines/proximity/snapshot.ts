import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { ProximityContext } from './events.ts';

/** The sensor's facts as they are shown: those that follow from the state of its chart beside those of its context. */
export interface ProximitySnapshot extends ProximityContext {
  /** Whether a guided calibration is running. */
  readonly calibrating: boolean;
  /** Whether the saved calibrations are known. */
  readonly recalled: boolean;
  /** A save or a reset that is on its way to the disk. */
  readonly keeping: 'save' | 'reset' | null;
}

/** The facts of a sensor by its chart's state. */
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
