import type { BrightnessSettings } from '../auto-brightness/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { DayFrame, SimulatedDay } from './events.ts';
import { DAY_MS, lightOf, MinuteRows, type PlayedStep, playRoom, type RoomModel } from './played-room.ts';

/** A midnight near the equinox: as long a day as a night. */
const START = Date.UTC(2026, 8, 14);
/** Days that were measured before the one that is played. */
const LEARNED_DAYS = 6;
/** How long it is played before midnight, so that the cold start is over by then. */
const LEAD_MS: Milliseconds = 3_600_000;
const FRAME_MS: Milliseconds = 300_000;
const FIT_EVERY_MS: Milliseconds = 3_600_000;
/** Steps between two pauses: some milliseconds on a slow machine. */
const SLICE = 16;

const frameOf = ({ light: { at, lux }, view }: PlayedStep): DayFrame => ({
  minuteOfDay: Math.floor(((at - START) % DAY_MS) / 60_000),
  lux,
  expectedLux: view?.expectedLux ?? null,
  level: view?.appliedTarget ?? null,
  state: view?.state ?? 'unavailable',
});

/**
 * One day of the generated room, after six days that were learned, as the functions of a real panel decide about it.
 * In slices of a few milliseconds, between which the caller may pause.
 */
export function* dayOf<F>(
  seed: number,
  settings: BrightnessSettings,
  model: RoomModel<F>,
): Generator<void, Omit<SimulatedDay, 'evening'>> {
  const dayAt = START + LEARNED_DAYS * DAY_MS;
  const light = lightOf(seed, START, LEARNED_DAYS + 1);
  const learned = new MinuteRows();
  let steps = 0;
  for (let next = light.next(); next.done !== true && next.value.at < dayAt - LEAD_MS; next = light.next()) {
    learned.add(next.value);
    steps += 1;
    if (steps % (SLICE * 8) === 0) yield;
  }
  const frames: DayFrame[] = [];
  for (const step of playRoom(model, { light, settings, minutes: learned.rows, fitEveryMs: FIT_EVERY_MS })) {
    steps += 1;
    if (step === null || steps % SLICE === 0) yield;
    if (step !== null && step.light.at >= dayAt && (step.light.at - dayAt) % FRAME_MS === 0) frames.push(frameOf(step));
  }
  return { seed, settings, frames };
}
