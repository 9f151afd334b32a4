import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cloneRecord } from '#bin/install/clone-record.ts';
import type { Manifest } from '#machines/install/events.ts';
import { parseManifest } from '#machines/install/manifest.ts';
import { makeRepositories, type Repositories } from '#test/drivers/updates/repositories.ts';

let made: Repositories;
let [commit, clone] = ['', ''];
beforeAll(() => {
  made = makeRepositories();
  commit = made.publish('feat(all): begin');
  clone = made.clone('sconce');
});
afterAll(() => made.end());

const manifestWith = (from: unknown): unknown => ({
  version: 1,
  shape: 'kiosk',
  user: 'sconce',
  data: '/var/lib/sconce',
  profile: null,
  added: [],
  ...(from === undefined ? {} : { from }),
});
function readBack(from: unknown): Manifest['from'] | 'damaged' {
  const parsed = parseManifest(JSON.stringify(manifestWith(from)));
  return parsed.ok ? parsed.value.from : 'damaged';
}

describe('what an installation notes of its clone', () => {
  it.each([
    ['https://example.org/sconce.git', 'https://example.org/sconce.git'],
    ['https://anna:secret@example.org/sconce.git', null],
    ['git@example.org:sconce.git', null],
  ])('has the origin %s as %s', async (url, origin) => {
    made.git(clone, 'remote', 'set-url', 'origin', url);
    const record = await cloneRecord(clone, null);
    expect(record).toEqual({ folder: clone, commit, origin, ref: 'refs/heads/main' });
    expect(readBack(record)).toEqual(record);
  });

  it('is that it was no clone, if it was none', async () => {
    const none = { folder: made.folder, commit: null, origin: null, ref: 'HEAD' };
    expect(await cloneRecord(made.folder, null)).toEqual(none);
    expect(readBack(none)).toEqual(none);
  });

  it('is missing in the list of an older installation, and damaged if it is no branch', () => {
    expect(readBack(undefined)).toBeNull();
    expect(readBack({ folder: '/x', commit: null, origin: null, ref: '--upload-pack=x' })).toBe('damaged');
  });
});
