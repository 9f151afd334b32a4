/**
 * Characters that cannot be seen or that turn the order of a text around, as the inside of a character class; lone
 * halves of a surrogate pair are none at all.
 */
const unseen = String.raw`\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF\uD800-\uDFFF`;

/** One line of text that people read as it is written. */
export const shownLine = new RegExp(`^[^${unseen}]*$`, 'u');

const everyUnseen = new RegExp(`[${unseen}]`, 'gu');

/** A text in which what cannot be seen, or would act on a terminal, is spelled as JSON spells it, `\u001b`. */
export const spelledOut = (text: string): string =>
  text.replaceAll(everyUnseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Words that somebody else wrote, as a quotation that they cannot end themselves. */
export const quoted = (words: string): string => `“${words.replaceAll(/[“”„‟]/g, '"')}”`;
