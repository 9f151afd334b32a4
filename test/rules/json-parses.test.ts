import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { jsonParses, ownJson } from './json-parses.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('foreign text is judged before it is parsed', () => {
  const found = sourceFiles(root, ['machines', 'drivers', 'profiles', 'actors', 'routes', 'bin']).flatMap((file) =>
    jsonParses(file, read(file)).map((fault) => ({ file, fault })),
  );

  it('in any room', () => {
    expect(found.filter(({ file }) => !(file in ownJson)).map(({ file, fault }) => `${file}:${fault}`)).toEqual([]);
  });

  it('and no place of own text is listed that is none', () => {
    const files = new Set(found.map(({ file }) => file));
    expect(Object.keys(ownJson).filter((file) => !files.has(file))).toEqual([]);
  });

  const fixtures = 'test/rules/bad/json';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(jsonParses(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(jsonParses(file, read(file))).toEqual([]));
  }
});
