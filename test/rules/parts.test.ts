import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { sourceFiles, withoutComments } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => withoutComments(readFileSync(join(root, file), 'utf8'));

/** What a text imports at run time, each name that it has there with the path it comes from. */
const importedBy = (text: string): readonly { readonly name: string; readonly path: string }[] =>
  [...text.matchAll(/^import\s+\{([^}]*)\}\s+from\s+'([^']+)'/gm)].flatMap(([, names = '', path = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^\w+ as /, ''))
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, path })),
  );

const workers = sourceFiles(root, ['actors'], ['actors/kit/', 'actors/tree.ts'])
  .map((file) => ({ file, text: read(file) }))
  .filter(({ text }) => /\bpart\(/.test(text));

const imported = sourceFiles(root, ['bin'])
  .map((file) => ({ file, text: read(file) }))
  .flatMap(({ file, text }) => importedBy(text).map((from) => ({ file, ...from })));

/** Makers that are taken out of a chunk of their own, `(await chunks.zigbee()).zigbeeSpec(...)`. */
const fromChunks = sourceFiles(root, ['bin']).flatMap((file) => {
  const text = read(file);
  return [...text.matchAll(/(\w+): chunk\(\(\) => import\('(#actors\/[^']+)'\)\)/g)].flatMap(
    ([, chunk = '', path = '']) =>
      [...text.matchAll(new RegExp(`\\(await chunks\\.${chunk}\\(\\)\\)\\.(\\w+)\\(`, 'g'))].map(([, name = '']) => ({
        file,
        name,
        path,
      })),
  );
});

/** Names of exported functions that make a part. */
const makersIn = (text: string): readonly string[] =>
  [...text.matchAll(/^export (?:const|function) (\w+)(?:(?!\nexport )[\s\S])*?\): Part (?:=>|\{)/gm)].map(
    ([, name = '']) => name,
  );

const wiring = [...imported, ...fromChunks];

describe('every worker', () => {
  it('is made by part from the manifest of a subsystem, each with actors once', () => {
    const made = workers.flatMap(({ file, text }) =>
      [...text.matchAll(/\bpart\(\s*(\w+),/g)].map(
        ([, manifest]) => importedBy(text).find(({ name }) => name === manifest)?.path ?? `${file}: ${manifest}`,
      ),
    );
    const manifests = sourceFiles(root, ['machines'])
      .filter((file) => file.endsWith('/index.ts') && !/\bids: \[\]/.test(read(file)))
      .map((file) => `#${file}`);
    expect(manifests.length).toBeGreaterThan(30);
    expect(made.toSorted()).toEqual(manifests.toSorted());
  });

  it('comes from one exported function, and part from the kit', () => {
    for (const { file, text } of workers) {
      expect(importedBy(text), file).toContainEqual({ name: 'part', path: expect.stringMatching(/kit\/part\.ts$/) });
      expect(makersIn(text), file).toHaveLength(1);
    }
  });

  it('is wired in bin/, where none is made', () => {
    const makers = workers.flatMap(({ file, text }) => makersIn(text).map((name) => ({ name, path: `#${file}` })));
    for (const maker of makers) {
      const used = wiring.filter(({ name, path }) => name === maker.name && path === maker.path);
      expect(used, maker.name).toHaveLength(1);
    }
    const others = wiring.filter(
      ({ name, path }) =>
        path.startsWith('#actors/') && /Spec$|^part$/.test(name) && !path.startsWith('#actors/kit/spec'),
    );
    expect(others.map(({ name, path }) => ({ name, path })).toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(
      makers.toSorted((a, b) => a.path.localeCompare(b.path)),
    );
  });
});
