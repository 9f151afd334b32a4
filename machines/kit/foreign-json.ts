import { type JsonBounds, type JsonExcess, jsonExcess } from './json-excess.ts';

/** What a JSON text from outside holds, or why it was not parsed. */
export type ForeignJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'not-json' }
  | { readonly ok: false; readonly reason: JsonExcess['kind']; readonly at: number };

/** Parses a text from outside once it was judged; never throws. */
export function parseForeign(text: string, bounds: JsonBounds): ForeignJson {
  const excess = jsonExcess(text, bounds);
  if (excess !== null) return { ok: false, reason: excess.kind, at: excess.at };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, reason: 'not-json' };
  }
}

/** The value of a text from outside; undefined where it is no JSON, or has too much in it. */
export function foreignValue(text: string, bounds: JsonBounds): unknown {
  const parsed = parseForeign(text, bounds);
  return parsed.ok ? parsed.value : undefined;
}
