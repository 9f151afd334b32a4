import type { ActorInterface } from '../kit/actor.ts';
import type { EntityRow, LightCommand, Rgb } from '../kit/entity.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import { plainLight, type RowShape } from './shape.ts';

/** What the platform asks of a row; a button press carries nothing. */
export type CommandValue = LightCommand | number | string | boolean | null;

/** Why a command is refused before any actor hears of it. */
export type CommandRefusal = 'not-commandable' | 'malformed' | 'out-of-range' | 'too-long' | 'not-an-option';

/** Longest command payload that is looked at, in characters. */
const PAYLOAD_LENGTH = 4096;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?$/;

const malformed = (what: string) => refuse('malformed' as const, `This is not a command for a ${what}.`);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isLevel = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** The colour in a command as the platform writes it; null when it is none. */
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
  const parsed = parseJson(payload);
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
  // The platform sends OFF for brightness 0; a level, a colour or an effect beside OFF means nothing.
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
  // The platform does not enforce the step (platform-facts 2), so the nearest one is taken.
  const stepped = range.min + Math.round((value - range.min) / range.step) * range.step;
  return ok(Math.min(range.max, Number(stepped.toFixed(6))));
};

/** Turns the payload of a command topic into what the row is asked for, or says why not. */
export const parseCommand = (shape: RowShape, payload: string): Result<CommandValue, CommandRefusal> => {
  if (payload.length > PAYLOAD_LENGTH) return refuse('too-long', 'The command is too long.');
  switch (shape.platform) {
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

/** The event by which `row` carries out a parsed command. */
export const eventOf = <A extends ActorInterface>(row: EntityRow<A>, value: CommandValue): Result<A['event']> => {
  switch (row.platform) {
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

/** Why an actor that was asked did not do it, from the outcome of its reply; null when it did. */
export const refusalInReply = (outcome: unknown): string | null => {
  if (typeof outcome !== 'object' || outcome === null) return null;
  if ('status' in outcome && (outcome.status === 'refused' || outcome.status === 'commit-failed'))
    return outcome.status;
  return 'ok' in outcome && outcome.ok === false ? 'refused' : null;
};
