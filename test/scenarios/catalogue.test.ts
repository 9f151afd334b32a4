import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { Problem } from '#routes/kit/problem.ts';
import { Catalog, Deleted, Imported, Preview, Scheduled } from '#routes/profiles/shapes.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { type LiveAgent, startLive, until } from './live-agent.ts';

const simulated = readFileSync(
  fileURLToPath(new URL('../../profiles/bundled/simulated.yaml', import.meta.url)),
  'utf8',
);
const mine = simulated.replace(/^id: .*$/m, 'id: mine').replace(/^display_name: .*$/m, 'display_name: Mine');

let live: LiveAgent;
let restarts = 0;
beforeAll(async () => {
  const active = { id: 'simulated', revision: bundledProfile('simulated')?.summary.revision ?? '' };
  live = await startLive({
    boot: { active, commandLine: false, issues: [], startedAt: Date.now() },
    trialTimes: { holdMs: 60_000, deadlineMs: 60_000, answerMs: 20 },
    onRestartDue: () => {
      restarts += 1;
    },
  });
  await until('the catalogue', async () => (await fetch(`${live.url}/api/v1/profiles`)).ok);
});
afterAll(() => live.close());

const catalog = async (): Promise<z.infer<ReturnType<typeof Catalog>>> =>
  Catalog().parse(await (await fetch(`${live.url}/api/v1/profiles`)).json());
const yaml = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${live.url}/api/v1/profiles/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/yaml', ...headers },
  });
const change = (path: string, body: unknown): Promise<Response> =>
  fetch(`${live.url}/api/v1/profiles/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const errorOf = async (response: Response): Promise<readonly [number, string]> => [
  response.status,
  Problem().parse(await response.json()).error,
];
const previewOf = async (body: string): Promise<z.infer<ReturnType<typeof Preview>>> =>
  Preview().parse(await (await yaml('preview', body)).json());
const save = async (body: string): Promise<z.infer<ReturnType<typeof Imported>>> =>
  Imported().parse(
    await (
      await yaml('import', body, { 'x-profile-preview-token': (await previewOf(body)).preview_token ?? '' })
    ).json(),
  );

describe('a preview', () => {
  test.each(['preview', 'validate', 'compare', 'probe'])(
    '%s says what the profile would be and changes nothing',
    async (path) => {
      const before = await catalog();
      const seen = Preview().parse(await (await yaml(path, mine)).json());
      expect(seen).toMatchObject({
        valid: true,
        summary: { id: 'mine', origin: 'local' },
        already_saved: false,
        matches_this_device: false,
      });
      expect(seen.diff.map((one) => one.path)).toEqual(expect.arrayContaining(['id', 'display_name']));
      expect(seen.evidence === null).toBe(path !== 'probe');
      expect((await catalog()).catalog_revision).toBe(before.catalog_revision);
    },
  );
  test('of a mistake names its line and gives no token', async () => {
    const seen = await previewOf(mine.replace('schema: 1', 'schema: 7'));
    expect(seen).toMatchObject({ valid: false, summary: null, preview_token: null });
    expect(seen.issues[0]?.line).toBe(mine.split('\n').indexOf('schema: 1') + 1);
  });
  test('is refused above 128 KiB and as another type', async () => {
    expect(await errorOf(await yaml('preview', `#${'x'.repeat(131_072)}`))).toEqual([413, 'request-too-large']);
    expect(await errorOf(await yaml('preview', mine, { 'content-type': 'application/json' }))).toEqual([
      415,
      'unsupported-type',
    ]);
  });
});

describe('an import', () => {
  test('takes only previewed bytes, once and for ever, and gives them back', async () => {
    const { preview_token: token } = await previewOf(mine);
    for (const headers of [{}, { 'x-profile-preview-token': '' }])
      expect(await errorOf(await yaml('import', mine, headers))).toEqual([400, 'preview-required']);
    expect(await errorOf(await yaml('import', `${mine}\n`, { 'x-profile-preview-token': token ?? '' }))).toEqual([
      409,
      'preview-stale',
    ]);
    const saved = Imported().parse(await (await yaml('save', mine, { 'x-profile-preview-token': token ?? '' })).json());
    expect(saved.status).toBe('saved');
    expect(await save(mine)).toMatchObject({
      status: 'saved-before',
      revision: saved.revision,
      catalog_revision: saved.catalog_revision,
    });
    expect((await catalog()).profiles.find(({ id }) => id === 'mine')).toMatchObject({
      state: 'inactive',
      selected: false,
    });
    const exported = await fetch(`${live.url}/api/v1/profiles/mine/revisions/${saved.revision}`);
    expect([
      exported.headers.get('content-type'),
      exported.headers.get('content-disposition')?.startsWith('attachment'),
      await exported.text(),
    ]).toEqual(['application/yaml', true, mine]);
    expect(await errorOf(await fetch(`${live.url}/api/v1/profiles/mine/revisions/${'0'.repeat(64)}`))).toEqual([
      404,
      'profile-unknown',
    ]);
  });
});

describe('the bytes of a profile that is here already', () => {
  test('are known to the preview, and an import stores nothing', async () => {
    const before = await catalog();
    const row = before.profiles.find(({ id }) => id === 'generic-linux');
    const bytes = await (
      await fetch(`${live.url}/api/v1/profiles/generic-linux/revisions/${row?.revision ?? ''}`)
    ).text();
    expect(await previewOf(bytes)).toMatchObject({ already_saved: true });
    expect(await save(bytes)).toMatchObject({
      status: 'saved-before',
      revision: row?.revision,
      catalog_revision: before.catalog_revision,
    });
    expect(await save(simulated)).toMatchObject({ status: 'saved-before' });
    expect((await catalog()).profiles).toEqual(before.profiles);
  });

  test('are listed once where an earlier version stored them', async () => {
    const { revision = '' } = bundledProfile('generic-linux')?.summary ?? {};
    const folder = mkdtempSync(join(tmpdir(), 'sconce-test-'));
    const saved = join(folder, 'profiles', 'generic-linux');
    mkdirSync(saved, { recursive: true, mode: 0o700 });
    const bundledFile = fileURLToPath(new URL('../../profiles/bundled/generic-linux.yaml', import.meta.url));
    copyFileSync(bundledFile, join(saved, `${revision}.yaml`));
    const again = await startLive({ folder });
    try {
      await until('the catalogue', async () => (await fetch(`${again.url}/api/v1/profiles`)).ok);
      const { profiles } = Catalog().parse(await (await fetch(`${again.url}/api/v1/profiles`)).json());
      expect(profiles.filter((one) => one.revision === revision).map(({ origin }) => origin)).toEqual(['bundled']);
    } finally {
      await again.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('documents', () => {
  test('the starter and the draft can be previewed, schema and drivers are JSON, the report holds no token', async () => {
    const get = (path: string): Promise<Response> => fetch(`${live.url}/api/v1/profiles/${path}`);
    for (const path of ['template', 'device-draft'])
      expect((await yaml('preview', await (await get(path)).text())).status).toBe(200);
    expect(await (await get('schema')).json()).toHaveProperty('properties');
    expect(await (await get('drivers')).json()).toHaveProperty('drivers');
    expect(await (await get('report')).json()).toMatchObject({ profile: { id: 'simulated' } });
  }, 20_000);
});

describe('a change', () => {
  const more = async (body: object): Promise<object> => ({
    ...body,
    expected_catalog_revision: (await catalog()).catalog_revision,
    confirm: true,
  });
  test.each<[string, object, readonly [number, string]]>([
    ['select', { auto: true, expected_catalog_revision: 0 }, [409, 'not-confirmed']],
    ['select', { confirm: true, auto: true }, [400, 'invalid-body']],
    ['select', { confirm: true, expected_catalog_revision: 0 }, [400, 'invalid-body']],
    [
      'select',
      { confirm: true, expected_catalog_revision: 0, id: '../x', revision: 'a'.repeat(64) },
      [400, 'invalid-body'],
    ],
    [
      'select',
      { confirm: true, expected_catalog_revision: 0, id: 'mine', ref: { id: 'mine', revision: 'a'.repeat(64) } },
      [400, 'profile-ref-both-forms'],
    ],
    ['activate', { confirm: true, expected_catalog_revision: 999_999, auto: true }, [409, 'catalog-stale']],
    ['rollback', { confirm: true, expected_catalog_revision: 999_999 }, [409, 'catalog-stale']],
    ['delete', { confirm: true, expected_catalog_revision: 0 }, [400, 'invalid-body']],
  ])('%s %j is refused', async (path, body, refusal) =>
    expect(await errorOf(await change(path, body))).toEqual(refusal),
  );

  test('deletes, refuses what is bundled and what nobody knows, and selects: the answer first, then the restart', async () => {
    const gone = await save(mine.replace('1.0.0', '1.0.1'));
    const stays = await save(mine);
    expect(
      Deleted().parse(await (await change('delete', await more({ id: gone.id, revision: gone.revision }))).json())
        .revision,
    ).toBe(gone.revision);
    expect(await errorOf(await change('delete', await more({ id: gone.id, revision: gone.revision })))).toEqual([
      404,
      'profile-unknown',
    ]);
    expect(await errorOf(await change('rollback', await more({})))).toEqual([409, 'nothing-to-roll-back']);
    const bundled = (await catalog()).profiles.find(({ origin }) => origin === 'bundled');
    expect(
      await errorOf(await change('delete', await more({ ref: { id: bundled?.id, revision: bundled?.revision } }))),
    ).toEqual([409, 'profile-bundled']);
    const android = (await catalog()).profiles.find(({ id }) => id === 'android-generic');
    const other = { id: android?.id, revision: android?.revision };
    expect(await errorOf(await change('select', await more(other)))).toEqual([409, 'platform-not-confirmed']);
    expect(await errorOf(await change('select', await more({ ...other, confirm_platform: false })))).toEqual([
      400,
      'invalid-body',
    ]);
    expect(restarts).toBe(0);
    const selected = await change('select', await more({ id: stays.id, revision: stays.revision }));
    expect([selected.status, Scheduled().parse(await selected.json()).revision]).toEqual([202, stays.revision]);
    await until('the restart', () => restarts === 1);
    expect(await catalog()).toMatchObject({
      pending: { id: 'mine' },
      activation: { state: 'trial', reason: 'restart-due' },
      rollback_to: 'auto',
    });
    expect(await errorOf(await change('delete', await more({ id: stays.id, revision: stays.revision })))).toEqual([
      409,
      'profile-in-use',
    ]);
    writeFileSync(join(live.folder, 'profiles', 'mine', `${stays.revision}.yaml`), 'damaged');
    expect(await errorOf(await change('select', await more({ id: stays.id, revision: stays.revision })))).toEqual([
      422,
      'profile-invalid',
    ]);
  });
});
