import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sourceFiles } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixtures = join(root, 'test/rules/bad/coerce');
const rooms = ['machines', 'drivers', 'profiles', 'actors', 'routes', 'bin'];

describe('a value is never coerced: "" and null would be 0', () => {
  let copy = '';
  let refused: readonly string[] = [];

  beforeAll(async () => {
    // A tree of its own, so that the linter's rules per folder apply to it as they do to the real one.
    copy = mkdtempSync(join(tmpdir(), 'sconce-coerce-'));
    cpSync(fixtures, copy, { recursive: true });
    cpSync(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'));
    const output = await new Promise<string>((resolve) => {
      execFile(
        join(root, 'node_modules/.bin/oxlint'),
        ['-c', '.oxlintrc.json', '-f', 'json', '.'],
        { cwd: copy, maxBuffer: 1e8 },
        (_, stdout) => resolve(stdout),
      );
    });
    // The linter's own format; a field that is missing makes the tests below fail.
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { filename: string; code: string; message: string; help?: string }[];
    };
    refused = diagnostics
      .filter((one) => one.code.includes('no-restricted-properties') && JSON.stringify(one).includes('coerce'))
      .map(({ filename }) => filename);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const files = sourceFiles(fixtures, rooms);
  it('has a fixture for each room', () => {
    for (const room of rooms) expect(files).toContain(`${room}/asked.ts`);
  });
  for (const file of files) it(file, () => expect(refused.includes(file)).toBe(!file.includes('/good/')));
});
