/**
 * Invisible characters and those that change the direction of a text, as the inside of a character class; also lone
 * surrogates, which are no characters.
 */
const unseen = String.raw`\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF\uD800-\uDFFF`;

/** One line of text without invisible characters. */
export const shownLine = new RegExp(`^[^${unseen}]*$`, 'u');

const everyUnseen = new RegExp(`[${unseen}]`, 'gu');

/** A text in which characters that are invisible or control a terminal are escaped as in JSON, `\u001b`. */
export const spelledOut = (text: string): string =>
  text.replaceAll(everyUnseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text from outside as a quotation that it cannot end itself. */
export const quoted = (words: string): string => `“${words.replaceAll(/[“”„‟]/g, '"')}”`;
