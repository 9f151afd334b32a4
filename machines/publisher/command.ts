import type { ActorInterface } from '../kit/actor.ts';
import type { EntityRow, LightCommand, Rgb } from '../kit/entity.ts';
import { foreignValue } from '../kit/foreign-json.ts';
import { jsonBounds } from '../kit/json-excess.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import { plainLight, type RowShape } from './shape.ts';

/** What Home Assistant asks of a row; a button press carries nothing. */
export type CommandValue = LightCommand | number | string | boolean | null;

/** Why a command is refused before any actor hears of it. */
export type CommandRefusal = 'not-commandable' | 'malformed' | 'out-of-range' | 'too-long' | 'not-an-option';

/** Longest command payload that is parsed, in characters. */
const PAYLOAD_LENGTH = 4096;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?$/;

const malformed = (what: string) => refuse('malformed' as const, `This is not a command for a ${what}.`);

const isLevel = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** The colour in a command as Home Assistant writes it; null when it is none. */
const colourIn = (value: unknown): Rgb | null => {
  if (typeof value !== 'object' || value === null) return null;
  const red: unknown = 'r' in value ? value.r : undefined;
  const green: unknown = 'g' in value ? value.g : undefined;
  const blue: unknown = 'b' in value ? value.b : undefined;
  return isLevel(red) && isLevel(green) && isLevel(blue) ? { red, green, blue } : null;
};

const lightCommand = (
  payload: string,
  { colour, effects }: NonNullable<RowShape['modes']>,
): Result<LightCommand, CommandRefusal> => {
  // Read by hand: a slider sends many of these, and a schema would be the slowest part of the way from command to
  // state.
  const parsed = foreignValue(payload, jsonBounds.mqtt);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return malformed('light');
  const state: unknown = 'state' in parsed ? parsed.state : undefined;
  const brightness: unknown = 'brightness' in parsed ? parsed.brightness : undefined;
  if (state !== undefined && state !== 'ON' && state !== 'OFF') return malformed('light');
  if (brightness !== undefined && !isLevel(brightness)) return malformed('light');
  const effect: unknown = 'effect' in parsed ? parsed.effect : undefined;
  const rgb = 'color' in parsed ? colourIn(parsed.color) : undefined;
  if (rgb === null || (rgb !== undefined && colour !== 'rgb')) return malformed('light');
  if (effect !== undefined && typeof effect !== 'string') return malformed('light');
  if (effect !== undefined && !effects.includes(effect))
    return refuse('not-an-option', 'This is not one of the effects.');
  if ([state, brightness, effect, rgb].every((part) => part === undefined)) return malformed('light');
  // Home Assistant sends OFF for brightness 0; a level, a colour or an effect beside OFF means nothing.
  if (state === 'OFF') return ok({ on: false });
  return ok({
    ...(state === 'ON' && { on: true }),
    ...(brightness !== undefined && { brightness }),
    ...(rgb !== undefined && { rgb }),
    ...(effect !== undefined && { effect }),
  });
};

const numberCommand = (payload: string, shape: RowShape): Result<number, CommandRefusal> => {
  if (!decimal.test(payload.trim())) return malformed('number');
  const value = Number(payload);
  const range = shape.range;
  if (!range || value < range.min || value > range.max)
    return refuse('out-of-range', 'The number is outside its range.');
  // Home Assistant does not enforce the step (seen with Home Assistant 2026.11), so the nearest one is taken.
  const stepped = range.min + Math.round((value - range.min) / range.step) * range.step;
  return ok(Math.min(range.max, Number(stepped.toFixed(6))));
};

/** Turns the payload of a command topic into what the row is asked for, or says why not. */
export const parseCommand = (shape: RowShape, payload: string): Result<CommandValue, CommandRefusal> => {
  if (payload.length > PAYLOAD_LENGTH) return refuse('too-long', 'The command is too long.');
  switch (shape.entityKind) {
    case 'light':
      return lightCommand(payload, shape.modes ?? plainLight);
    case 'number':
      return numberCommand(payload, shape);
    case 'text':
      if (Array.from(payload).length > Math.min(shape.maxLength ?? 0, 255))
        return refuse('too-long', 'The text is too long.');
      return ok(payload);
    case 'switch':
      return payload === 'ON' || payload === 'OFF' ? ok(payload === 'ON') : malformed('switch');
    case 'select':
      return shape.options?.includes(payload)
        ? ok(payload)
        : refuse('not-an-option', 'This is not one of the options.');
    case 'button':
      return payload === 'PRESS' ? ok(null) : malformed('button');
    case 'sensor':
    case 'binary_sensor':
    case 'event':
      return refuse('not-commandable', 'This entity only reports.');
  }
};

const mismatch = refuse('malformed', 'This value is not one for this entity.');

/** How `row` has a parsed command carried out. */
export const rowCommandOf = <A extends ActorInterface, C>(row: EntityRow<A, C>, value: CommandValue): Result<C> => {
  switch (row.entityKind) {
    case 'light':
      return typeof value === 'object' && value !== null ? row.write(value) : mismatch;
    case 'number':
      return typeof value === 'number' ? row.write(value) : mismatch;
    case 'text':
    case 'select':
      return typeof value === 'string' ? row.write(value) : mismatch;
    case 'switch':
      return typeof value === 'boolean' ? row.write(value) : mismatch;
    case 'button':
      return row.write();
    case 'sensor':
    case 'binary_sensor':
    case 'event':
      return refuse('not-commandable', 'This entity only reports.');
  }
};

const isLight = (value: CommandValue): value is LightCommand => typeof value === 'object' && value !== null;

const isOff = ({ on, brightness }: LightCommand): boolean => on === false || brightness === 0;

/**
 * What two commands of one entity come to, of which the older one has not been carried out yet: the newer one. A light
 * also keeps what only the older one asks for, unless one of the two switches it off.
 */
export const joinCommands = (older: CommandValue, newer: CommandValue): CommandValue =>
  isLight(older) && isLight(newer) && !isOff(older) && !isOff(newer) ? { ...older, ...newer } : newer;
