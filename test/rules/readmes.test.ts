import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

/** The part for owners, if there is one, and the one for developers. */
const partsOf = (text: string): readonly string[] => text.split(/^## For developers$/m);

/** What leads to a heading, as pages of a repository make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const hasHeading = (file: string, anchor: string): boolean =>
  [...proseOf(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].some(([, text = '']) => anchorOf(text) === anchor);

/** Relative links of a README that lead nowhere, or to a heading that is gone. */
const brokenLinks = (folder: string, text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, link = '', anchor]) => {
    const file = link === '' ? null : join(root, folder, link);
    if (file !== null && !existsSync(file)) return [link];
    if (anchor === undefined) return [];
    const isThere =
      file === null
        ? text.split('\n').some((line) => /^#+ /.test(line) && anchorOf(line.replace(/^#+ /, '')) === anchor)
        : hasHeading(file, anchor);
    return isThere ? [] : [`${link}#${anchor}`];
  });

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
      if (!rooms.includes(folder))
        for (const part of partsOf(text)) expect(readLines(part), part.slice(0, 40)).toBeLessThanOrEqual(40);
      expect(brokenLinks(folder, proseOf(text)), 'links').toEqual([]);
      expect(missingFiles(folder, proseOf(text)), 'files').toEqual([]);
    });

  it('the first one is short, and leads to a README of each room', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
    expect(brokenLinks('.', text)).toEqual([]);
    expect(missingFiles('.', text)).toEqual([]);
    const led = rooms.filter((room) => new RegExp(`\\]\\(${room}/`).test(text));
    expect(led).toEqual(rooms.filter((room) => room !== 'actors'));
  });

  it('shows pictures that load quickly', () => {
    const pictures = readdirSync(join(root, 'ui/readme')).map((file) => statSync(join(root, 'ui/readme', file)).size);
    expect(pictures.length).toBeGreaterThan(0);
    expect(Math.max(...pictures)).toBeLessThan(150_000);
  });

  it('what it leads owners to begins with what they need', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    const [, list = ''] = /^For owners:([^]*?)\n\n/m.exec(text) ?? [];
    const pages = [...list.matchAll(/\]\(([^)#]+\/README\.md)/g)].map(([, page = '']) => page);
    expect(pages.length).toBeGreaterThan(5);
    const without = pages.filter((page) => partsOf(readFileSync(join(root, page), 'utf8')).length !== 2);
    expect(without).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'MIGRATING.md', 'SECURITY.md', 'CHANGELOG.md', 'TROUBLESHOOTING.md'])(
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
    expect(brokenLinks('.', 'See [gone](README.md#gone), [here](#here).\n\n## Here\n')).toEqual(['README.md#gone']);
    expect(missingScripts('First `npm run build`, then `npm run gone`.')).toEqual(['gone']);
  });
});
