import { ownField } from './own-field.ts';

/** Longest panel id in characters (as in panel-assistant). */
export const PANEL_ID_LENGTH = 63;

/** Letters that Unicode does not take apart into a base letter and an accent, as Home Assistant spells them. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/**
 * Makes a panel id from any text: `[a-z0-9_]`, at most 63 characters, accents removed; "" if nothing usable is left.
 * No underscore at either end: Home Assistant refuses entity ids that begin or end with one.
 */
export const panelSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøðđþłħı]/g, (letter) => ownField(SPELLED, letter) ?? letter)
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, PANEL_ID_LENGTH)
    .replace(/_+$/, '');
