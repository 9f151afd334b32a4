import type { LightModes } from '../kit/entity.ts';
import { clamp } from '../kit/units.ts';
import {
  type LightAbility,
  type LightContext,
  type LightEffect,
  lightEffects,
  type LightId,
  type LightOutput,
  type LightRequest,
  type Rgb,
} from './events.ts';

export const FULL_LEVEL = 255;
/** The colour of a light without a requested colour. */
export const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** The colour of a light that is held. */
const RED: Rgb = { red: 255, green: 0, blue: 0 };

/** What a light should show for a request. */
export interface Showing {
  readonly output: LightOutput;
  readonly effect: LightEffect;
  /** Set for a light that is held: what is read back counts as it is. */
  readonly exact?: true;
}

/** Everything that a request is interpreted from. */
export type LightSituation = Pick<LightContext, 'on' | 'level' | 'lastLevel' | 'rgb' | 'effect'> & {
  readonly ability: LightAbility;
  /** The last request, which may not be read back yet; null if there was none. */
  readonly wanted: Showing | null;
  /** The level of a plain "on": the last one, or the full one (the light behind the buttons, as in panel-assistant). */
  readonly plainOn: 'last' | 'full';
};

const wholeLevel = (level: number): number => Math.round(clamp(level, 0, FULL_LEVEL));
const isBlack = ({ red, green, blue }: Rgb): boolean => red === 0 && green === 0 && blue === 0;

/** What a light shows for a request; an effect runs until another is requested or the light is switched off. */
export function showingFor(now: LightSituation, request: LightRequest): Showing {
  const { ability } = now;
  const rgb = ability.colour === 'rgb' ? (request.rgb ?? now.rgb) : null;
  const isOff = request.on === false || request.level === 0;
  if (isOff) return { output: { level: 0, rgb: rgb === null ? null : now.rgb }, effect: 'none' };
  // A request that arrives before the last one was read back builds on that one, not on the older reading.
  const shown = now.wanted === null ? (now.on === true ? now.level : null) : now.wanted.output.level;
  const isOn = shown !== null && shown > 0;
  const before = isOn ? shown : now.lastLevel;
  const isPlain = request.level === undefined && request.rgb === undefined && request.effect === undefined;
  const level = request.level ?? (isPlain && now.plainOn === 'full' ? FULL_LEVEL : before);
  return {
    output: { level: ability.colour === 'switch' ? FULL_LEVEL : Math.max(1, wholeLevel(level)), rgb },
    effect: ability.effects ? (request.effect ?? (isOn ? now.effect : 'none')) : 'none',
  };
}

/** The facts after a reading: a dark light keeps its colour and its last level. */
export function observedAs(
  before: Pick<LightContext, 'lastLevel' | 'rgb'>,
  { level, rgb }: LightOutput,
): Pick<LightContext, 'on' | 'level' | 'lastLevel' | 'rgb'> {
  const read = wholeLevel(level);
  const colour = rgb === null || isBlack(rgb) ? before.rgb : rgb;
  return read === 0
    ? { on: false, level: null, lastLevel: before.lastLevel, rgb: before.rgb }
    : { on: true, level: read, lastLevel: read, rgb: colour };
}

/** What Home Assistant is offered for a light with that ability. */
export const modesOf = ({ colour, effects }: LightAbility, names: readonly LightEffect[]): LightModes => ({
  colour,
  effects: effects ? names : [],
});

/** The effects offered for a light: only the LED has any (contract, "Platform entities"). */
export const effectsOf = (id: LightId): readonly LightEffect[] => (id === 'led' ? lightEffects : []);

/** The field of a request that a light with these modes cannot do, and why; null if it can do everything. */
export function unableTo(
  { colour, effects }: LightModes,
  { brightness, rgb, effect }: { readonly brightness?: unknown; readonly rgb?: unknown; readonly effect?: unknown },
): { readonly field: string; readonly message: string } | null {
  if (brightness !== undefined && colour === 'switch')
    return { field: 'brightness', message: 'This light can only be switched on and off. Leave "brightness" out.' };
  if (rgb !== undefined && colour !== 'rgb')
    return { field: 'rgb', message: 'This light has no colour. Leave "rgb" out.' };
  return effect !== undefined && effects.length === 0
    ? { field: 'effect', message: 'This light has no effects. Leave "effect" out.' }
    : null;
}

const sameRgb = (one: Rgb | null, other: Rgb | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.red === other.red && one.green === other.green && one.blue === other.blue);

/** True if a reading matches what should be shown; a dark light has no colour to compare. */
export const isShown = (wanted: LightOutput, read: LightOutput): boolean =>
  wanted.level === read.level && (read.level === 0 || sameRgb(wanted.rgb, read.rgb));

/** What a held light shows. Every light can do it exactly, so its hardware has nothing to round. */
export const heldShowing = ({ colour }: Pick<LightAbility, 'colour'>): Showing & { readonly exact: true } => ({
  output: { level: FULL_LEVEL, rgb: colour === 'rgb' ? RED : null },
  effect: 'none',
  exact: true,
});

/** The facts of a light that requests are interpreted from, without its ability. */
export type ShownFacts = Pick<LightContext, 'on' | 'level' | 'lastLevel' | 'rgb' | 'effect'>;

/** What a light shows once it is released: the last request, or what it showed before; dark if that is unknown. */
export function releasedShowing(
  before: ShownFacts,
  wanted: Showing | null,
  colour: LightAbility['colour'] | null,
): Showing {
  if (wanted !== null) return wanted;
  const rgb = colour === 'rgb' ? before.rgb : null;
  return before.on === true
    ? { output: { level: before.level ?? before.lastLevel, rgb }, effect: before.effect }
    : { output: { level: 0, rgb }, effect: 'none' };
}
