import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyIntegration } from '#drivers/companion/copy-integration.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-integration-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function builtIn(version: string): string {
  const built = join(folder, `built-${version}`);
  const integration = join(built, 'custom_components/sconce');
  mkdirSync(join(integration, 'translations'), { recursive: true });
  writeFileSync(join(integration, 'manifest.json'), JSON.stringify({ domain: 'sconce', version }));
  writeFileSync(join(integration, `only-in-${version}.py`), '');
  writeFileSync(join(integration, 'translations/en.json'), '{}');
  return built;
}

function newConfiguration(): string {
  const configuration = join(folder, 'config');
  mkdirSync(configuration);
  writeFileSync(join(configuration, 'configuration.yaml'), '');
  writeFileSync(join(configuration, '.HA_VERSION'), '2026.11.0');
  return configuration;
}

const targetIn = (configuration: string): string => join(configuration, 'custom_components/sconce');
const versionIn = (configuration: string): string =>
  readFileSync(join(targetIn(configuration), 'manifest.json'), 'utf8');

test('the first copy and a later one: what only the old version had is gone', async () => {
  const configuration = newConfiguration();
  expect(await copyIntegration(builtIn('1.0.0'), configuration)).toEqual({
    ok: true,
    version: '1.0.0',
    before: null,
  });
  expect(await copyIntegration(builtIn('2.0.0'), configuration)).toEqual({
    ok: true,
    version: '2.0.0',
    before: '1.0.0',
  });
  expect(readdirSync(targetIn(configuration)).toSorted()).toEqual([
    'manifest.json',
    'only-in-2.0.0.py',
    'translations',
  ]);
  expect(readdirSync(configuration).toSorted()).toEqual(['.HA_VERSION', 'configuration.yaml', 'custom_components']);
});

test('any other folder is refused, and nothing is written there', async () => {
  const built = builtIn('1.0.0');
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'configuration.yaml'), '');
  expect(await copyIntegration(built, other)).toEqual({ ok: false, reason: 'not-configuration' });
  expect(await copyIntegration(built, join(folder, 'none'))).toEqual({ ok: false, reason: 'not-configuration' });
  expect(readdirSync(other)).toEqual(['configuration.yaml']);
  expect(await copyIntegration(join(folder, 'none'), newConfiguration())).toEqual({
    ok: false,
    reason: 'not-built',
  });
});

test('another integration under this name is left alone', async () => {
  const configuration = newConfiguration();
  mkdirSync(targetIn(configuration), { recursive: true });
  writeFileSync(join(targetIn(configuration), 'manifest.json'), '{"domain":"other","version":"1"}');
  expect(await copyIntegration(builtIn('1.0.0'), configuration)).toEqual({ ok: false, reason: 'foreign' });
  expect(versionIn(configuration)).toContain('other');
});

test('a copy that was interrupted between its renames is made good by the next', async () => {
  const configuration = newConfiguration();
  const built = builtIn('1.0.0');
  await copyIntegration(built, configuration);
  renameSync(targetIn(configuration), join(configuration, '.sconce-old-0123abcd'));
  mkdirSync(join(configuration, '.sconce-new-0123abcd'));
  expect(await copyIntegration(builtIn('2.0.0'), configuration)).toEqual({
    ok: true,
    version: '2.0.0',
    before: '1.0.0',
  });
  expect(readdirSync(configuration)).toHaveLength(3);
});

test('without room in custom_components the old integration stays', async () => {
  const configuration = newConfiguration();
  // A file in the place of the folder: the rename fails.
  writeFileSync(join(configuration, 'custom_components'), '');
  expect(await copyIntegration(builtIn('1.0.0'), configuration)).toEqual({
    ok: false,
    reason: 'disk',
    code: 'ENOTDIR',
  });
  expect(readdirSync(configuration).toSorted()).toEqual(['.HA_VERSION', 'configuration.yaml', 'custom_components']);
});
