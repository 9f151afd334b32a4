import type { Context } from 'hono';
import { parseForeign } from '#machines/kit/foreign-json.ts';
import { type JsonExcess, jsonBounds } from '#machines/kit/json-excess.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import { turnsFor } from './event-loop.ts';
import { placeOf } from './issues.ts';
import type { Refusal } from './problem.ts';
import { topLevelNames } from './top-level-names.ts';

/** Most fields in one body, JSON or form. */
const maxFields = 256;

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a body, and if they came as a form, whose values are all text. */
export interface ReadBody {
  readonly fields: Fields;
  readonly form: boolean;
  /** Length of its text in characters. */
  readonly length: number;
}

type BodyFault = Refusal<'invalid-body'>;
type Read<T> = { readonly ok: true; readonly value: T } | BodyFault;

const tooMany = refuse('invalid-body', `The body has more than ${maxFields} fields. Send fewer at a time.`);
const twice = (name: string): BodyFault =>
  refuse('invalid-body', `The field "${name.slice(0, 64)}" is sent twice. Send it once.`);

/** True if a form has more fields than are read; it is then not parsed. */
function isManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0 && fields <= maxFields; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > maxFields;
}

function parseForm(text: string): Read<Fields> {
  if (isManyFields(text)) return tooMany;
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) return twice(name);
    fields.set(name, value);
  }
  // fromEntries, not assignment: a field may be named `__proto__`.
  return ok(Object.fromEntries(fields));
}

/** Why a body is not parsed, with the field that exceeded a limit and the byte where it did. */
function excessOf(text: string, { kind, at }: JsonExcess): BodyFault {
  // The offset counts bytes; a cut in the middle of a character loses nothing that matters here.
  const before = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, at));
  const name = topLevelNames(before, maxFields).at(-1);
  const place = name === undefined ? null : placeOf([name]);
  const message = `${place === null ? 'The body' : `The field "${place}"`} ${
    kind === 'too-deep'
      ? `is nested deeper than ${jsonBounds.body.depth} levels, at byte ${at}. Make it flatter.`
      : `takes the body above ${jsonBounds.body.tokens} brackets, commas and colons, at byte ${at}. Send less at a time.`
  }`;
  return { ...refuse('invalid-body', message), ...(place !== null && { reasons: { [place]: message } }) };
}

async function parseJson(text: string): Promise<Read<Fields>> {
  const parsed = parseForeign(text, jsonBounds.body);
  if (!parsed.ok)
    return parsed.reason === 'not-json'
      ? refuse('invalid-body', 'The body is not valid JSON. Send one JSON object.')
      : excessOf(text, { kind: parsed.reason, at: parsed.at });
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('invalid-body', 'The body must be one JSON object.');
  await turnsFor(text.length);
  const names = topLevelNames(text, maxFields + 1);
  await turnsFor(text.length);
  if (names.length > maxFields) return tooMany;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined ? ok(Object.fromEntries(Object.entries(value))) : twice(repeated);
}

const withForm = (read: Read<Fields>, form: boolean, { length }: string): Read<ReadBody> =>
  read.ok ? ok({ fields: read.value, form, length }) : read;

/**
 * The body of a request as a JSON object or a form, whatever its content type: `curl -d` sends JSON as a form (measured
 * on Node 20). The listener has bounded its size.
 */
export async function readObject(c: Context): Promise<Read<ReadBody>> {
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
}
