import { fromDriver } from '#drivers/kit/from-driver.ts';
import { calibrationsSection, readCalibrations } from '#machines/proximity/calibration.ts';
import type { ProximityMemoryCommand, ProximityMemoryFact } from '#machines/proximity/events.ts';

import { type Asking, storedSection } from './kit/stored-section.ts';

/**
 * Keeps the saved calibrations in their section of the durable document: read at start, written when a person saves or
 * resets.
 */
export const proximityMemory = (registry: Asking) =>
  fromDriver<ProximityMemoryCommand, undefined, ProximityMemoryFact>((scope) => {
    const memory = storedSection(registry, scope, {
      section: 'proximity',
      parse: readCalibrations,
      format: (calibrations) => (calibrations.length === 0 ? null : calibrationsSection(calibrations)),
      pace: 'at-once',
    });
    scope.onEvent(async ({ calibrations }) => {
      const failure = await memory.write(calibrations);
      scope.send(
        failure === null
          ? { type: 'calibrations.kept', calibrations }
          : { type: 'calibrations.unkept', reason: failure },
      );
    });
    memory.recall((calibrations) => scope.send({ type: 'calibrations.recalled', calibrations }));
    return memory.end;
  });
