// Finds the strings and icons that a program of the pages draws with.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The strings of all files in `ui/strings`, by key; throws if a key is in two of them. */
export function readWords(root) {
  const folder = join(root, 'ui/strings');
  const words = new Map();
  const owners = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const [key, text] of Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')))) {
      if (owners.has(key)) throw new Error(`the string "${key}" stands in ${owners.get(key)} and in ${file}`);
      owners.set(key, file);
      words.set(key, text);
    }
  }
  return words;
}

/** Names of the icons that pages may draw. */
export const readIcons = (root) =>
  new Set(Array.from(readFileSync(join(root, 'ui/icons.ts'), 'utf8').matchAll(/'(mdi:[\w-]+)':/g), ([, name]) => name));

/** The index of the `}` that ends a template's placeholder, whose text begins at `from`. */
function endOfHole(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('a template does not end');
}

/** The literal pieces of the template whose text begins at `from`, without its placeholders. */
function piecesOf(text, from) {
  const pieces = [''];
  for (let at = from; at < text.length && text[at] !== '`'; at += 1) {
    if (text.startsWith('${', at)) {
      at = endOfHole(text, at + 2);
      pieces.push('');
    } else pieces[pieces.length - 1] += text[at];
  }
  return pieces;
}

const escaped = (piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The families of keys that a text composes from codes: `state.${word}` matches every key with one more segment. Each
 * has its place and the keys that it can yield.
 */
function madeKeys(text, words) {
  const families = new Set(Array.from(words.keys(), (key) => key.split('.')[0]));
  return Array.from(text.matchAll(/`([a-z_]+)\.(?=[\w.-]*\$\{)/g))
    .filter(([, family]) => families.has(family))
    .map(({ index }) => {
      const pieces = piecesOf(text, index + 1);
      const shape = new RegExp(`^${pieces.map(escaped).join('[^.]+')}$`);
      return { index, pieces, keys: [...words.keys()].filter((key) => shape.test(key)) };
    });
}

/**
 * What a program written by esbuild draws with; esbuild writes each literal without escapes in double quotes. `made`
 * holds the keys that are composed from codes.
 */
export function usedIn(program, words, icons) {
  const made = new Set(madeKeys(program, words).flatMap(({ keys }) => keys));
  const has = (name) => program.includes(`"${name}"`);
  return {
    keys: [...words.keys()].filter((key) => made.has(key) || has(key)),
    made: [...made],
    icons: [...icons].filter(has),
  };
}

/**
 * Short names that replace keys in scripts and in the words sent with a page: they save up to 4 % of a script and a
 * fifth of the words. Each depends on its key alone, so a script of another build finds the right word or none.
 */
export function shortNames(keys) {
  const names = new Map();
  const owners = new Map();
  for (const key of keys) {
    const name = createHash('sha256').update(key).digest('base64url').slice(0, 4);
    if (owners.has(name)) throw new Error(`"${key}" and "${owners.get(name)}" have one short name; rename one of them`);
    owners.set(name, key);
    names.set(key, name);
  }
  return names;
}

/** A program with the short names in place of its keys. */
export const shortened = (program, names) =>
  program.replace(/"([a-z_]+\.[\w.-]+)"/g, (literal, key) => (names.has(key) ? `"${names.get(key)}"` : literal));

/** Literals of a source, each with its kind and its place. */
const literals = /(?<call>\bt(?:Or)?\(\s*)?(?<quote>['"])(?<text>[a-z_]+[.:][\w.:-]+)\k<quote>/g;

/** Strings and icons that a source of the pages names but that do not exist, with their lines. */
export function faultsIn(source, words, icons) {
  const families = new Set(Array.from(words.keys(), (key) => key.split('.')[0]));
  const lineAt = (index) => source.slice(0, index).split('\n').length;
  const named = Array.from(source.matchAll(literals)).flatMap(({ index, groups: { call, text } }) => {
    if (text.startsWith('mdi:')) return icons.has(text) ? [] : [{ index, what: `there is no icon "${text}"` }];
    if (call === undefined && !families.has(text.split('.')[0])) return [];
    return words.has(text) ? [] : [{ index, what: `there is no string "${text}"` }];
  });
  const made = madeKeys(source, words)
    .filter(({ keys }) => keys.length === 0)
    .map(({ index, pieces }) => ({ index, what: `there is no string like "${pieces.join('*')}"` }));
  // The keys that a code can become are read from the call; a key composed elsewhere would not be sent.
  const hidden = Array.from(source.matchAll(/\btOr\(\s*(?!['"`\s])/g)).map(({ index }) => ({
    index,
    what: 'the key of tOr must stand in the call, written out or as a template',
  }));
  return [...named, ...made, ...hidden].map(({ index, what }) => ({ line: lineAt(index), what }));
}
