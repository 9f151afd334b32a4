// Prints figures of the source: files, lines, casts, files that import many subsystems, states and stop events of
// machines. count.mjs [folder of a formatted checkout]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui'];
/** So many subsystems make a file one that every new subsystem would have to be written into. */
const many = 8;

const files = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true })
    .map((file) => join(room, file))
    .filter((file) => /\.tsx?$/.test(file)),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const lines = files.map((file) => texts.get(file).split('\n').length - 1).toSorted((a, b) => a - b);
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const matches = (pattern) => sum([...texts.values()].map((text) => [...text.matchAll(pattern)].length));

const subsystems = new Set(files.flatMap((file) => /^machines\/(?!kit\/)([^/]+)\//.exec(file)?.[1] ?? []));
function named(file) {
  const own = /^machines\/([^/]+)\//.exec(file)?.[1];
  const found = [...texts.get(file).matchAll(/from '(?:#(?:machines|actors)\/|\.\.?\/)([a-z-]+)[/.]/g)];
  return new Set(found.map(([, name]) => name).filter((name) => subsystems.has(name) && name !== own)).size;
}
const shared = files.filter((file) => named(file) >= many).toSorted((a, b) => named(b) - named(a));
const mention = (word) => files.filter((file) => texts.get(file).includes(word));
const outside = (word) => mention(word).filter((file) => !file.toLowerCase().includes(word.replace('-', '')));

/** Casts of a syntax tree, `as const` left out. */
function castsIn(node) {
  if (typeof node !== 'object' || node === null) return 0;
  const own = node.type === 'TSAsExpression' && node.typeAnnotation?.typeName?.name !== 'const' ? 1 : 0;
  return own + sum(Object.values(node).map(castsIn));
}
const casts = (file) => castsIn(parseAst(texts.get(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);

/** The nodes of a syntax tree. */
const nodesOf = (node) =>
  typeof node !== 'object' || node === null
    ? []
    : [...(typeof node.type === 'string' ? [node] : []), ...Object.values(node).flatMap(nodesOf)];
const trees = new Map(
  files
    .filter((file) => /^(?:machines|actors)\//.test(file))
    .map((file) => [file, nodesOf(parseAst(texts.get(file), { lang: 'ts' }).body)]),
);
const inTrees = (room, pick) =>
  [...trees].flatMap(([file, nodes]) => (file.startsWith(room) ? nodes.flatMap((node) => pick(node, file)) : []));
const fieldOf = (object, name) =>
  object?.type === 'ObjectExpression' ? object.properties.find(({ key }) => key?.name === name)?.value : undefined;

/** States in which a chart can stay: those below a state stand for it, final ones end it. */
function lasting(state) {
  if (fieldOf(state, 'type')?.value === 'final') return 0;
  const states = fieldOf(state, 'states');
  // What another constant or file brings is not counted through: it is taken for one that matters.
  if (states === undefined) return 1;
  if (states.type !== 'ObjectExpression') return 2;
  return sum(states.properties.map(({ value }) => (value === undefined ? 2 : lasting(value))));
}
const oneState = inTrees('machines', (node, file) =>
  !file.startsWith('machines/kit/') &&
  node.type === 'CallExpression' &&
  node.callee.property?.name === 'createMachine' &&
  node.arguments[0]?.type === 'ObjectExpression' &&
  lasting(node.arguments[0]) < 2
    ? [file]
    : [],
);
const stopEvents = new Set(
  inTrees('machines', (node) =>
    node.type === 'TSLiteralType' && /^[a-z-]+\.stop$/.test(node.literal.value) ? [node.literal.value] : [],
  ),
);
const stopsOfParts = inTrees('actors', (node) =>
  node.type === 'Property' && node.key.name === 'stop' && fieldOf(node.value, 'event') !== undefined ? [node] : [],
);
const isEvent = (node) => node?.name === 'event' || node?.property?.name === 'event';
const isEventType = (node) =>
  node?.type === 'MemberExpression' && node.property.name === 'type' && isEvent(node.object);
const askingWhich = inTrees('machines', (node, file) =>
  !file.startsWith('machines/kit/') &&
  /from 'xstate'/.test(texts.get(file)) &&
  ((node.type === 'BinaryExpression' && node.operator === 'in' && isEvent(node.right)) ||
    (node.type === 'BinaryExpression' && (isEventType(node.left) || isEventType(node.right))) ||
    (node.type === 'SwitchStatement' && isEventType(node.discriminant)))
    ? [file]
    : [],
);

const print = (what, value) => console.log(`${what.padEnd(62)} ${value}`);
print('files', files.length);
print('lines', sum(lines));
print('median, 95th and longest file', [0.5, 0.95, 1].map((q) => lines[Math.ceil(lines.length * q) - 1]).join(', '));
print('lines over 120 columns', matches(/^.{121,}$/gm));
print('casts (`as`, but `as const`)', sum(files.map(casts)));
print(
  '`.context as`, `read<`, `as { type: string }`',
  matches(/\.context as |\.read<|as \{ (?:readonly )?type: string \}/g),
);
print('untyped driver slots (`AnyActorLogic`) outside kits', matches(/AnyActorLogic\b(?!,| \})/g));
print(`files that import ${many} or more subsystems`, shared.length);
for (const file of shared)
  print(`  ${file}`, `${named(file)} subsystems, ${texts.get(file).split('\n').length - 1} lines`);
for (const word of ['zigbee', 'proximity'])
  print(`files that mention ${word}; of those outside its own`, `${mention(word).length}; ${outside(word).length}`);
print('machines with at most one state that lasts', oneState.length);
for (const file of oneState) print(`  ${file}`, '');
print('stop events; `stop:` of parts', `${stopEvents.size}; ${stopsOfParts.length}`);
print('`event.type ===` and `in event` beside XState', askingWhich.length);
