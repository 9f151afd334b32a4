import type { BrightnessSettings } from '#machines/auto-brightness/events.ts';
import { fitMinutes } from '#machines/auto-brightness/fit.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { dayOf } from '#machines/simulator/day.ts';
import type { SimulatedDay } from '#machines/simulator/events.ts';

/** A day by the functions that decide on a real panel. */
export const simulatedDay = (seed: number, settings: BrightnessSettings): Generator<void, SimulatedDay> =>
  dayOf(seed, settings, { follow: followRoom, fit: fitMinutes });
