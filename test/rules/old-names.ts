import { parseAst } from 'rolldown/parseAst';

import { isNode, lineOf, type Node, within } from './syntax.ts';

/** A name that was replaced by the field's own term. */
export interface OldName {
  /** Its words, in lower case, with hyphens between. */
  readonly old: string;
  /** What is written instead. */
  readonly now: string;
  /** Folders and files in which it is refused; everywhere where none are given. Words of every day have some. */
  readonly where?: readonly string[];
  /** Identifiers that keep it, since they are fields of the contract, of the API or of what is stored. */
  readonly fields?: readonly string[];
  /** Longer names that have it and are fine. */
  readonly but?: readonly string[];
}

/** Every name that was replaced. */
export const oldNames: readonly OldName[] = [
  { old: 'glass', now: 'kiosk, screen, offline page', fields: ['glass', '/glass', 'voice_glass_button'] },
  { old: 'calm-page', now: 'offline page' },
  { old: 'sighting', now: 'discovery' },
  { old: 'told', now: 'announced', where: ['ui/elements/setup-announce.ts', 'ui/elements/controls.ts'] },
  {
    old: 'tell',
    now: 'announce',
    where: [
      'ui/elements/setup-announce.ts',
      'ui/elements/followers.ts',
      'ui/elements/address.ts',
      'ui/elements/offline.ts',
    ],
  },
  { old: 'say', now: 'announce', where: ['ui/elements/announce.ts', 'ui/elements/theme.ts'] },
  { old: 'lead', now: 'scroll to, focus', where: ['ui/elements/setup-focus.ts'] },
  { old: 'present-identity', now: 'identity view' },
  { old: 'project', now: 'view', where: ['machines/kit', 'machines/renderer', 'machines/camera', 'routes/status'] },
  { old: 'ask-filter', now: 'request filter' },
  { old: 'ask-profiles', now: 'request profiles' },
  { old: 'flight', now: 'in flight', where: ['drivers/http'], but: ['in-flight'] },
  { old: 'seat', now: 'enqueue', where: ['drivers/http'] },
  { old: 'land', now: 'complete', where: ['drivers/http', 'machines/renderer'] },
  { old: 'makes-room', now: 'choose evicted', where: ['drivers/http'] },
  { old: 'turns', now: 'scheduler', where: ['drivers/http', 'drivers/sensors'] },
  { old: 'bar', now: 'ban', where: ['drivers/http'] },
  { old: 'barred', now: 'banned', where: ['drivers/http'] },
  { old: 'happening', now: 'history event' },
  { old: 'happenings', now: 'history events', fields: ['happenings'] },
  { old: 'forked', now: 'cloned profile', where: ['ui/elements'] },
  { old: 'unfold', now: 'expand', where: ['ui/elements'] },
  { old: 'eye', now: 'password toggle', where: ['ui/elements'] },
  { old: 'enliven', now: 'enable' },
  { old: 'rouse', now: 'wake up' },
  { old: 'suit', now: 'sync visibility', where: ['ui/elements/status-stream.ts'] },
  { old: 'know', now: 'remember', where: ['ui/elements/status-stream.ts'] },
  { old: 'mint', now: 'generate' },
  { old: 'minted', now: 'generated' },
  { old: 'minting', now: 'generated identity' },
  { old: 'incarnation', now: 'generation' },
  { old: 'latch', now: 'held failure', where: ['machines/storage-health'] },
  { old: 'pace', now: 'rate limit', where: ['actors', 'machines/settings', 'machines/log-files'] },
  { old: 'lamp', now: 'open light', where: ['drivers/lights', 'machines/lights'] },
  { old: 'contact', now: 'open relay', where: ['drivers/relays', 'machines/relays'] },
];

/** The same for the names that stand for what is kept, watched and shown instead of a page. */
export const oldNamesOfState: readonly OldName[] = [
  { old: 'stand-in', now: 'fallback page', where: ['machines/renderer', 'actors', 'bin', 'routes', 'ui'] },
  { old: 'news', now: 'change events', where: ['actors/renderer-changes.ts'] },
  { old: 'when-still', now: 'after pointer release' },
  {
    old: 'vocabulary',
    now: 'implementations',
    where: ['machines/renderer', 'machines/home-assistant', 'machines/sign-in'],
  },
  { old: 'kept', now: 'persisted', where: ['machines/entity-filter/persisted.ts'] },
  { old: 'keeper', now: 'store', where: ['drivers/log', 'actors'] },
  { old: 'ghost', now: 'orphaned entity', where: ['machines/publisher'] },
  { old: 'ghosts', now: 'orphaned entities', where: ['machines/publisher'], fields: ['ghosts'] },
  { old: 'inflow', now: 'rate limiter' },
  { old: 'made-up', now: 'unknown', where: ['machines/publisher', 'test/machines/publisher'] },
  { old: 'entity-cut', now: 'subscription filter' },
  { old: 'dismiss', now: 'close', where: ['machines/renderer'] },
];

/** The words of a name or a text, in lower case, with a hyphen on each side. */
function wordsOf(text: string): string {
  const words = text
    // The verb is none of the names.
    .replaceAll(/\bstand in\b/gi, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return `-${words.join('-')}-`;
}

const isBelow = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`));

/** Whether an old name is among the words of a name or a text. */
function isIn({ old, fields, but = [] }: OldName, text: string, words: string): boolean {
  if (!words.includes(`-${old}-`) || fields?.includes(text) === true) return false;
  return but.reduce((rest, fine) => rest.replaceAll(`-${fine}-`, '-'), words).includes(`-${old}-`);
}

/** The old names that a name or a text has, as `old -> now`. */
function found(names: readonly OldName[], text: string): readonly string[] {
  const words = wordsOf(text);
  return names.filter((name) => isIn(name, text, words)).map(({ old, now }) => `${old} -> ${now}`);
}

const titled: ReadonlySet<unknown> = new Set(['it', 'test', 'describe']);

/** The name of what is called in the end: `it` of `it.each(rows)(…)`. */
function calledOf(node: unknown): unknown {
  if (!isNode(node)) return undefined;
  if (node.type === 'CallExpression') return calledOf(node['callee']);
  if (node.type === 'MemberExpression') return calledOf(node['object']);
  return node['name'];
}

/** What of a node is a name: an identifier, the id of a part, or the title of a test. */
function namesOf(node: Node): readonly string[] {
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier' || node.type === 'PrivateIdentifier')
    return [`${node.type === 'PrivateIdentifier' ? '#' : ''}${String(node['name'])}`];
  if (node.type === 'Property' && isNode(node['key']) && node['key']['name'] === 'ids' && isNode(node['value']))
    return within(node['value']).flatMap(({ type, value }) => (type === 'Literal' ? [String(value)] : []));
  const [title] = node.type === 'CallExpression' && Array.isArray(node['arguments']) ? node['arguments'] : [];
  return isNode(title) && title.type === 'Literal' && titled.has(calledOf(node)) ? [String(title['value'])] : [];
}

/** Prose of a page, line by line, without its code and its links: there routes, fields and classes are named. */
const proseOf = (text: string): readonly string[] =>
  text
    .replaceAll(/^ *```[^]*?^ *```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line) => line.replaceAll(/`[^`]*`/g, ' ').replaceAll(/\]\([^)]*\)/g, ']'));

/** Each old name in a source or a README, as `line: old -> now`; line 0 is the name of the file itself. */
export function oldNamesIn(all: readonly OldName[], file: string, text: string): readonly string[] {
  const names = all.filter(({ where }) => where === undefined || isBelow(file, where));
  const named = file.split('/').flatMap((part) => found(names, part.split('.')[0] ?? ''));
  const own = [...new Set(named)].map((fault) => `0: ${fault}`);
  if (file.endsWith('.md')) {
    // A word of every day is fine in a sentence.
    const anywhere = names.filter(({ where }) => where === undefined);
    const faults = proseOf(text).flatMap((line, at) => found(anywhere, line).map((old) => `${at + 1}: ${old}`));
    return [...own, ...faults];
  }
  // Most files have none of the words at all.
  const lower = text.toLowerCase();
  if (!names.some(({ old }) => old.split('-').every((word) => lower.includes(word)))) return own;
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree.`);
  // A name is looked at once, however often it stands in the file.
  const known = new Map<string, readonly string[]>();
  const oldIn = (name: string): readonly string[] => {
    const before = known.get(name) ?? found(names, name);
    known.set(name, before);
    return before;
  };
  const faults = within(program).flatMap((node) =>
    namesOf(node).flatMap((name) => oldIn(name).map((old) => `${lineOf(text, node)}: ${old}`)),
  );
  return [...own, ...new Set(faults)];
}
