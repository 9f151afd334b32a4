import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { peekProfile } from '#bin/profile-boot.ts';
import { writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import { catalogFolder, fileOf, RECORD, revisionOf } from '#drivers/profiles/places.ts';
import { afterSelection, firstRecord, type ProfileRef } from '#machines/profile-catalog/activation.ts';
import { bundledBytes, bundledProfile } from '#profiles/bundled.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A data folder in which a profile of the owner's own is selected and due for its trial. */
function withSelection(): { readonly folder: string; readonly ref: ProfileRef } {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-peek-'));
  folders.push(folder);
  const bundled = bundledProfile('simulated');
  if (bundled === null) throw new Error('there is no simulated profile');
  const text = new TextDecoder().decode(bundledBytes('simulated') ?? new Uint8Array());
  const bytes = Buffer.from(text.replace('id: simulated', 'id: mine'));
  const ref = { id: 'mine', revision: revisionOf(bytes) };
  mkdirSync(dirname(fileOf(folder, ref)), { recursive: true });
  writeFileSync(fileOf(folder, ref), bytes);
  writeRecordAtStart(folder, afterSelection(firstRecord, { mode: 'pinned', ...ref }, 1));
  return { folder, ref };
}

describe('who only looks', () => {
  test.each([[null], ['auto']] as const)(
    'with --profile %s sees the selected profile, and leaves the trial uncounted',
    (asked) => {
      const { folder, ref } = withSelection();
      const file = join(catalogFolder(folder), RECORD);
      const before = readFileSync(file, 'utf8');
      expect(peekProfile({ folder, asked })).toMatchObject({
        id: 'mine',
        revision: { hash: ref.revision, origin: 'local' },
      });
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );
  test('sees what was asked for by name instead', () => {
    expect(peekProfile({ folder: withSelection().folder, asked: 'linux' }).id).toBe('generic-linux');
  });
  test('sees what fits the machine where the selected bytes are not those that were saved', () => {
    const { folder, ref } = withSelection();
    writeFileSync(fileOf(folder, ref), 'schema: 1\n');
    expect(peekProfile({ folder, asked: 'auto' }).id).not.toBe('mine');
  });
});
