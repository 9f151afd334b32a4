import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { oldNames, oldNamesIn, oldNamesOfState } from './old-names.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const all = [...oldNames, ...oldNamesOfState];
const rooms = ['bin', 'machines', 'drivers', 'profiles', 'actors', 'routes', 'ui', 'test'];

describe('what was renamed keeps its new name', () => {
  it('in files, identifiers, ids of parts and titles of tests', () => {
    const files = sourceFiles(root, rooms, ['test/rules/bad/', 'test/rules/old-names', 'test/client/']);
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((file) => oldNamesIn(all, file, read(file)).map((fault) => `${file}:${fault}`))).toEqual([]);
  });

  it('in READMEs', () => {
    const pages = execFileSync('git', ['ls-files', '*.md', ':!CHANGELOG.md'], { cwd: root, encoding: 'utf8' });
    const files = pages.trim().split('\n');
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => oldNamesIn(all, file, read(file)).map((fault) => `${file}:${fault}`))).toEqual([]);
  });

  it('says what is written instead of each', () => {
    for (const { old, now } of all) {
      expect(old).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(now).not.toBe('');
    }
    expect(new Set(all.map(({ old }) => old)).size).toBe(all.length);
  });

  const fixtures = 'test/rules/bad/old-names';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      // Read as a file of the room that the fixture's folder is called after.
      expect(oldNamesIn(all, file.slice(fixtures.length + 1), read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => {
      expect(oldNamesIn(all, file.slice(`${fixtures}/good/`.length), read(file))).toEqual([]);
    });
  }

  it.each([
    ['machines/renderer/stand-in.ts', '', ['0: stand-in -> fallback page']],
    ['ui/pages/glass-page.tsx', '', ['0: glass -> kiosk, screen, offline page']],
    ['machines/README.md', 'Calm.\nA page.\nAn incarnation, and `/glass`.', ['3: incarnation -> generation']],
    ['routes/README.md', 'The panel’s Calm page.', ['1: calm-page -> offline page']],
  ])('finds it in %s', (file, text, faults) => {
    expect(oldNamesIn(all, file, text)).toEqual(faults);
  });
});
