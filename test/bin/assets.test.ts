import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openAssets } from '#bin/assets.ts';

const built = fileURLToPath(new URL('../../dist/assets.pack', import.meta.url));

describe('the assets of the pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-assets-'));
  const file = join(folder, 'assets.pack');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are read from their file, also after that was replaced', () => {
    copyFileSync(built, file);
    const assets = openAssets(file);
    rmSync(file);
    writeFileSync(file, 'another build');
    expect(assets.size).toBeGreaterThan(10);
    for (const { body, coded } of assets.values()) {
      expect(body().length).toBeGreaterThan(0);
      for (const form of Object.values(coded)) expect(form().length).toBeGreaterThan(0);
    }
  });

  it.each([
    ['is missing', () => rmSync(file, { force: true })],
    ['is empty', () => writeFileSync(file, '')],
    ['is cut in its index', () => (copyFileSync(built, file), truncateSync(file, 50))],
    ['is cut in its pieces', () => (copyFileSync(built, file), truncateSync(file, 20_000))],
  ])('are refused at once if it %s', (_, harm) => {
    harm();
    expect(() => openAssets(file)).toThrow();
  });
});
