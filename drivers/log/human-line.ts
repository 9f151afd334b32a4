import { ownField } from '#machines/kit/own-field.ts';
import { shownLine, spelledOut } from '#machines/kit/shown-text.ts';

/** Fields of a line that have a place of their own. */
const PLACED = new Set(['level', 'time', 'msg', 'part']);

const LEVELS: Readonly<Record<string, string>> = {
  trace: '·',
  debug: '·',
  info: ' ',
  warn: '!',
  error: '✗',
  fatal: '✗',
};

const two = (value: number): string => String(value).padStart(2, '0');

const shown = (value: unknown): string =>
  typeof value === 'string' && /^\S+$/.test(value) && shownLine.test(value) ? value : JSON.stringify(value);

/**
 * The facts of a line as `name=value`, separated by spaces, without those that are null. Control and bidirectional
 * characters are spelled out.
 */
export const factWords = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([key, value]) => !PLACED.has(key) && value !== null)
    .map(([key, value]) => spelledOut(`${key}=${shown(value)}`))
    .join(' ');

/** A short line for a terminal from one JSON line of the log; a line that is not JSON stays as it is. */
export function humanLine(line: string): string {
  let fields: Readonly<Record<string, unknown>>;
  try {
    // pino wrote this line; each of its lines is one JSON object.
    fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return `${spelledOut(line.replace(/\n$/, ''))}\n`;
  }
  const at = new Date(typeof fields['time'] === 'number' ? fields['time'] : 0);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const part = typeof fields['part'] === 'string' ? `${fields['part']}: ` : '';
  const facts = factWords(fields);
  const level = typeof fields['level'] === 'string' ? fields['level'] : '';
  const words = typeof fields['msg'] === 'string' ? fields['msg'] : '';
  const text = spelledOut(`${part}${words}`);
  return `${clock} ${ownField(LEVELS, level) ?? ' '} ${text}${facts === '' ? '' : ` ${facts}`}\n`;
}
