import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { findLargeFolders } from '#drivers/storage-health/large-folders.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sconce-large-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the places on the disk of the data folder are measured, the largest first, without following links', async () => {
  await mkdir(join(folder, 'journal/one/two'), { recursive: true });
  await mkdir(join(folder, 'apt'));
  await writeFile(join(folder, 'apt/a.deb'), Buffer.alloc(100_000, 1));
  await writeFile(join(folder, 'journal/one/a'), Buffer.alloc(300_000, 1));
  await writeFile(join(folder, 'journal/one/two/b'), Buffer.alloc(300_000, 1));
  await symlink(join(folder, 'journal'), join(folder, 'apt/link'));
  const found = await findLargeFolders(folder, [
    ['packages', join(folder, 'apt')],
    ['crashes', join(folder, 'gone')],
    ['journal', join(folder, 'journal')],
    // Another file system: what is there does not fill this disk.
    ['crashes', '/proc/self'],
  ]);
  expect(found.map(({ holds }) => holds)).toEqual(['journal', 'packages']);
  expect(found[0]?.bytes).toBeGreaterThanOrEqual(600_000);
  expect(found[1]?.bytes).toBeLessThan(300_000);
});

test('a place with too many entries counts for what was seen, and a data folder that is gone for nothing', async () => {
  const many = join(folder, 'many');
  await mkdir(many);
  await Promise.all(Array.from({ length: 2_100 }, (_, index) => writeFile(join(many, `${index}`), 'x')));
  const [found] = await findLargeFolders(folder, [['journal', many]]);
  expect(found?.bytes).toBeLessThanOrEqual(2_000 * 4096);
  expect(await findLargeFolders(join(folder, 'gone'), [['journal', many]])).toEqual([]);
});
