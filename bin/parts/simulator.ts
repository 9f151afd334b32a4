import type { Part } from '#actors/kit/part.ts';
import { simulatorSpec } from '#actors/simulator.ts';
import { dayDriver } from '#drivers/simulator/day.ts';
import { speechDriver } from '#drivers/simulator/speech.ts';
import { chunk } from '#machines/kit/chunk.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';

const model = chunk(() => import('./simulated-day.ts'));

/** The simulated panel; the decisions that a day is played with are loaded when one is asked for. */
export const simulatorPart = ({ driver, device }: NonNullable<ResolvedProfile['simulator']>): Part =>
  simulatorSpec({
    driver,
    day: dayDriver(async (seed, settings) => (await model()).simulatedDay(seed, settings)),
    speech: speechDriver({ device }),
  });
