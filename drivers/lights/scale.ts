import { clamp } from '#machines/kit/units.ts';
import type { LightOutput, Rgb } from '#machines/lights/events.ts';

/** The largest level, and the largest part of a colour. */
export const FULL = 255;

/** Raw brightness for a level of 0 to 255 on a device that counts to `rawMax`; whatever is lit stays lit. */
export const rawOf = (level: number, rawMax: number): number =>
  level <= 0 ? 0 : Math.round(clamp((level * rawMax) / FULL, 1, rawMax));

/** Level of a raw brightness; whatever is lit is at least 1. */
export const levelOf = (raw: number, rawMax: number): number =>
  raw <= 0 ? 0 : Math.round(clamp((raw * FULL) / rawMax, 1, FULL));

/** The brightest part of a colour. */
export const brightest = ({ red, green, blue }: Rgb): number => Math.max(red, green, blue);

const each = ({ red, green, blue }: Rgb, turn: (part: number) => number): Rgb => ({
  red: turn(red),
  green: turn(green),
  blue: turn(blue),
});

/**
 * A colour at a level, as lights show it that have no brightness of their own: its brightest part becomes that share of
 * the level.
 */
export const scaled = (rgb: Rgb, level: number): Rgb => each(rgb, (part) => Math.round((part * level) / FULL));

/** The full colour of a dimmed one: its brightest part becomes 255; black stays black. */
export function unscaled(rgb: Rgb): Rgb {
  const most = brightest(rgb);
  return most === 0 ? rgb : each(rgb, (part) => Math.round((part * FULL) / most));
}

/**
 * Raw values of three single lights for an output; a lit colour never vanishes in the rounding of its brightest part.
 */
export function rawParts({ level, rgb }: LightOutput, rawMax: Rgb): Rgb {
  if (level <= 0 || rgb === null) return { red: 0, green: 0, blue: 0 };
  const most = brightest(rgb);
  const raw = (part: number, max: number): number => {
    const exact = (part * level * max) / (FULL * FULL);
    return part === most && most > 0 ? Math.max(1, Math.round(exact)) : Math.round(exact);
  };
  return { red: raw(rgb.red, rawMax.red), green: raw(rgb.green, rawMax.green), blue: raw(rgb.blue, rawMax.blue) };
}

/** What three single lights show. */
export function outputOf(raw: Rgb, rawMax: Rgb): LightOutput {
  const parts = {
    red: (raw.red * FULL) / rawMax.red,
    green: (raw.green * FULL) / rawMax.green,
    blue: (raw.blue * FULL) / rawMax.blue,
  };
  const level = brightest(parts);
  return { level: level > 0 ? Math.max(1, Math.round(level)) : 0, rgb: unscaled(each(parts, Math.round)) };
}
