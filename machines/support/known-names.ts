import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';

/** Most names that are looked for in one bundle. */
const mostNames = 400;
/** Shorter ones would black out ordinary words, and name nobody. */
const shortest = 3;

/**
 * Words that stand in every bundle whatever a panel is called: blacked out they would make it useless, and tell by
 * their absence what they hide.
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

/** The parts of a value that name somebody by themselves: of an address its host and user, of a list its entries. */
function partsOf(value: string): readonly string[] {
  const [, user = '', host = '', path = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:([^\s/@]*)@)?(\[[^\]]*\]|[^\s/:?#,;]*)(?::\d+)?([/?#].*)?$/i.exec(value) ?? [];
  return [
    value,
    host.replace(/^\[|\]$/g, ''),
    ...user.split(':'),
    // A dashboard of the owner's own has a dash in its path; other words of a path name nothing by themselves.
    ...path.split(/[/?#&=]/).filter((part) => /[a-z0-9][-_][a-z0-9]/i.test(part)),
    ...(/[\s,;]/.test(value) ? value.split(/[,;\n]+/) : []),
  ];
}

/** A name as it stands in ids and addresses: lower-case without accents, words joined by `mark`. */
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

/** As it stands in addresses; programs differ in what they write for an apostrophe and for a space. */
function inAddress(text: string): readonly string[] {
  try {
    const url = encodeURIComponent(text);
    const strict = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    return [url, strict, strict.replaceAll('%20', '+')];
  } catch {
    // A lone half of a surrogate pair has no place in an address.
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

/** What of a value is looked for: each name in it, in every spelling, the longest first. */
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

/** What the owner wrote into settings that take any text; what is chosen from a list names nobody. */
export const writtenSettings = (
  descriptors: readonly SettingDescriptor[],
  values: Readonly<Record<string, SettingValue>>,
): readonly string[] =>
  descriptors.flatMap(({ key, type, defaultValue }) => {
    const value = values[key];
    return type === 'STRING' && typeof value === 'string' && value !== defaultValue ? [value] : [];
  });
