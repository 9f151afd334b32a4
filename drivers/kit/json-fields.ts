import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** The fields of an untrusted object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of `value`, without inherited ones such as `constructor`, since their names are untrusted; none if it is
 * not an object.
 */
export const fieldsOf = (value: unknown): Fields => ({
  __proto__: null,
  ...(typeof value === 'object' && !Array.isArray(value) ? value : null),
});

/** Longest accepted name or id, in characters. */
const TEXT_LENGTH = 255;

/** A string of 1 to 255 characters; null for anything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH ? value : null;

/** The objects in a message of Home Assistant, which has one or a list; none if it is not JSON, or too large. */
export function messagesOf(text: string): readonly Fields[] {
  const value = foreignValue(text, jsonBounds.homeAssistant);
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(fieldsOf) : [fieldsOf(value)];
}
