import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { eventTests } from './event-tests.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
/** An output is made from whatever led to the end, which only the library's own types name. */
const outcome = 'machines/kit/outcome.ts';

describe('no action or guard asks which event it stands at', () => {
  it('in any machine', () => {
    const files = sourceFiles(root, ['machines']).filter((file) => file !== outcome);
    expect(files).toContain('machines/screen/machine.ts');
    expect(files.flatMap((file) => eventTests(file, read(file)).map((fault) => `${file}:${fault}`))).toEqual([]);
  });

  const fixtures = 'test/rules/bad/events';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(eventTests(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(eventTests(file, read(file))).toEqual([]));
  }
});
