import { LEVEL_MAX } from '../kit/level.ts';
import { clamp, type EpochMs } from '../kit/units.ts';
import type { DisplayFacts, DisplayReading } from './events.ts';
import { levelOf, litRange, toRaw } from './scale.ts';

/** A request to the screen: either part may be missing; brightness 0 is off. */
export interface Want {
  readonly on?: boolean;
  /** 0 to 255. */
  readonly brightness?: number;
  /** Where the request came from: `home-assistant`, `http`. */
  readonly origin: string;
  /** Present if it must not light a dark display. */
  readonly ifLit?: true;
}

/** Everything that a write is planned from. */
export interface Situation {
  readonly display: DisplayFacts;
  readonly reading: DisplayReading;
  readonly lit: boolean;
  readonly lastBrightness: number;
  readonly minimumPercent: number;
  /** The level that the room asks for and that is not written yet; a bare ON takes it along. */
  readonly roomLevel: number | null;
}

/** One write: raw units for the driver, and their meaning. */
export interface Plan {
  /** Raw brightness to write, null to leave it. */
  readonly raw: number | null;
  /** Power to write, null to leave it. */
  readonly powered: boolean | null;
  /** The requested level, 1 to 255; null without one (off, or on at the current level). */
  readonly level: number | null;
  /** True if the screen should be lit afterwards. */
  readonly lit: boolean;
}

/** A reading in terms of Home Assistant's light. */
export interface LightState {
  readonly lit: boolean;
  /** 1 to 255 while lit, null otherwise. */
  readonly brightness: number | null;
  /** The level that ON restores, 1 to 255. */
  readonly lastBrightness: number;
}

/** True for a request for light at a level. */
export const asksForLevel = (want: Want | null): boolean =>
  want !== null && want.on !== false && want.brightness !== undefined && want.brightness !== 0;

/**
 * Merges two requests while a write is in progress: the newer one wins, and a bare ON keeps a level already
 * requested.
 */
export function merge(older: Want | null, newer: Want): Want {
  const asksForOn = newer.on === true && newer.brightness === undefined;
  if (!asksForOn || older?.brightness === undefined || !asksForLevel(older)) return newer;
  return { ...newer, brightness: older.brightness };
}

/**
 * True if the screen will be lit once the pending writes are done: the next request counts, otherwise the current
 * write; null without either. A write that lights nothing does not count.
 */
export function wantedBy(
  writing: { readonly plan: Plan; readonly want?: Want } | null,
  next: Want | null,
): boolean | null {
  if (next !== null) return next.on !== false && next.brightness !== 0;
  return writing === null || writing.want?.ifLit === true ? null : writing.plan.lit;
}

/**
 * Plans the write for a request. A bare ON keeps a lit screen's level and restores the last level of a dark one, unless
 * the room asks for another.
 */
export function planWrite(want: Want, situation: Situation): Plan {
  const { display, reading, lit, lastBrightness, minimumPercent, roomLevel } = situation;
  const asked = want.brightness === undefined ? null : Math.round(clamp(want.brightness, 0, LEVEL_MAX));
  if (want.on === false || asked === 0) {
    return display.power
      ? { raw: null, powered: false, level: null, lit: false }
      : { raw: display.rawMin, powered: null, level: null, lit: false };
  }
  // A write that must not light a display leaves its switch alone.
  const powered = display.power && want.ifLit !== true ? true : null;
  if (asked === null && lit && roomLevel === null)
    return { raw: display.power ? null : reading.raw, powered, level: null, lit: true };
  const level = asked ?? roomLevel ?? lastBrightness;
  return { raw: toRaw(level, litRange(display, minimumPercent)), powered, level, lit: true };
}

/**
 * Largest raw value that counts as dark: without a power switch the floor does, provided there is a value above it.
 */
export const darkestRaw = ({ power, rawMax, rawMin }: DisplayFacts): number => (!power && rawMax > rawMin ? rawMin : 0);

/** True if a reading means lit. */
export const isLit = (reading: DisplayReading, display: DisplayFacts): boolean =>
  (reading.powered || !display.power) && reading.raw > darkestRaw(display);

/** What a reading means; `hint` is the last requested level, published again if it maps to this exact raw value. */
export function interpret(
  reading: DisplayReading,
  display: DisplayFacts,
  minimumPercent: number,
  hint: number,
): LightState {
  const range = litRange(display, minimumPercent);
  if (isLit(reading, display)) {
    const level = levelOf(reading.raw, range, hint);
    return { lit: true, brightness: level, lastBrightness: level };
  }
  // A display that is powered off still holds the raw value it will show again; one at its floor remembers nothing.
  const remembers = display.power && reading.raw > 0;
  return { lit: false, brightness: null, lastBrightness: remembers ? levelOf(reading.raw, range, hint) : hint };
}

/**
 * What to publish after a write: the requested level if the read-back is what was written, otherwise the scaled
 * read-back.
 */
export function settle(
  plan: Plan,
  reading: DisplayReading,
  situation: Situation,
): LightState & { readonly fault: string | null } {
  const state = interpret(reading, situation.display, situation.minimumPercent, plan.level ?? situation.lastBrightness);
  const fault = state.lit === plan.lit ? null : plan.lit ? 'still-dark' : 'still-lit';
  // Fields are named one by one, here and where they are used: copying by spread is slow, and a slider runs this at
  // every step.
  const { lit, brightness, lastBrightness } = state;
  // Going dark keeps the level in memory, whatever the hardware did to its raw value.
  if (!plan.lit && !lit) return { lit, brightness, lastBrightness: situation.lastBrightness, fault };
  // With a single raw level there was no level to request.
  const asWritten = plan.raw !== null && reading.raw === plan.raw && situation.display.rawMax > 1;
  if (lit && asWritten && plan.level !== null)
    return { lit, brightness: plan.level, lastBrightness: plan.level, fault };
  return { lit, brightness, lastBrightness, fault };
}

/**
 * A display that lights up within this time of being switched off, without a request, did so by itself
 * (milliseconds).
 */
export const SELF_WAKE_MS = 60_000;

/** What changed the screen last. */
type Change = { readonly by: string; readonly at: EpochMs } | null;

/** True if a request changed the screen last. */
export const isByOrder = (changed: Change): boolean =>
  changed !== null && !['elsewhere', 'itself'].includes(changed.by);

/** True if the screen was switched off on request and nothing has changed it since. */
export const isDarkByOrder = ({ lit, changed }: { readonly lit: boolean | null; readonly changed: Change }): boolean =>
  lit === false && isByOrder(changed);

/**
 * True if an observation shows a display turning itself on: it was switched off on request a short while ago and is
 * lit now. Monitors do this when they scan their inputs; the panel cannot tell it from a person with a remote
 * control.
 */
export function turnedItselfOn(
  now: { readonly lit: boolean | null; readonly display: DisplayFacts | null; readonly changed: Change },
  seen: { readonly reading: DisplayReading; readonly at: EpochMs },
): boolean {
  const { display, changed } = now;
  if (!isDarkByOrder(now) || display === null || changed === null) return false;
  const since = seen.at - changed.at;
  return isLit(seen.reading, display) && since >= 0 && since <= SELF_WAKE_MS;
}

export const sameReading = (one: DisplayReading, other: DisplayReading): boolean =>
  one.raw === other.raw && one.powered === other.powered;
