import { clamp, type EpochMs } from '../kit/units.ts';
import type { DisplayFacts, DisplayReading } from './events.ts';
import { LEVEL_MAX, levelOf, litRange, toRaw } from './scale.ts';

/** What somebody asks of the screen: either part may be missing; brightness 0 is off. */
export interface Want {
  readonly on?: boolean;
  /** 0 to 255. */
  readonly brightness?: number;
  /** Who asks: `home-assistant`, `http`. */
  readonly origin: string;
}

/** What a want is decided from. */
export interface Situation {
  readonly display: DisplayFacts;
  readonly reading: DisplayReading;
  readonly lit: boolean;
  readonly lastBrightness: number;
  readonly minimumPercent: number;
}

/** One write: raw units for the driver, and what it means. */
export interface Plan {
  /** Raw brightness to write, null to leave it. */
  readonly raw: number | null;
  /** Power to write, null to leave it. */
  readonly powered: boolean | null;
  /** Level that was asked for, 1 to 255; null when none was (off, or on as it is). */
  readonly level: number | null;
  /** Whether the screen should give light afterwards. */
  readonly lit: boolean;
}

/** What a reading means to Home Assistant. */
export interface LightState {
  readonly lit: boolean;
  /** 1 to 255 while lit, null otherwise. */
  readonly brightness: number | null;
  /** The level that ON restores, 1 to 255. */
  readonly lastBrightness: number;
}

/**
 * Two wants while a write is under way: the newer one wins, and a bare ON keeps the level that was already asked for.
 */
export function merge(older: Want | null, newer: Want): Want {
  const asksForOn = newer.on === true && newer.brightness === undefined;
  if (!asksForOn || older === null || older.on === false || older.brightness === undefined || older.brightness === 0)
    return newer;
  return { ...newer, brightness: older.brightness };
}

/**
 * Whether the screen will give light once the writes under way are done: what is asked for next counts, else the write
 * itself; null when there is neither.
 */
export const wantedBy = (writing: { readonly plan: Plan } | null, next: Want | null): boolean | null =>
  next === null ? (writing?.plan.lit ?? null) : next.on !== false && next.brightness !== 0;

/** What to write for a want. A bare ON leaves a lit screen's level alone and restores the last level of a dark one. */
export function planWrite(want: Want, situation: Situation): Plan {
  const { display, reading, lit, lastBrightness, minimumPercent } = situation;
  const asked = want.brightness === undefined ? null : Math.round(clamp(want.brightness, 0, LEVEL_MAX));
  if (want.on === false || asked === 0) {
    return display.power
      ? { raw: null, powered: false, level: null, lit: false }
      : { raw: display.rawMin, powered: null, level: null, lit: false };
  }
  const powered = display.power ? true : null;
  if (asked === null && lit) return { raw: display.power ? null : reading.raw, powered, level: null, lit: true };
  const level = asked ?? lastBrightness;
  return { raw: toRaw(level, litRange(display, minimumPercent)), powered, level, lit: true };
}

/** Whether a reading gives light: without a power switch the floor counts as off, where there is anything above it. */
export function isLit(reading: DisplayReading, display: DisplayFacts): boolean {
  if (display.power) return reading.powered && reading.raw > 0;
  return display.rawMax > display.rawMin ? reading.raw > display.rawMin : reading.raw > 0;
}

/** What a reading means; `hint` is the level last asked for, published again where it maps to this very raw value. */
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
  // A display that is dark by power still holds the raw value it will show again; one on its floor remembers nothing.
  const remembers = display.power && reading.raw > 0;
  return { lit: false, brightness: null, lastBrightness: remembers ? levelOf(reading.raw, range, hint) : hint };
}

/**
 * What to publish after a write: what was asked for where the read-back is what was written, else the scaled read-back.
 */
export function settle(
  plan: Plan,
  reading: DisplayReading,
  situation: Situation,
): LightState & { readonly fault: string | null } {
  const state = interpret(reading, situation.display, situation.minimumPercent, plan.level ?? situation.lastBrightness);
  const fault = state.lit === plan.lit ? null : plan.lit ? 'still-dark' : 'still-lit';
  // The fields are named, here and where they are taken on: copies by spreading are slow, and a slider comes here at
  // every step.
  const { lit, brightness, lastBrightness } = state;
  // Going dark keeps the level in memory, whatever the hardware did to its raw value on the way.
  if (!plan.lit && !lit) return { lit, brightness, lastBrightness: situation.lastBrightness, fault };
  // With a single level there is nothing to ask for.
  const asWritten = plan.raw !== null && reading.raw === plan.raw && situation.display.rawMax > 1;
  if (lit && asWritten && plan.level !== null)
    return { lit, brightness: plan.level, lastBrightness: plan.level, fault };
  return { lit, brightness, lastBrightness, fault };
}

/**
 * A display that lights up within this time of being switched off, with nobody asking, did it by itself (milliseconds).
 */
export const SELF_WAKE_MS = 60_000;

/** Who changed the screen last. */
type Change = { readonly by: string; readonly at: EpochMs } | null;

/** Whether somebody had the screen switched off and nobody else has touched it since. */
export const isDarkByOrder = ({ lit, changed }: { readonly lit: boolean | null; readonly changed: Change }): boolean =>
  lit === false && changed !== null && !['elsewhere', 'itself'].includes(changed.by);

/**
 * Whether what was just seen is a display turning itself on: it was switched off by order a short while ago and gives
 * light now. Monitors do this when they scan their inputs; nobody on the panel can tell it from somebody with a remote
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

/** Whether two readings say the same. */
export const sameReading = (one: DisplayReading, other: DisplayReading): boolean =>
  one.raw === other.raw && one.powered === other.powered;
