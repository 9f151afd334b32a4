import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { inspectStorage, storageDisk } from '#drivers/storage-health/disk.ts';
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

describe('looking at the storage', () => {
  it('tells the capacity, and checks no document that was never written', async () => {
    const look = await inspectStorage(watched(), 'full');
    expect(look.totalBytes).toBeGreaterThan(0);
    expect(look.usableBytes).toBeLessThanOrEqual(look.totalBytes ?? 0);
    expect(look).toMatchObject({ documentBytes: null, check: 'not_run' });
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

  it('uses the check it is given', async () => {
    await writeFile(watched().document, '{}');
    expect(await inspectStorage({ ...watched(), check: () => false }, 'full')).toMatchObject({ check: 'failed' });
  });

  it('knows nothing of a folder that is gone, which is no crash', async () => {
    const driver = runDriver<StorageDriverCommand, StorageHealthEvent>(
      storageDisk({ folder: join(folder, 'gone'), document: join(folder, 'gone/x'), now: () => 7 }),
    );
    driver.tell({ type: 'storage.inspect', depth: 'full' });
    const fact = await driver.until(isFact<StorageHealthEvent, 'storage.looked'>('storage.looked'));
    expect(fact).toEqual({ type: 'storage.looked', at: 7, look: { usableBytes: null, totalBytes: null, documentBytes: null, check: 'not_run' } });
    driver.stop();
    expect(driver.crashed()).toBeUndefined();
  });
});
