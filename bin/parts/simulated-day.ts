import type { BrightnessSettings } from '#machines/auto-brightness/events.ts';
import { fitMinutes } from '#machines/auto-brightness/fit.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { followSleep } from '#machines/auto-sleep/follow.ts';
import { dayOf } from '#machines/simulator/day.ts';
import type { SimulatedDay } from '#machines/simulator/events.ts';
import { playedEvening } from '#machines/simulator/played-evening.ts';

/** A day, and its evening, by the functions that decide on a real panel. */
export function* simulatedDay(seed: number, settings: BrightnessSettings): Generator<void, SimulatedDay> {
  const day = yield* dayOf(seed, settings, { follow: followRoom, fit: fitMinutes });
  return { ...day, evening: playedEvening(seed, followSleep) };
}
