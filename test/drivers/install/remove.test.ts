import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunCommand } from '#drivers/install/command.ts';
import { sha256, writeWhole } from '#drivers/install/files.ts';
import { removeAll } from '#drivers/install/remove.ts';
import type { Added, Manifest } from '#machines/install/events.ts';
import { planRemoval } from '#machines/install/removal.ts';

const nothing: RunCommand = () => Promise.resolve({ code: 0, out: '', err: '' });
const ours = 'ours\n';
let folder = '';
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-remove-'));
  mkdirSync(at('program/before'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function remove(added: readonly Added[], purge = false, facts: Partial<Manifest> = {}) {
  const manifest: Manifest = {
    version: 1,
    shape: 'kiosk',
    user: 'nobody-of-that-name',
    data: at('data'),
    profile: null,
    from: null,
    added,
    ...facts,
  };
  return removeAll(
    { run: nothing, folder: at('program'), purge },
    manifest,
    planRemoval(manifest, { purge, packages: false }),
  );
}
const file = (before: string | null): Added => ({
  kind: 'file',
  path: at('rule'),
  sha256: sha256(ours),
  owner: null,
  before,
});
const text = (): string | null => (existsSync(at('rule')) ? readFileSync(at('rule'), 'utf8') : null);

describe('a file that was written', () => {
  const theirs = 'theirs\n';
  const stays = [expect.stringContaining('changed by hand')];
  it.each([
    ['goes', ours, null, false, null, []],
    ['gives way to what was there before', ours, theirs, false, theirs, []],
    ['stays where it was changed by hand', 'changed\n', null, false, 'changed\n', stays],
    [
      'stays where it was changed by hand, also where something was there before',
      'changed\n',
      theirs,
      false,
      'changed\n',
      stays,
    ],
    ['goes although it was changed by hand, when all shall go', 'changed\n', null, true, null, []],
    ['gives way although it was changed by hand, when all shall go', 'changed\n', theirs, true, theirs, []],
    ['that was only noted is as it was, and nothing is said', theirs, theirs, false, theirs, []],
    ['that is gone already is no fault', null, null, false, null, []],
  ] as const)('%s', async (_, found, before, purge, left, said) => {
    if (found !== null) writeFileSync(at('rule'), found);
    if (before !== null) writeFileSync(at('program/before/0-rule'), before);
    const added = [file(before === null ? null : '0-rule')];
    expect(await remove(added, purge)).toEqual({ ok: true, value: said });
    expect(text()).toBe(left);
    // Broken off at the end and run again, it comes to the same.
    if (said.length === 0 && before === null) expect(await remove(added, purge)).toEqual({ ok: true, value: [] });
    expect(existsSync(at('program'))).toBe(false);
  });

  it('is for others to read, however strict the shell of root is', () => {
    const before = process.umask(0o077);
    try {
      writeWhole(at('new/folder/rule'), ours, 0o644);
      expect([
        statSync(at('new')).mode & 0o777,
        statSync(at('new/folder')).mode & 0o777,
        statSync(at('new/folder/rule')).mode & 0o777,
      ]).toEqual([0o755, 0o755, 0o644]);
    } finally {
      process.umask(before);
    }
  });
});

describe('settings', () => {
  beforeEach(() => {
    mkdirSync(at('data'));
    writeFileSync(at('data/sconce.json'), '{}');
  });

  it('of a user who came with Sconce go when all shall go', async () => {
    expect(await remove([{ kind: 'user', name: 'nobody-of-that-name' }], true)).toEqual({ ok: true, value: [] });
    expect(existsSync(at('data'))).toBe(false);
  });

  it('in the home of somebody who is no user any more are not touched by root', async () => {
    expect(await remove([], true, { shape: 'user' })).toEqual({ ok: true, value: [expect.stringContaining('stays')] });
    expect(existsSync(at('data/sconce.json'))).toBe(true);
  });
});
