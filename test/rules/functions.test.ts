import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { arrowFunctions } from './functions.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = ['*.ts', '*.tsx', '*.mts', '*.mjs', ':!test/rules/bad'];

describe('functions at the top level with a body in braces', () => {
  it('are declarations', () => {
    const files = execFileSync('git', ['ls-files', ...sources], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((file) => arrowFunctions(file, read(file)).map((fault) => `${file}:${fault}`))).toEqual([]);
  });

  const fixtures = 'test/rules/bad/functions';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(arrowFunctions(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(arrowFunctions(file, read(file))).toEqual([]));
  }
});
