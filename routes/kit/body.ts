import type { Context } from 'hono';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import { turnsFor } from './event-loop.ts';

/** Most fields in one body, JSON or form. */
const maxFields = 256;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a body, and whether they came as a form, whose values are all text. */
export interface ReadBody {
  readonly fields: Fields;
  readonly form: boolean;
  /** Characters of its text. */
  readonly length: number;
}

const tooMany = refuse('invalid-body', `The body has more than ${maxFields} fields. Send fewer at a time.`);
const twice = (name: string): Result<Fields, 'invalid-body'> =>
  refuse('invalid-body', `The field "${name.slice(0, 64)}" is there twice. Send it once.`);

/** Where the string ends that begins at `start`: behind its second quote. The text was parsed before. */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
};

/** The names at the top level of a JSON object, in order and with repetitions, which JSON.parse would swallow. */
const topLevelNames = (text: string): string[] => {
  const names: string[] = [];
  let depth = 0;
  let string = '';
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') {
      const end = endOfString(text, at);
      if (depth === 1) string = text.slice(at, end);
      at = end - 1;
    } else if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    // A string token of JSON that was parsed before.
    else if (mark === ':' && depth === 1) names.push(JSON.parse(string) as string);
  }
  return names;
};

const parseForm = (text: string): Result<Fields, 'invalid-body'> => {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return twice(name);
    if (fields.size >= maxFields) return tooMany;
    fields.set(name, value);
  }
  // fromEntries, not assignment: a field may be named `__proto__`.
  return ok(Object.fromEntries(fields));
};

const parseJson = async (text: string): Promise<Result<Fields, 'invalid-body'>> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('invalid-body', 'The body is not valid JSON. Send one JSON object.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('invalid-body', 'The body must be one JSON object.');
  await turnsFor(text.length);
  const names = topLevelNames(text);
  await turnsFor(text.length);
  if (names.length > maxFields) return tooMany;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined ? ok(Object.fromEntries(Object.entries(value))) : twice(repeated);
};

const withForm = (
  read: Result<Fields, 'invalid-body'>,
  form: boolean,
  { length }: string,
): Result<ReadBody, 'invalid-body'> => (read.ok ? ok({ fields: read.value, form, length }) : read);

/**
 * The body of a request as a JSON object or a form, whatever its content type says: `curl -d` sends JSON as a form
 * (measured on Node 20). Its size was bounded by the listener before.
 */
export const readObject = async (c: Context): Promise<Result<ReadBody, 'invalid-body'>> => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer());
  } catch {
    return refuse('invalid-body', 'The body is not valid UTF-8. Send it in that encoding.');
  }
  await turnsFor(text.length);
  const type = (c.req.header('content-type') ?? '').toLowerCase();
  if (text.trimStart().startsWith('{') || type.startsWith('application/json'))
    return withForm(await parseJson(text), false, text);
  if (text === '') return ok({ fields: {}, form: false, length: 0 });
  if (type !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    return refuse('invalid-body', 'The body must be a JSON object or a form.');
  }
  return withForm(parseForm(text), true, text);
};
