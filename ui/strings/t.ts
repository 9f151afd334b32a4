import { catalogue } from '#ui/strings/catalogue.ts';

export type StringKey = keyof typeof catalogue;

/** Values put into a string; `count` also chooses the plural form. */
export type Params = Readonly<Record<string, string | number>>;

/** The language of the catalogue, also the `lang` of every page. */
export const language = 'en';

/** Formats a number for the language; small integers avoid `Intl`, whose first use costs 20 ms and 6 MB at startup. */
const inDigits = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000 ? `${value}` : value.toLocaleString(language);

const fill = (text: string, params: Params): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? inDigits(value) : value;
  });

const isKey = (key: string): key is StringKey => Object.prototype.hasOwnProperty.call(catalogue, key);

function stringOf(key: string, fallback: string, params: Params): string {
  if (!isKey(key)) return fallback;
  const entry: string | Readonly<Record<string, string>> = catalogue[key];
  if (typeof entry === 'string') return fill(entry, params);
  // English has these two forms.
  return fill(entry[Number(params['count']) === 1 ? 'one' : 'other'] ?? key, params);
}

/**
 * The string of `key` if the catalogue has it, else `fallback`; for words that arrive as codes. The key must be a
 * template in the call itself, from which the build reads the possible keys.
 */
export const tOr = (key: string, fallback: string, params: Params = {}): string => stringOf(key, fallback, params);

/** The string of `key` with its parameters filled in; a key made from a code must be a template in the call, too. */
export const t = (key: StringKey, params: Params = {}): string => stringOf(key, key, params);
