import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { ReadingsDriverCommand, ReadingsFact } from '#machines/readings/events.ts';
import { readings } from '#machines/readings/index.ts';
import { readingsMachine } from '#machines/readings/machine.ts';

import { part, type Part } from './kit/part.ts';

export const readingsSpec = ({
  driver,
}: {
  readonly driver: DriverLogic<ReadingsDriverCommand, undefined, ReadingsFact>;
}): Part => part(readings, readingsMachine.provide({ actors: { source: driver } }));
