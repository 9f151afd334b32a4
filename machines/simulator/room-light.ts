import { MAX_LUX } from '../kit/lux.ts';
import { clamp, type EpochMs, type Milliseconds } from '../kit/units.ts';

/** Interval of the generated light, in milliseconds. */
export const LIGHT_STEP_MS: Milliseconds = 10_000;

/** Where the generated room is, and when its light begins. */
export interface RoomLightOptions {
  /** The same seed gives the same light; a whole number. */
  readonly seed: number;
  readonly startAt: EpochMs;
  /** How many days, 1 to 14. */
  readonly days: number;
  /** Elevation of the sun in degrees at a moment. */
  readonly elevationAt: (at: EpochMs) => number;
  /** Minute of the local day at a moment, 0 to 1439. */
  readonly minuteOfDayAt: (at: EpochMs) => number;
}

/** A step of the generated light. */
export interface RoomLight {
  readonly at: EpochMs;
  readonly lux: number;
  /** The same without what drifts: under the day's usual clouds, and without noise. */
  readonly steadyLux: number;
  /** Set on the step at which a person turns the brightness up or down by hand. */
  readonly hand: 'up' | 'down' | null;
}

/** Random numbers from 0 to 1 that the seed determines (Mulberry32). */
export function numbers(seed: number): () => number {
  let state = Math.imul(Math.trunc(seed) + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Daylight behind a north window in lux: twilight below the horizon, up to 1,200 lx with a high sun in a clear sky. */
function daylight(elevation: number): number {
  if (elevation < -6) return 0;
  if (elevation < 0) return 4 * ((elevation + 6) / 6) ** 2;
  return 4 + 1200 * Math.sin((Math.PI / 180) * Math.min(90, elevation)) ** 0.8;
}

/** The lamps of one day: when they are switched on and off, in minutes of the day. */
interface Lamps {
  readonly morningOn: number;
  readonly morningOff: number;
  readonly eveningOn: number;
  readonly eveningOff: number;
  readonly lux: number;
}

/** What one day has of its own. */
interface DayPlan {
  readonly lamps: Lamps;
  /** Mean share of daylight that clouds let through. */
  readonly sky: number;
  /** Curtains: closed before and after these minutes. */
  readonly open: number;
  readonly closed: number;
  /** Minute at which a hand changes the level; null on most days. */
  readonly hand: { readonly minute: number; readonly way: 'up' | 'down' } | null;
}

/** Share of the light that closed curtains let through. */
const CURTAIN = 0.08;
/** Light that a dark room has at night, in lux. */
const NIGHT_LUX = 0.2;

function planOf(next: () => number): DayPlan {
  const between = (low: number, high: number): number => low + next() * (high - low);
  return {
    lamps: {
      morningOn: between(380, 420),
      morningOff: between(450, 500),
      eveningOn: between(1030, 1110),
      eveningOff: between(1350, 1425),
      lux: between(90, 180),
    },
    sky: between(0.35, 1),
    open: between(400, 460),
    closed: between(1180, 1240),
    hand: next() < 0.3 ? { minute: between(480, 1300), way: next() < 0.5 ? 'up' : 'down' } : null,
  };
}

/**
 * The light of a living room, day after day: dawn and dusk, clouds that drift and sometimes break, lamps in the morning
 * and the evening, curtains, and now and then a hand on the brightness. One step each 10 s.
 */
export function* roomLight({
  seed,
  startAt,
  days,
  elevationAt,
  minuteOfDayAt,
}: RoomLightOptions): Generator<RoomLight> {
  const next = numbers(seed);
  let plan = planOf(next);
  let before = minuteOfDayAt(startAt);
  let cloud = plan.sky;
  let isHandDue = plan.hand !== null && plan.hand.minute > before;
  const steps = Math.round((clamp(days, 1, 14) * 86_400_000) / LIGHT_STEP_MS);
  for (let step = 0; step < steps; step += 1) {
    const at = startAt + step * LIGHT_STEP_MS;
    const minute = minuteOfDayAt(at);
    if (minute < before) {
      plan = planOf(next);
      isHandDue = plan.hand !== null;
    }
    before = minute;
    // Clouds drift back to the day's mean within some minutes, and break open or close now and then.
    cloud += (plan.sky - cloud) * 0.02 + (next() - 0.5) * 0.04;
    if (next() < 0.001) cloud = next();
    cloud = clamp(cloud, 0.15, 1);
    const { lamps } = plan;
    const isLampOn =
      (minute >= lamps.morningOn && minute < lamps.morningOff) ||
      (minute >= lamps.eveningOn && minute < lamps.eveningOff);
    const curtain = minute >= plan.open && minute < plan.closed ? 1 : CURTAIN;
    const sun = daylight(elevationAt(at)) * curtain;
    const others = NIGHT_LUX + (isLampOn ? lamps.lux : 0);
    const lux = (others + sun * cloud) * (1 + (next() - 0.5) * 0.02);
    const isHand = isHandDue && plan.hand !== null && minute >= plan.hand.minute;
    if (isHand) isHandDue = false;
    yield {
      at,
      lux: clamp(lux, 0, MAX_LUX),
      steadyLux: others + sun * plan.sky,
      hand: isHand ? (plan.hand?.way ?? null) : null,
    };
  }
}
