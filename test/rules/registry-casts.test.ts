import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { sourceFiles } from './read-edges.ts';
import { registryCasts } from './registry-casts.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/** It puts the types on what it finds by name, once. */
const registry = 'actors/kit/registry.ts';

describe('no cast at tell, read, ask, follow and listen', () => {
  it('in any room', () => {
    const files = sourceFiles(root, ['machines', 'actors', 'routes', 'bin', 'profiles']);
    expect(files).toContain(registry);
    const found = files
      .filter((file) => file !== registry)
      .flatMap((file) => registryCasts(file, read(file)).map((fault) => `${file}:${fault}`));
    expect(found).toEqual([]);
  });

  const fixtures = 'test/rules/bad/registry';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(registryCasts(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(registryCasts(file, read(file))).toEqual([]));
  }
});
