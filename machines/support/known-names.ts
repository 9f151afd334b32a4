import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';

/** Most names that are searched for in one bundle. */
const mostNames = 400;
/** Shorter names would black out ordinary words, and identify no one. */
const shortest = 3;

/**
 * Words of every bundle, whatever a panel is called: blacking them out would make it useless, and their absence would
 * reveal what they hide.
 */
const ordinary: ReadonlySet<string> = new Set([
  'sconce',
  'panel',
  'screen',
  'display',
  'dashboard',
  'home',
  'broker',
  'user',
  'admin',
  'kiosk',
  'debian',
  'localhost',
  'simulated',
  'simulated panel',
  'mqtt',
  'mqtts',
  'http',
  'https',
  'homeassistant',
  'lovelace',
  'root',
  'none',
  'auto',
  'true',
  'false',
  'unknown',
]);

/** The identifying parts of a value: host and user of an address, entries of a list. */
function partsOf(value: string): readonly string[] {
  const [, user = '', host = '', path = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:([^\s/@]*)@)?(\[[^\]]*\]|[^\s/:?#,;]*)(?::\d+)?([/?#].*)?$/i.exec(value) ?? [];
  return [
    value,
    host.replace(/^\[|\]$/g, ''),
    ...user.split(':'),
    // The path of a user's own dashboard contains a dash; other words of a path identify nothing.
    ...path.split(/[/?#&=]/).filter((part) => /[a-z0-9][-_][a-z0-9]/i.test(part)),
    ...(/[\s,;]/.test(value) ? value.split(/[,;\n]+/) : []),
  ];
}

/** A name as written in ids and addresses: lower-case without accents, words joined by `mark`. */
const joined = (text: string, mark: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', mark);

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The name as written in addresses; programs encode apostrophes and spaces differently. */
function inAddress(text: string): readonly string[] {
  try {
    const url = encodeURIComponent(text);
    const strict = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    return [url, strict, strict.replaceAll('%20', '+')];
  } catch {
    // An unpaired surrogate cannot be encoded.
    return [];
  }
}

/** The ways in which a name can be written. */
const spellings = (name: string): readonly string[] => [
  name,
  escaped(name),
  escaped(escaped(name)),
  ...inAddress(name),
  name.normalize('NFC'),
  name.normalize('NFD'),
  ...['', '-', '_', ' '].map((mark) => joined(name, mark)),
];

/** The names to search for: each name in the values, in every spelling, longest first. */
export function namesToHide(values: readonly (string | null | undefined)[]): readonly string[] {
  const names = values
    .flatMap((value) => partsOf((value ?? '').trim()))
    .map((name) => name.trim())
    .filter((name) => name.length >= shortest && !ordinary.has(name.toLowerCase()));
  const all = names
    .slice(0, mostNames)
    .flatMap(spellings)
    .filter((name) => name.length >= shortest && !ordinary.has(name.toLowerCase()) && !/^\d{1,4}$/.test(name));
  return [...new Set(all)].toSorted((one, other) => other.length - one.length);
}

/** The owner's texts in settings of free text; a choice from a list identifies no one. */
export const writtenSettings = (
  descriptors: readonly SettingDescriptor[],
  values: Readonly<Record<string, SettingValue>>,
): readonly string[] =>
  descriptors.flatMap(({ key, type, defaultValue }) => {
    const value = values[key];
    return type === 'STRING' && typeof value === 'string' && value !== defaultValue ? [value] : [];
  });
