import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The value below `keys` in JSON from outside; undefined where a step is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    // An object that has this key of its own.
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

/** The text below `keys`, cut at `limit` characters; null where there is none. */
export function textAt(limit: number, value: unknown, ...keys: readonly string[]): string | null {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found.slice(0, limit) : null;
}

/** The finite number below `keys`; null where there is none. */
export function numberAt(value: unknown, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** The members of the list below `keys`; none where there is no list. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** JSON of the browser or of a page; undefined where it is none, or too deep or too much to be parsed. */
export const parsed = (text: string): unknown => foreignValue(text, jsonBounds.program);
