import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { ReadingsDriverCommand } from '#machines/readings/events.ts';
import { readingsMachine } from '#machines/readings/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** The machine's own readings: permanent; asked to stop, it ends at once. `driver` is what looks. */
export const readingsSpec = ({
  driver,
}: {
  readonly driver: DriverLogic<ReadingsDriverCommand, undefined>;
}): ChildSpec => ({
  id: 'readings',
  logic: readingsMachine.provide({ actors: { probe: driver } }),
  restart: 'permanent',
  stop: { event: { type: 'readings.stop' }, withinMs: 50 },
});
