import { type JsonBounds, type JsonExcess, jsonExcess } from './json-excess.ts';

/** The parsed value of a JSON text from outside, or why it was not parsed. */
export type ForeignJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'not-json' }
  | { readonly ok: false; readonly reason: JsonExcess['kind']; readonly at: number };

/** Checks a text from outside against its bounds, then parses it; never throws. */
export function parseForeign(text: string, bounds: JsonBounds): ForeignJson {
  const excess = jsonExcess(text, bounds);
  if (excess !== null) return { ok: false, reason: excess.kind, at: excess.at };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, reason: 'not-json' };
  }
}

/** The value of a text from outside; undefined if it is not JSON or exceeds its bounds. */
export function foreignValue(text: string, bounds: JsonBounds): unknown {
  const parsed = parseForeign(text, bounds);
  return parsed.ok ? parsed.value : undefined;
}
