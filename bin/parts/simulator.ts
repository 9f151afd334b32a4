import type { Part } from '#actors/kit/part.ts';
import { simulatorSpec } from '#actors/simulator.ts';
import { dayDriver } from '#drivers/simulator/day.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { SimulatorDriver } from '#machines/simulator/events.ts';

const model = chunk(() => import('./simulated-day.ts'));

/** The simulated panel; the decisions that a day is played with are loaded when one is asked for. */
export const simulatorPart = (driver: SimulatorDriver): Part =>
  simulatorSpec({
    driver,
    day: dayDriver(async (seed, settings) => (await model()).simulatedDay(seed, settings)),
  });
