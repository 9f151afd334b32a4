import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  NotReplaced,
  replaceFile,
  replaceFileNow,
  type ReplaceOptions,
  type ReplaceStep,
} from '#drivers/kit/replace-file.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const failed = (code: string): object => ({
  ok: false,
  code,
  renamed: false,
  error: expect.objectContaining({ code }),
});
const modeOf = (name: string): number => statSync(at(name)).mode & 0o777;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['replaceFile', replaceFile],
  [
    'replaceFileNow',
    async (path: string, data: string, options?: ReplaceOptions) => replaceFileNow(path, data, options),
  ],
] as const)('%s', (_, replace) => {
  it('makes a file that only its owner may read, and leaves nothing else behind', async () => {
    expect(await replace(at('a'), 'one')).toEqual({ ok: true });
    expect([readFileSync(at('a'), 'utf8'), modeOf('a'), readdirSync(folder)]).toEqual(['one', 0o600, ['a']]);
  });

  it('keeps the mode of the file that it replaces, and gives the one that is asked for, whatever the umask', async () => {
    writeFileSync(at('a'), 'old');
    chmodSync(at('a'), 0o640);
    const before = process.umask(0o077);
    try {
      await replace(at('a'), 'one');
      expect([readFileSync(at('a'), 'utf8'), modeOf('a')]).toEqual(['one', 0o640]);
      await replace(at('a'), 'two', { mode: 0o755 });
      expect([readFileSync(at('a'), 'utf8'), modeOf('a')]).toEqual(['two', 0o755]);
    } finally {
      process.umask(before);
    }
  });

  it('passes over what an earlier try left, and follows no link that lies under the temporary name', async () => {
    writeFileSync(at('foreign'), 'kept');
    symlinkSync(at('foreign'), at('a.new'));
    expect(await replace(at('a'), 'one', { suffix: '.new' })).toEqual({ ok: true });
    expect([readFileSync(at('a'), 'utf8'), readFileSync(at('foreign'), 'utf8')]).toEqual(['one', 'kept']);
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'foreign']);
  });

  it('answers the code of what failed, with the old file in its place and nothing beside it', async () => {
    expect(await replace(at('absent/a'), 'one')).toEqual(failed('ENOENT'));
    mkdirSync(at('b'));
    expect(await replace(at('b'), 'one')).toEqual(failed('EISDIR'));
    expect(readdirSync(folder)).toEqual(['b']);
  });
});

describe('replaceFile step by step', () => {
  it('has the new file on the disk before the old one goes', async () => {
    writeFileSync(at('a'), 'old');
    const seen: (ReplaceStep | 'before')[] = [];
    const beforeRename = async (): Promise<void> => {
      seen.push('before');
      expect([readFileSync(at('a'), 'utf8'), readFileSync(at('a.next'), 'utf8')]).toEqual(['old', 'new']);
    };
    expect(await replaceFile(at('a'), 'new', { beforeRename, onStep: (step) => seen.push(step) })).toEqual({
      ok: true,
    });
    expect(seen).toEqual(['opened', 'written', 'synced', 'before', 'renamed', 'folder-synced']);
  });

  it('leaves the old file where what comes before the renaming fails', async () => {
    writeFileSync(at('a'), 'old');
    const beforeRename = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    expect(await replaceFile(at('a'), 'new', { beforeRename })).toEqual(failed('ENOSPC'));
    expect([readFileSync(at('a'), 'utf8'), readdirSync(folder)]).toEqual(['old', ['a']]);
  });
});

describe('a replacement that failed, where it is thrown', () => {
  it('has the code and the error of the failed call', async () => {
    const replaced = await replaceFile(at('absent/a'), 'one');
    if (replaced.ok) throw new Error('it was replaced');
    expect(new NotReplaced(replaced)).toMatchObject({ code: 'ENOENT', cause: { code: 'ENOENT', syscall: 'open' } });
  });
});
