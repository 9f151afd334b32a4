import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { moduleState } from './module-state.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('machines keep nothing outside their actors', () => {
  it('in any file', () => {
    const files = sourceFiles(root, ['machines']);
    expect(files).toContain('machines/publisher/machine.ts');
    expect(files.flatMap((file) => moduleState(file, read(file)).map((fault) => `${file}:${fault}`))).toEqual([]);
  });

  const fixtures = 'test/rules/bad/module-state';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(moduleState(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(moduleState(file, read(file))).toEqual([]));
  }
});
