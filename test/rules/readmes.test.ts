import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui', 'test'];
const foldersIn = (room: string): readonly string[] =>
  readdirSync(join(root, room), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${room}/${entry.name}`] : [],
  );
const subsystems = ['machines', 'drivers'].flatMap(foldersIn);

const textOf = (folder: string): string => readFileSync(join(root, folder, 'README.md'), 'utf8');
/** Fenced blocks are examples, whose files need not be there. */
const proseOf = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '');

/** Lines of a README without its tables and fenced examples, which are looked up and not read from top to bottom. */
const readLines = (text: string): number =>
  proseOf(text)
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('|')).length;

/** Relative links of a README that lead nowhere. */
const brokenLinks = (folder: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].flatMap(([, link = '']) =>
    existsSync(join(root, folder, link)) ? [] : [link],
  );

const allFiles = new Set(
  rooms
    .flatMap((room) => readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }))
    .map((file) => basename(file)),
);

/**
 * Files of code that a README names and that are nowhere: a path is looked up from the folder and from the root, a bare
 * name in every room.
 */
const missingFiles = (folder: string, text: string): readonly string[] =>
  [...text.matchAll(/`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|cjs|css))`/g)].flatMap(([, file = '']) => {
    // `x` stands for any subsystem.
    const isExample = /(?:^|\/)x(?:\/|[.-])/.test(file);
    const isThere = file.includes('/')
      ? ['.', folder, dirname(folder)].some((from) => existsSync(join(root, from, file)))
      : allFiles.has(file);
    return isExample || isThere ? [] : [file];
  });

// The file's own shape.
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Scripts of npm that a text names and that are nowhere. */
const missingScripts = (text: string): readonly string[] =>
  [...text.matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].flatMap(([, name = '']) =>
    Object.hasOwn(scripts, name) ? [] : [name],
  );

describe('the READMEs', () => {
  it('look at every room', () => expect(subsystems.length).toBeGreaterThan(50));

  for (const folder of [...rooms, ...subsystems])
    it(`${folder}: is there, short, and names what is there`, () => {
      const text = textOf(folder);
      if (!rooms.includes(folder)) expect(readLines(text)).toBeLessThanOrEqual(40);
      expect(brokenLinks(folder, proseOf(text)), 'links').toEqual([]);
      expect(missingFiles(folder, proseOf(text)), 'files').toEqual([]);
    });

  it('the first one is short, and leads to a README of each room', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
    expect(brokenLinks('.', text)).toEqual([]);
    expect(missingFiles('.', text)).toEqual([]);
    const led = rooms.filter((room) => new RegExp(`\\]\\(${room}/`).test(text));
    expect(led).toEqual(rooms.filter((room) => room !== 'actors'));
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'TROUBLESHOOTING.md'])(
    '%s names what is there',
    (name) => {
      const text = readFileSync(join(root, name), 'utf8');
      expect(brokenLinks('.', text)).toEqual([]);
      expect(missingFiles('.', text)).toEqual([]);
      expect(missingScripts(text)).toEqual([]);
    },
  );

  it('would find a file, a link and a script that are gone', () => {
    expect(missingFiles('machines/screen', 'See `gone.ts` and `decide.ts`.')).toEqual(['gone.ts']);
    expect(brokenLinks('machines/screen', 'See [gone](../gone/).')).toEqual(['../gone/']);
    expect(missingScripts('First `npm run build`, then `npm run gone`.')).toEqual(['gone']);
  });
});
