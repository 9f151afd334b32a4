import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { installedFrom, trustedHere } from '#drivers/install/writable.ts';

let base = '';
beforeEach(() => (base = realpathSync(mkdtempSync(join(tmpdir(), 'sconce-checkout-')))));
afterEach(() => rmSync(base, { recursive: true }));

it('finds what is run, the folders in between and those above, each once', () => {
  const root = join(base, 'sconce');
  for (const folder of ['dist', 'node_modules/koffi', 'node_modules/hono', '.git'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'dist/agent.cjs'), '');
  chmodSync(join(root, 'dist/agent.cjs'), 0o666);
  writeFileSync(join(root, 'node_modules/hono/index.js'), '');
  symlinkSync('../dist/agent.cjs', join(root, 'node_modules/koffi/link'));
  writeFileSync(join(base, 'node'), '');
  const found = installedFrom(root, join(base, 'node'));
  const shown = found
    .filter(({ path }) => path.startsWith(base))
    .map(({ path, kind, isAbove }) => [path.slice(base.length), kind, isAbove]);
  expect(shown.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
    ['', 'folder', true],
    ['/node', 'file', false],
    ['/sconce', 'folder', false],
    ['/sconce/dist', 'folder', false],
    ['/sconce/dist/agent.cjs', 'file', false],
    ['/sconce/node_modules', 'folder', false],
    ['/sconce/node_modules/koffi', 'folder', false],
    ['/sconce/node_modules/koffi/link', 'link', false],
  ]);
  expect(found.filter(({ path }) => path === '/')).toMatchObject([{ isAbove: true }]);
  expect(found.find(({ path }) => path.endsWith('agent.cjs'))?.mode).toBe(0o666);
});

it('trusts root, who called sudo, and a group that has nobody else', () => {
  const groups = join(base, 'group');
  writeFileSync(groups, 'root:x:0:\nanna:x:1000:\nben:x:1001:anna\nusers:x:100:anna,ben\n');
  const sudo = (user: string, uid: string, gid: string) =>
    trustedHere({ SUDO_USER: user, SUDO_UID: uid, SUDO_GID: gid }, groups);
  expect(sudo('anna', '1000', '1000')).toEqual({ uids: [0, 1000], gids: [0, 1000] });
  expect(sudo('ben', '1001', '1001')).toEqual({ uids: [0, 1001], gids: [0] });
  expect(sudo('anna', '1000', '100')).toEqual({ uids: [0, 1000], gids: [0] });
  expect(trustedHere({}, groups).uids).toEqual([0, process.getuid?.()]);
});
