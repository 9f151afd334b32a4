import { clamp } from '#machines/kit/units.ts';
import type { LightOutput, Rgb } from '#machines/lights/events.ts';

/** Largest level, and largest component of a colour. */
export const FULL = 255;

/** Raw brightness for a level of 0 to 255 on a device that counts to `rawMax`; a lit level never rounds to 0. */
export const rawOf = (level: number, rawMax: number): number =>
  level <= 0 ? 0 : Math.round(clamp((level * rawMax) / FULL, 1, rawMax));

/** Level of a raw brightness; at least 1 if lit. */
export const levelOf = (raw: number, rawMax: number): number =>
  raw <= 0 ? 0 : Math.round(clamp((raw * FULL) / rawMax, 1, FULL));

export const brightest = ({ red, green, blue }: Rgb): number => Math.max(red, green, blue);

const each = ({ red, green, blue }: Rgb, turn: (part: number) => number): Rgb => ({
  red: turn(red),
  green: turn(green),
  blue: turn(blue),
});

/**
 * A colour dimmed to a level, for lights without a separate brightness: every component is multiplied by level / 255.
 */
export const scaled = (rgb: Rgb, level: number): Rgb => each(rgb, (part) => Math.round((part * level) / FULL));

/** The full colour of a dimmed one: its brightest component becomes 255; black stays black. */
export function unscaled(rgb: Rgb): Rgb {
  const most = brightest(rgb);
  return most === 0 ? rgb : each(rgb, (part) => Math.round((part * FULL) / most));
}

/** Raw values of three single-colour lights; the brightest component of a lit colour never rounds to 0. */
export function rawParts({ level, rgb }: LightOutput, rawMax: Rgb): Rgb {
  if (level <= 0 || rgb === null) return { red: 0, green: 0, blue: 0 };
  const most = brightest(rgb);
  const raw = (part: number, max: number): number => {
    const exact = (part * level * max) / (FULL * FULL);
    return part === most && most > 0 ? Math.max(1, Math.round(exact)) : Math.round(exact);
  };
  return { red: raw(rgb.red, rawMax.red), green: raw(rgb.green, rawMax.green), blue: raw(rgb.blue, rawMax.blue) };
}

/** The output that three single-colour lights show. */
export function outputOf(raw: Rgb, rawMax: Rgb): LightOutput {
  const parts = {
    red: (raw.red * FULL) / rawMax.red,
    green: (raw.green * FULL) / rawMax.green,
    blue: (raw.blue * FULL) / rawMax.blue,
  };
  const level = brightest(parts);
  return { level: level > 0 ? Math.max(1, Math.round(level)) : 0, rgb: unscaled(each(parts, Math.round)) };
}
