import { catalogue } from '#ui/strings/catalogue.ts';

/** Key of a visible string. */
export type StringKey = keyof typeof catalogue;

/** Values put into a string; `count` also chooses the plural form. */
export type Params = Readonly<Record<string, string | number>>;

/** The language of the catalogue, also the `lang` of every page. */
export const language = 'en';

/** As the language writes it; a small whole number without `Intl`, whose first use takes 20 ms and 6 MB of a start. */
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
 * The string of `key` when the catalogue has it, else `fallback`; for words that arrive as codes. The key is a template
 * in the call itself, of which the build reads which keys it can be.
 */
export const tOr = (key: string, fallback: string, params: Params = {}): string => stringOf(key, fallback, params);

/** The visible string of `key` with its parameters filled in; a key made from a code is a template in the call, too. */
export const t = (key: StringKey, params: Params = {}): string => stringOf(key, key, params);
