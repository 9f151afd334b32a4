import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { calibrationsSection, readCalibrations } from '#machines/proximity/calibration.ts';
import type { ProximityMemoryCommand, ProximityMemoryFact } from '#machines/proximity/events.ts';

import { type Asking, commitSections, readSection } from './settings.ts';

/** Pause before a store that did not answer is asked again. */
const RECALL_PAUSE_MS: Milliseconds = 1000;

/**
 * Keeps the saved calibrations in their section of the durable document: read at start, written when a person saves or
 * resets.
 */
export const proximityMemory = (registry: Asking) =>
  fromDriver<ProximityMemoryCommand, undefined, ProximityMemoryFact>(({ send, onEvent, guard, signal }) => {
    let again: NodeJS.Timeout | undefined;
    const recall = async (): Promise<void> => {
      const section = await readSection(registry, 'proximity');
      if (signal.aborted) return;
      if (section === undefined) again = setTimeout(guard(recall), RECALL_PAUSE_MS);
      else send({ type: 'calibrations.recalled', calibrations: readCalibrations(section) });
    };
    onEvent(async ({ calibrations }) => {
      const failure = await commitSections(registry, {
        proximity: calibrations.length === 0 ? null : calibrationsSection(calibrations),
      });
      send(
        failure === null
          ? { type: 'calibrations.kept', calibrations }
          : { type: 'calibrations.unkept', reason: failure },
      );
    });
    guard(recall)();
    return () => clearTimeout(again);
  });
