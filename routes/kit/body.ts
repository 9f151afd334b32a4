import type { Context } from 'hono';
import { refuse, ok, type Result } from '#machines/kit/result.ts';

/** A flat object of scalars, as forms and the flat JSON of this API carry. */
export type FlatBody = Readonly<Record<string, string | number | boolean | null>>;

/** Most fields in one body. */
const maxFields = 256;

const parseForm = (text: string): Result<FlatBody, 'invalid-body'> => {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name)) return refuse('invalid-body', `The field "${name.slice(0, 64)}" is there twice. Send it once.`);
    fields[name] = value;
  }
  return ok(fields);
};

/**
 * The body of a request as a nested-or-flat JSON object or a form, whatever its content type says: `curl -d` sends JSON as a
 * form (stack-facts 11). Its size was bounded by the listener before.
 */
export const readObject = async (c: Context): Promise<Result<Readonly<Record<string, unknown>>, 'invalid-body'>> => {
  const text = await c.req.text();
  const type = (c.req.header('content-type') ?? '').toLowerCase();
  if (text.trimStart().startsWith('{') || type.startsWith('application/json')) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse('invalid-body', 'The body is not valid JSON. Send one JSON object.');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('invalid-body', 'The body must be one JSON object.');
    if (Object.keys(value).length > maxFields) return refuse('invalid-body', `The body has more than ${maxFields} fields. Send fewer at a time.`);
    return ok({ ...value });
  }
  if (text === '') return ok({});
  if (type !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    return refuse('invalid-body', 'The body must be a JSON object or a form.');
  }
  return parseForm(text);
};
