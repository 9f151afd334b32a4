import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { inspectStorage, storageDisk } from '#drivers/storage-health/disk.ts';
import { isDocument } from '#drivers/store/document.ts';
import type { StorageDriverCommand, StorageHealthEvent } from '#machines/storage-health/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sconce-storage-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});
const watched = () => ({ folder, document: join(folder, 'document.json') });

describe('inspecting the storage', () => {
  it('tells the capacity, and checks no document that was never written', async () => {
    const inspection = await inspectStorage(watched(), 'full');
    expect(inspection.totalBytes).toBeGreaterThan(0);
    expect(inspection.usableBytes).toBeLessThanOrEqual(inspection.totalBytes ?? 0);
    expect(inspection).toMatchObject({ documentBytes: null, check: 'not_run' });
  });

  it.each([
    ['{"a":1}', 'ok'],
    ['{"a":', 'failed'],
    ['[]', 'failed'],
    ['', 'failed'],
  ])('checks %j: %s', async (text, check) => {
    await writeFile(watched().document, text);
    expect(await inspectStorage(watched(), 'full')).toMatchObject({ check, documentBytes: text.length });
    expect(await inspectStorage(watched(), 'space')).toMatchObject({ check: 'not_run', documentBytes: text.length });
  });

  it.each([
    ['{"version":1,"value":null}', 'ok', []],
    ['{"version":1,"val', 'failed', ['panel']],
    ['{}', 'failed', ['panel']],
  ])('checks a section in a file of its own as well: %j is %s', async (text, check, damaged) => {
    await writeFile(watched().document, '{}');
    await mkdir(join(folder, 'sections'));
    await writeFile(join(folder, 'sections/relay1.json'), '{"version":1,"value":{"closed":true}}');
    await writeFile(join(folder, 'sections/panel.json'), text);
    await writeFile(join(folder, 'sections/panel.json.broken'), 'no more');
    expect(await inspectStorage(watched(), 'full')).toMatchObject({ check, damaged });
    await writeFile(watched().document, '{');
    expect(await inspectStorage(watched(), 'full')).toMatchObject({ check: 'failed', damaged: [] });
  });

  it('measures the copies, the profiles and the rest, and follows no link out of the folder', async () => {
    await mkdir(join(folder, 'profiles/panel'), { recursive: true });
    await mkdir(join(folder, 'sections'));
    await mkdir(join(folder, 'tmp'));
    await mkdir(join(folder, 'adb'));
    await mkdir(join(folder, 'restore'));
    for (const [name, bytes] of [
      ['state.json', 10],
      ['state.json.previous', 20],
      ['state.json.broken', 3],
      ['state.json.v1', 10_000],
      ['revisions.json', 20_000],
      ['revisions.json.previous', 30_000],
      ['restore/plan.json', 500],
      ['sections/panel.json', 50],
      ['sections/relay1.json', 60],
      ['sections/panel.json.previous', 300],
      ['profiles/activation.json', 400],
      ['profiles/panel/a.yaml', 1_000],
      ['adb/key', 7],
      ['tmp/played', 9_999],
    ] as const) {
      await writeFile(join(folder, name), '');
      await truncate(join(folder, name), bytes);
    }
    expect((await inspectStorage(watched(), 'space')).sizes).toEqual({
      sectionsBytes: 110,
      copiesBytes: 60_323,
      profilesBytes: 1_400,
      otherBytes: 507,
    });
    await symlink('/usr/bin', join(folder, 'adb/l'));
    expect((await inspectStorage(watched(), 'space')).sizes).toEqual({
      sectionsBytes: 110,
      copiesBytes: 60_323,
      profilesBytes: 1_400,
      otherBytes: 507 + '/usr/bin'.length,
    });
  });

  it('leaves a folder unmeasured that holds more than the agent ever keeps', async () => {
    await mkdir(join(folder, 'a/b/c/d/e'), { recursive: true });
    expect((await inspectStorage(watched(), 'space')).sizes).toBeNull();
    await rm(join(folder, 'a'), { recursive: true });
    await Promise.all(Array.from({ length: 2_000 }, (_, index) => writeFile(join(folder, `f${index}`), '')));
    expect((await inspectStorage(watched(), 'space')).sizes).toEqual({
      sectionsBytes: 0,
      copiesBytes: 0,
      profilesBytes: 0,
      otherBytes: 0,
    });
    await writeFile(join(folder, 'one-more'), '');
    expect((await inspectStorage(watched(), 'space')).sizes).toBeNull();
  });

  it('finds nothing damaged in what a newer version wrote', async () => {
    await mkdir(join(folder, 'sections'));
    await writeFile(join(folder, 'sections/history.json'), '{"version":2,"rows":[]}');
    await writeFile(watched().document, '{"version":2}');
    expect(await inspectStorage({ ...watched(), check: isDocument }, 'full')).toMatchObject({
      check: 'ok',
      damaged: [],
    });
  });

  it('uses the check it is given', async () => {
    await writeFile(watched().document, '{}');
    expect(await inspectStorage({ ...watched(), check: () => false }, 'full')).toMatchObject({ check: 'failed' });
  });

  it('knows nothing of a folder that is gone, which is no crash', async () => {
    const driver = runDriver<StorageDriverCommand, StorageHealthEvent>(
      storageDisk({ folder: join(folder, 'gone'), document: join(folder, 'gone/x'), now: () => 7 }),
    );
    driver.tell({ type: 'storage.inspect', depth: 'full' });
    const fact = await driver.until(isFact<StorageHealthEvent, 'storage.inspected'>('storage.inspected'));
    expect(fact).toEqual({
      type: 'storage.inspected',
      at: 7,
      inspection: {
        usableBytes: null,
        totalBytes: null,
        documentBytes: null,
        sizes: null,
        check: 'not_run',
        damaged: [],
      },
    });
    driver.stop();
    expect(driver.crashed()).toBeUndefined();
  });
});
