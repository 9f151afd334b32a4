import { acceptCommand, type CommandRefusal, type CommandValue, malformed } from '../entities/command.ts';
import type { RowShape } from '../entities/shape.ts';
import type { LightCommand, Rgb } from '../kit/entity.ts';
import { foreignValue } from '../kit/foreign-json.ts';
import { jsonBounds } from '../kit/json-excess.ts';
import { ok, refuse, type Result } from '../kit/result.ts';

/** Maximum length of a command payload, in characters. */
const PAYLOAD_LENGTH = 4096;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?$/;

/** Parses a colour as written by Home Assistant; null if invalid. */
function colourIn(value: unknown): Rgb | null {
  if (typeof value !== 'object' || value === null) return null;
  const red: unknown = 'r' in value ? value.r : undefined;
  const green: unknown = 'g' in value ? value.g : undefined;
  const blue: unknown = 'b' in value ? value.b : undefined;
  return typeof red === 'number' && typeof green === 'number' && typeof blue === 'number' ? { red, green, blue } : null;
}

// Parsed by hand: a slider sends many of these, and a schema would be the slowest step from command to state.
function lightIn(payload: string): Result<LightCommand, CommandRefusal> {
  const parsed = foreignValue(payload, jsonBounds.mqtt);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return malformed('light');
  const state: unknown = 'state' in parsed ? parsed.state : undefined;
  const brightness: unknown = 'brightness' in parsed ? parsed.brightness : undefined;
  const effect: unknown = 'effect' in parsed ? parsed.effect : undefined;
  const rgb = 'color' in parsed ? colourIn(parsed.color) : undefined;
  if (state !== undefined && state !== 'ON' && state !== 'OFF') return malformed('light');
  if (brightness !== undefined && typeof brightness !== 'number') return malformed('light');
  if (effect !== undefined && typeof effect !== 'string') return malformed('light');
  if (rgb === null) return malformed('light');
  return ok({
    ...(state !== undefined && { on: state === 'ON' }),
    ...(brightness !== undefined && { brightness }),
    ...(rgb !== undefined && { rgb }),
    ...(effect !== undefined && { effect }),
  });
}

/** Parses a payload as sent by Home Assistant's MQTT integration for this kind of row. */
function valueIn({ entityKind }: RowShape, payload: string): Result<CommandValue, CommandRefusal> {
  switch (entityKind) {
    case 'light':
      return lightIn(payload);
    case 'number':
      return decimal.test(payload.trim()) ? ok(Number(payload)) : malformed('number');
    case 'switch':
      return payload === 'ON' || payload === 'OFF' ? ok(payload === 'ON') : malformed('switch');
    case 'button':
      return payload === 'PRESS' ? ok(null) : malformed('button');
    case 'text':
    case 'select':
    case 'sensor':
    case 'binary_sensor':
    case 'event':
    case 'image':
      return ok(payload);
  }
}

/** Parses and checks the payload of a command topic. */
export function parseCommand(shape: RowShape, payload: string): Result<CommandValue, CommandRefusal> {
  if (payload.length > PAYLOAD_LENGTH) return refuse('too-long', 'The command is too long.');
  const value = valueIn(shape, payload);
  return value.ok ? acceptCommand(shape, value.value) : value;
}
