import type { LightModes } from '../kit/entity.ts';
import { clamp } from '../kit/units.ts';
import type { LightAbility, LightContext, LightEffect, LightOutput, LightWish, Rgb } from './events.ts';

/** The brightest level. */
export const FULL_LEVEL = 255;
/** The colour of a light that was never given one. */
export const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** What the machine sends to its driver for a wish, and what it then stands for. */
export interface Showing {
  readonly output: LightOutput;
  readonly effect: LightEffect;
}

/** What decides how a wish is read. */
export type LightStanding = Pick<LightContext, 'on' | 'level' | 'lastLevel' | 'rgb' | 'effect'> & {
  readonly ability: LightAbility;
  /** What it was last told to show, which may not be read back yet; null where nothing was. */
  readonly wanted: Showing | null;
  /**
   * The level of a plain "on": the one it had last, or the full one (the light behind the buttons, behaviour-facts 25).
   */
  readonly plainOn: 'last' | 'full';
};

const wholeLevel = (level: number): number => Math.round(clamp(level, 0, FULL_LEVEL));
const isBlack = ({ red, green, blue }: Rgb): boolean => red === 0 && green === 0 && blue === 0;

/** What a light shows for a wish; an effect goes on until another is asked for or the light is switched off. */
export const showingFor = (standing: LightStanding, wish: LightWish): Showing => {
  const { ability } = standing;
  const rgb = ability.colour === 'rgb' ? (wish.rgb ?? standing.rgb) : null;
  const isOff = wish.on === false || wish.level === 0;
  if (isOff) return { output: { level: 0, rgb: rgb === null ? null : standing.rgb }, effect: 'none' };
  // A wish that comes before the last one was read back builds on that one, not on what was read before it.
  const shown =
    standing.wanted === null ? (standing.on === true ? standing.level : null) : standing.wanted.output.level;
  const isOn = shown !== null && shown > 0;
  const before = isOn ? shown : standing.lastLevel;
  const isPlain = wish.level === undefined && wish.rgb === undefined && wish.effect === undefined;
  const level = wish.level ?? (isPlain && standing.plainOn === 'full' ? FULL_LEVEL : before);
  return {
    output: { level: ability.colour === 'switch' ? FULL_LEVEL : Math.max(1, wholeLevel(level)), rgb },
    effect: ability.effects ? (wish.effect ?? (isOn ? standing.effect : 'none')) : 'none',
  };
};

/** The facts after a reading: a dark light keeps its colour and the level it had. */
export const seenAs = (
  standing: Pick<LightContext, 'lastLevel' | 'rgb'>,
  { level, rgb }: LightOutput,
): Pick<LightContext, 'on' | 'level' | 'lastLevel' | 'rgb'> => {
  const read = wholeLevel(level);
  const colour = rgb === null || isBlack(rgb) ? standing.rgb : rgb;
  return read === 0
    ? { on: false, level: null, lastLevel: standing.lastLevel, rgb: standing.rgb }
    : { on: true, level: read, lastLevel: read, rgb: colour };
};

/** What the platform is offered of a light with that ability. */
export const modesOf = ({ colour, effects }: LightAbility, names: readonly LightEffect[]): LightModes => ({
  colour,
  effects: effects ? names : [],
});

const sameRgb = (one: Rgb | null, other: Rgb | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.red === other.red && one.green === other.green && one.blue === other.blue);

/** Whether a reading says what was to be shown; a dark light has no colour to compare. */
export const isShown = (wanted: LightOutput, read: LightOutput): boolean =>
  wanted.level === read.level && (read.level === 0 || sameRgb(wanted.rgb, read.rgb));
