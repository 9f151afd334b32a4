// Counts what the house costs: files, lines, hand-kept lists, casts. count.mjs [folder of a formatted checkout]
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
const named = (file) => {
  const own = /^machines\/([^/]+)\//.exec(file)?.[1];
  const found = [...texts.get(file).matchAll(/from '(?:#(?:machines|actors)\/|\.\.?\/)([a-z-]+)[/.]/g)];
  return new Set(found.map(([, name]) => name).filter((name) => subsystems.has(name) && name !== own)).size;
};
const shared = files.filter((file) => named(file) >= many).toSorted((a, b) => named(b) - named(a));
const mention = (word) => files.filter((file) => texts.get(file).includes(word));
const outside = (word) => mention(word).filter((file) => !file.toLowerCase().includes(word.replace('-', '')));

/** Casts of a syntax tree, `as const` left out. */
const castsIn = (node) => {
  if (typeof node !== 'object' || node === null) return 0;
  const own = node.type === 'TSAsExpression' && node.typeAnnotation?.typeName?.name !== 'const' ? 1 : 0;
  return own + sum(Object.values(node).map(castsIn));
};
const casts = (file) => castsIn(parseAst(texts.get(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);

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
