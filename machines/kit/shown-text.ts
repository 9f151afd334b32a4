import { once } from './once.ts';

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

/**
 * What a screen does not show as what it is: control and format characters, which include all that change the direction
 * (Unicode, categories Cc and Cf), line separators, lone surrogates, and what is drawn as nothing.
 */
const undrawn = once(() => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFE\uFFFF]/gu);

/** Most characters of a text from outside in a question at the panel. */
export const SHOWN_CHARACTERS = 180;

/** The quotation marks between which such a text is shown, and those that look like them. */
const quotationMarks = /[“”„‟]/g;

/**
 * Text from outside for a question at the panel: one line without characters that the screen does not show, which are
 * spelled out, and without marks that would end its quotation; cut to `SHOWN_CHARACTERS` with an ellipsis.
 */
export function questionText(text: string): string {
  // Spelling a character out only makes it longer, so no more than these are ever shown.
  const most = Array.from(text.slice(0, 2 * SHOWN_CHARACTERS + 2)).slice(0, SHOWN_CHARACTERS + 1);
  const shown = Array.from(
    most
      .join('')
      .replaceAll(quotationMarks, '"')
      .replaceAll(undrawn(), (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`),
  );
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : shown.join('');
}

/** Text from outside as a quotation that it cannot end itself. */
export const quoted = (words: string): string => `“${words.replaceAll(quotationMarks, '"')}”`;
