import { fromDriver } from '#drivers/kit/from-driver.ts';
import { calibrationsSection, readCalibrations } from '#machines/proximity/calibration.ts';
import type { ProximityStoreCommand, ProximityStoreFact } from '#machines/proximity/events.ts';

import { type Asking, storedSection } from './kit/stored-section.ts';

/** Keeps the saved calibrations in their stored section: read at the start, written when a person saves or resets. */
export const proximityStore = (registry: Asking) =>
  fromDriver<ProximityStoreCommand, undefined, ProximityStoreFact>((scope) => {
    const store = storedSection(registry, scope, {
      section: 'proximity',
      parse: readCalibrations,
      format: (calibrations) => (calibrations.length === 0 ? null : calibrationsSection(calibrations)),
      rateLimit: 'at-once',
    });
    scope.onEvent(async ({ calibrations }) => {
      const failure = await store.write(calibrations);
      scope.send(
        failure === null
          ? { type: 'calibrations.kept', calibrations }
          : { type: 'calibrations.unkept', reason: failure },
      );
    });
    store.recall((calibrations) => scope.send({ type: 'calibrations.recalled', calibrations }));
    return store.end;
  });
