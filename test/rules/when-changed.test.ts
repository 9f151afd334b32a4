import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const tool = fileURLToPath(new URL('when-changed.mjs', import.meta.url));
const tree = mkdtempSync(join(tmpdir(), 'sconce-changed-'));
/** A check that says that it ran, and passes unless there is a file `bad`. */
const check = 'test ! -e room/bad && echo ran';
function run() {
  const { status, stdout } = spawnSync(process.execPath, [tool, 'check', 'sh', '-c', check], {
    cwd: tree,
    encoding: 'utf8',
  });
  return { status, ran: stdout.includes('ran') };
}

beforeAll(() => {
  mkdirSync(join(tree, 'room'));
  writeFileSync(join(tree, 'room/a.ts'), 'a');
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

it('is run again only once something has changed, and each time until it passes', () => {
  expect(run()).toEqual({ status: 0, ran: true });
  expect(run()).toEqual({ status: 0, ran: false });
  writeFileSync(join(tree, 'room/a.ts'), 'b');
  expect(run()).toEqual({ status: 0, ran: true });
  writeFileSync(join(tree, 'room/bad'), '');
  for (const _ of [1, 2]) expect(run()).toEqual({ status: 1, ran: false });
  rmSync(join(tree, 'room/bad'));
  expect(run()).toEqual({ status: 0, ran: false });
  writeFileSync(join(tree, '.oxlintrc.json'), '{}');
  expect(run()).toEqual({ status: 0, ran: true });
});
