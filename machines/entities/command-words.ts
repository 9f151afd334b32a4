import type { AnyRow, LightCommand } from '../kit/entity.ts';
import { questionText } from '../kit/shown-text.ts';
import type { CommandValue } from './command.ts';

function lightWords({ on, brightness, rgb, effect }: LightCommand): string {
  const parts = [
    on === undefined ? null : on ? 'on' : 'off',
    brightness === undefined ? null : `brightness ${brightness}`,
    rgb === undefined ? null : `colour ${rgb.red}, ${rgb.green}, ${rgb.blue}`,
    effect ?? null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function valueWords(value: Exclude<CommandValue, null>, unit: string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return `${value}${unit}`;
  return typeof value === 'string' ? value : lightWords(value);
}

/** What a command does, for a question at the panel: the entity and, except for a button, the value. */
export function commandWords({ name, unit }: Pick<AnyRow, 'name' | 'unit'>, value: CommandValue): string {
  if (value === null) return name;
  return questionText(`${name}: ${valueWords(value, unit === undefined ? '' : ` ${unit}`)}`);
}

/** A command as canonical text: the same for the same command, whichever way its parts were sent. */
export function commandText(key: string, value: CommandValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify([key, value]);
  const { on = null, brightness = null, rgb = null, effect = null } = value;
  return JSON.stringify([key, on, brightness, rgb === null ? null : [rgb.red, rgb.green, rgb.blue], effect]);
}
