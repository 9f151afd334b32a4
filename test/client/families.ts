// What clients do most: status, configuration, announcements and profiles. families.ts AGENT SOUND DOCUMENT PROFILE.
// run.mjs compiles it twice, with types made from the document of a running agent and from `before.json`, that of the
// version before, and runs both: who made a client then goes on with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
import { checked } from './checked.ts';

const [baseUrl = '', sound = '', file = '', isOlder = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });
client.use(checked(JSON.parse(readFileSync(file, 'utf8')), isOlder === 'older'));

const bundled = readFileSync(new URL('./profile.yaml', `file://${file}`), 'utf8');
const profile = bundled.replace(/^id: .*$/m, 'id: mine');
const asYaml = { bodySerializer: String, headers: { 'Content-Type': 'application/yaml' } };

async function status() {
  const { data } = await client.GET('/api/v1/status');
  assert.ok(data !== undefined);
  return data;
}

/** Plays with `send` and waits until the newest announcement is heard. */
async function plays(send: () => Promise<{ readonly response: Response }>): Promise<void> {
  const before = (await status()).announcement?.generation ?? 0;
  const { response } = await send();
  assert.ok(response.ok, String(response.status));
  for (const deadline = Date.now() + 10_000; ;) {
    const { announcement } = await status();
    assert.notEqual(announcement?.phase, 'failed', announcement?.detail);
    if (announcement?.phase === 'playing' && announcement.generation > before) return;
    assert.ok(Date.now() < deadline, `not playing after ten seconds, but ${announcement?.phase}`);
  }
}

async function list() {
  const { data } = await client.GET('/api/v1/profiles');
  assert.ok(data !== undefined);
  return data;
}
async function preview() {
  const { data } = await client.POST('/api/v1/profiles/preview', { body: profile, ...asYaml });
  assert.equal(data?.valid, true);
  return data.preview_token ?? '';
}
const save = (token: string) =>
  client.POST('/api/v1/profiles/import', {
    params: { header: { 'x-profile-preview-token': token } },
    body: profile,
    ...asYaml,
  });

const cases: Readonly<Record<string, () => Promise<void>>> = {
  'reads the health line': async () => {
    const { data } = await client.GET('/api/v1/health', { parseAs: 'text' });
    assert.match(data ?? '', /^sconce \S+ panel=\S+ build=\S+ cfg=[0-9a-f]{8}/);
  },
  'reads the status, and has it looked up again': async () => {
    assert.ok((await status()).sentence.length > 0);
    const { data } = await client.GET('/api/v1/status', { params: { query: { refresh: '1' } } });
    assert.ok(data?.screen);
  },
  'reads settings, saves some and reads them back': async () => {
    const body = { friendly_name: 'Attic', mqtt_broker: 'mqtt://127.0.0.1:9', mqtt_password: 'marker' };
    const { data: saved } = await client.POST('/api/v1/config', { body });
    // In Hardened mode 202 may also say that it waits for a person.
    assert.ok(saved !== undefined && 'status' in saved);
    assert.equal(saved.status, 'saved');
    const { data: read } = await client.GET('/api/v1/config');
    assert.equal(read?.friendly_name, 'Attic');
    assert.equal(read?.mqtt_password_set, true);
    const { data: moved } = await client.POST('/api/v1/config', { body: { mqtt_broker: 'mqtt://127.0.0.2:9' } });
    assert.ok(moved !== undefined && 'applied' in moved);
    assert.deepEqual(moved.applied, ['mqtt_broker', 'mqtt_password']);
    const { data: items } = await client.GET('/api/v1/config/schema');
    assert.ok(items?.some(({ key }) => key === 'friendly_name'));
  },
  'is told why a setting is refused': async () => {
    const { error, response } = await client.POST('/api/v1/config', {
      body: { volume_limit_percent: 70, ha_url: 'x y' },
    });
    assert.deepEqual([response.status, error?.error], [400, 'invalid-config']);
  },
  'plays a sound, its address as text': () =>
    plays(() =>
      client.POST('/api/v1/play', {
        body: sound,
        bodySerializer: String,
        headers: { 'Content-Type': 'text/plain' },
        parseAs: 'text',
      }),
    ),
  'plays a sound, its address as JSON': () =>
    plays(() => client.POST('/api/v1/play', { body: { url: sound }, parseAs: 'text' })),
  'is told that nothing can be played': async () => {
    const { error, response } = await client.POST('/play', {
      body: 'nothing',
      bodySerializer: String,
      headers: { 'Content-Type': 'text/plain' },
    });
    assert.deepEqual([response.status, error?.error], [400, 'no-url']);
  },
  'lists, previews and saves a profile': async () => {
    const before = await list();
    const token = await preview();
    const { data: saved } = await save(token);
    assert.deepEqual([saved?.status, saved?.id], ['saved', 'mine']);
    const { data: again } = await save(await preview());
    assert.deepEqual([again?.status, again?.revision], ['saved-before', saved?.revision]);
    const after = await list();
    assert.ok(after.catalog_revision > before.catalog_revision);
    assert.equal(after.profiles.find(({ id }) => id === 'mine')?.state, 'inactive');
  },
  'is told that a preview is not that of these bytes': async () => {
    const { error, response } = await save('x'.repeat(32));
    assert.deepEqual([response.status, error?.error], [409, 'preview-stale']);
  },
  'selects a profile': async () => {
    const { catalog_revision: expected, profiles } = await list();
    const revision = profiles.find(({ id }) => id === 'mine')?.revision ?? '';
    const { data, response } = await client.POST('/api/v1/profiles/select', {
      body: { id: 'mine', revision, expected_catalog_revision: expected, confirm: true },
    });
    // In Hardened mode 202 may also say that it waits for a person.
    const scheduled = data !== undefined && 'id' in data ? data : undefined;
    assert.deepEqual([response.status, scheduled?.status, scheduled?.id], [202, 'scheduled', 'mine']);
  },
};

for (const [name, run] of Object.entries(cases)) {
  const maker = isOlder === 'older' ? 'a client of the version before' : 'a client of this version';
  try {
    await run();
    console.log(`ok ${maker} ${name}`);
  } catch (error) {
    const why = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
    console.log(`failed: ${maker} ${name} | ${why}`);
  }
}
