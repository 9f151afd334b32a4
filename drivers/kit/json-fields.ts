import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The fields of an object that came over the wire. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of `value`, without what every object has (`constructor`), since its names are a stranger's; none where it
 * is no object.
 */
export const fieldsOf = (value: unknown): Fields => ({
  __proto__: null,
  ...(typeof value === 'object' && !Array.isArray(value) ? value : null),
});

/** Longest name or id that is taken, in characters. */
const TEXT_LENGTH = 255;

/** A text of 1 to 255 characters; null for anything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH ? value : null;

/** What a message of Home Assistant holds: one thing, or several as one list; none where it is no JSON, or too much. */
export function messagesOf(text: string): readonly Fields[] {
  const value = foreignValue(text, jsonBounds.homeAssistant);
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(fieldsOf) : [fieldsOf(value)];
}
