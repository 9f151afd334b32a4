import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The value below `keys` in untrusted JSON; undefined where a step is missing. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    // An object with this own key, as checked above.
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

/** The string below `keys`, cut to `limit` characters; null if there is none. */
export function textAt(limit: number, value: unknown, ...keys: readonly string[]): string | null {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found.slice(0, limit) : null;
}

/** The finite number below `keys`; null if there is none. */
export function numberAt(value: unknown, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** The items of the list below `keys`; empty if there is no list. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** Parses JSON of the browser or of a page; undefined if it is invalid, too deep or too large. */
export const parsed = (text: string): unknown => foreignValue(text, jsonBounds.program);
