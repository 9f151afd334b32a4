import type { ActorInterface } from '../kit/actor.ts';
import { type CommandRefused, type EntityRow, type LightCommand, STATE_LENGTH } from '../kit/entity.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { plainLight, type RowShape } from './shape.ts';

/** A command from Home Assistant; null for a button press. */
export type CommandValue = LightCommand | number | string | boolean | null;

/** Why a command is refused before it reaches any actor. */
export type CommandRefusal = 'not-commandable' | 'malformed' | 'out-of-range' | 'too-long' | 'not-an-option';

/** The refusal of a command that does not fit this kind of row. */
export const malformed = (kind: RowShape['entityKind']) =>
  refuse('malformed' as const, `This is not a command for a ${kind}.`);

const isLevel = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;

const isLight = (value: CommandValue): value is LightCommand => typeof value === 'object' && value !== null;

function lightCommand(command: LightCommand, { modes = plainLight }: RowShape): Result<LightCommand, CommandRefusal> {
  const { on, brightness, rgb, effect } = command;
  if (brightness !== undefined && !isLevel(brightness)) return malformed('light');
  if (rgb !== undefined && (modes.colour !== 'rgb' || ![rgb.red, rgb.green, rgb.blue].every(isLevel)))
    return malformed('light');
  if (effect !== undefined && !modes.effects.includes(effect))
    return refuse('not-an-option', 'This is not one of the effects.');
  if (on === undefined && brightness === undefined && rgb === undefined && effect === undefined)
    return malformed('light');
  // Home Assistant sends OFF for brightness 0. Brightness, colour and effect mean nothing beside OFF.
  return ok(on === false ? { on } : command);
}

function numberCommand(value: number, { range }: RowShape): Result<number, CommandRefusal> {
  if (!range || !(value >= range.min && value <= range.max))
    return refuse('out-of-range', 'The number is outside its range.');
  // Home Assistant does not enforce the step (seen with Home Assistant 2026.11), so the nearest one is used.
  const stepped = range.min + Math.round((value - range.min) / range.step) * range.step;
  return ok(Math.min(range.max, Number(stepped.toFixed(6))));
}

/** Checks and normalizes a command for a row of this shape. */
export function acceptCommand(shape: RowShape, value: CommandValue): Result<CommandValue, CommandRefusal> {
  switch (shape.entityKind) {
    case 'light':
      return isLight(value) ? lightCommand(value, shape) : malformed('light');
    case 'number':
      return typeof value === 'number' ? numberCommand(value, shape) : malformed('number');
    case 'text':
      if (typeof value !== 'string') return malformed('text');
      return Array.from(value).length > Math.min(shape.maxLength ?? 0, STATE_LENGTH)
        ? refuse('too-long', 'The text is too long.')
        : ok(value);
    case 'switch':
      return typeof value === 'boolean' ? ok(value) : malformed('switch');
    case 'select':
      return typeof value === 'string' && shape.options?.includes(value)
        ? ok(value)
        : refuse('not-an-option', 'This is not one of the options.');
    case 'button':
      return value === null ? ok(value) : malformed('button');
    case 'sensor':
    case 'binary_sensor':
    case 'event':
    case 'image':
      return refuse('not-commandable', 'This entity only reports.');
  }
}

const mismatch = refuse('malformed', 'This value is not one for this entity.');

/** The write of `row` for a command; `origin` is who commands. */
export function rowCommandOf<A extends ActorInterface, C>(
  row: EntityRow<A, C>,
  value: CommandValue,
  origin: string,
): Result<C> {
  switch (row.entityKind) {
    case 'light':
      return isLight(value) ? row.write(value, origin) : mismatch;
    case 'number':
      return typeof value === 'number' ? row.write(value, origin) : mismatch;
    case 'text':
    case 'select':
      return typeof value === 'string' ? row.write(value, origin) : mismatch;
    case 'switch':
      return typeof value === 'boolean' ? row.write(value, origin) : mismatch;
    case 'button':
      return row.write(origin);
    case 'sensor':
    case 'binary_sensor':
    case 'event':
    case 'image':
      return refuse('not-commandable', 'This entity only reports.');
  }
}

/** Why the actor of `row` cannot carry out a command as it is now; null if it can, or does not say. */
export function objectionOf<A extends ActorInterface, C>(
  row: EntityRow<A, C>,
  value: CommandValue,
  snapshot: SnapshotView<A['context']>,
): CommandRefused | null {
  switch (row.entityKind) {
    case 'light':
      return isLight(value) ? (row.objection?.(snapshot, value) ?? null) : null;
    case 'number':
      return typeof value === 'number' ? (row.objection?.(snapshot, value) ?? null) : null;
    case 'text':
    case 'select':
      return typeof value === 'string' ? (row.objection?.(snapshot, value) ?? null) : null;
    case 'switch':
      return typeof value === 'boolean' ? (row.objection?.(snapshot, value) ?? null) : null;
    case 'button':
      return row.objection?.(snapshot, null) ?? null;
    case 'sensor':
    case 'binary_sensor':
    case 'event':
    case 'image':
      return null;
  }
}

const isOff = ({ on, brightness }: LightCommand): boolean => on === false || brightness === 0;

/**
 * Joins two commands of one entity, the older one not carried out yet: the newer one wins. A light also keeps what only
 * the older one sets, unless either of them switches it off.
 */
export const joinCommands = (older: CommandValue, newer: CommandValue): CommandValue =>
  isLight(older) && isLight(newer) && !isOff(older) && !isOff(newer) ? { ...older, ...newer } : newer;
