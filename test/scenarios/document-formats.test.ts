import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { storedSections } from '#drivers/store/stored-sections.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { fileSections } from '#machines/stored-sections.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { nextFormats } from '#test/fakes/next-formats.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

/**
 * What the last build without numbered settings left when it was stopped in order: a panel without credentials, with
 * settings, a list of entities, a closed relay and its history. Its install id is made up, and it knows no machine.
 */
const left = fileURLToPath(new URL('earlier-state-2', import.meta.url));

type Json = Readonly<Record<string, unknown>>;

interface Left {
  readonly identity: Json & { readonly installId: string };
  readonly settings: { readonly revision: number; readonly values: Json; readonly expose: Json };
  readonly secrets: Json;
}

const json = (...path: readonly string[]): Json => JSON.parse(readFileSync(join(...path), 'utf8')) as Json;
const sectionsIn = (folder: string): Left => json(folder, 'state.json')['sections'] as unknown as Left;
const before = sectionsIn(left);

/** When the copy of the made-up earlier program was last saved. */
const SAVED = Date.UTC(2026, 2, 3, 12);

let data = '';
beforeEach(() => {
  data = ownFolder();
  cpSync(left, data, { recursive: true });
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  utimesSync(join(data, 'state.json'), SAVED / 1000, SAVED / 1000);
});
afterAll(clearAway);

const get = async <T>(agent: AgentProcess, path: string): Promise<T> =>
  (await (await fetch(`${agent.url}/api/v1/${path}`)).json()) as T;
const start = (...args: readonly string[]): Promise<AgentProcess> => startAgent({ data, args });
/** Stops the agent in order. */
async function stop(agent: AgentProcess): Promise<void> {
  expect((await agent.kill('SIGTERM')).code).toBe(0);
}
const config = (agent: AgentProcess) =>
  get<{ readonly panel_id: string; readonly mqtt_broker: string; readonly settings: Json }>(agent, 'config');
/** The warnings, once one of them is about a newer version. */
const warned = (agent: AgentProcess): Promise<string> =>
  until('the warning', async () => {
    const { warnings } = await statusOf(agent.url);
    return warnings.find((line) => line.includes('newer version of Sconce')) ?? false;
  });

/** What the program of the made-up next format does: it reads the folder and saves a setting. */
async function nextProgram(value?: unknown): Promise<unknown> {
  const store = storedSections({ folder: data, apart: fileSections, formats: nextFormats });
  await store.load();
  if (value !== undefined) expect(await store.write({ voices: value })).toMatchObject({ outcome: { ok: true } });
  const read = await store.read(['preferences', 'voices']);
  return read.ok ? read.values : read.reason;
}

describe('a folder of the last version without numbered settings', () => {
  test('starts with all that it had, and numbers the settings with the first save', async () => {
    const agent = await start();
    expect((await config(agent)).settings).toMatchObject(before.settings.values);
    expect(await get(agent, 'dashboard/entity-filter')).toMatchObject({
      mode: 'manual',
      learning: { auto_static: true, auto_runtime: false },
    });
    await until('the relay', async () => {
      const { relays } = await get<{ readonly relays: readonly boolean[] }>(agent, 'simulator');
      return relays.join() === 'true,false,false,false';
    });
    const { entries } = await until('the history', async () => {
      const history = await get<{ readonly entries: readonly { readonly code: string }[] }>(agent, 'history?limit=500');
      return history.entries.some(({ code }) => code === 'first-start') && history;
    });
    expect(entries.at(-1)).toMatchObject({ code: 'first-start' });
    expect((await statusOf(agent.url)).warnings.filter((line) => line.includes('newer version'))).toEqual([]);
    expect((await post(`${agent.url}/api/v1/config`, { dashboard_zoom: 120 })).status).toBe(200);
    await stop(agent);

    const { identity, settings, secrets } = sectionsIn(data);
    expect(identity.installId).toBe(before.identity.installId);
    expect(settings).toEqual({
      schema: SETTINGS_SCHEMA,
      revision: before.settings.revision + 1,
      values: { ...before.settings.values, dashboard_zoom: 120 },
      expose: before.settings.expose,
    });
    expect(secrets).toEqual(before.secrets);
    expect(json(data, 'entity-filter.json')).toEqual(json(left, 'entity-filter.json'));
  }, 60_000);
});

describe('a folder of a made-up next format', () => {
  test('starts with the copy of the own one, says of when that is, and loses neither', async () => {
    await nextProgram('of tomorrow');
    const newer = readFileSync(join(data, 'state.json'), 'utf8');
    expect(JSON.parse(newer)).toMatchObject({ version: nextFormats.current, sections: { voices: 'of tomorrow' } });

    const agent = await start();
    expect((await config(agent)).settings).toMatchObject(before.settings.values);
    expect(await warned(agent)).toContain('Those of 2026-03-03, from before it, are in use');
    expect((await post(`${agent.url}/api/v1/config`, { dashboard_zoom: 120 })).status).toBe(200);
    await stop(agent);
    expect(readFileSync(join(data, `state.json.v${nextFormats.current}`), 'utf8')).toBe(newer);

    // Its program is back: it has what was saved meanwhile.
    expect(await nextProgram()).toMatchObject({ preferences: { values: { dashboard_zoom: 120 } }, voices: null });
  }, 60_000);

  describe('without a copy of the own one', () => {
    let newer = '';
    beforeEach(async () => {
      await nextProgram('of tomorrow');
      for (const name of ['state.json.v1', 'state.json.previous']) rmSync(join(data, name));
      newer = readFileSync(join(data, 'state.json'), 'utf8');
    });
    const stored = (): string => readFileSync(join(data, 'state.json'), 'utf8');

    test('knows who it is and saves nothing, whatever it is given, until its own program is back', async () => {
      writeFileSync(
        join(data, 'given.json'),
        JSON.stringify({ version: 1, settings: { friendly_name: 'Given' }, login: null }),
        { mode: 0o600 },
      );
      const agent = await start('--mqtt-broker', 'mqtt://127.0.0.1:1');
      const found = await config(agent);
      expect([found.panel_id, found.mqtt_broker, found.settings['ha_url']]).toEqual(['hall_kiosk', '', '']);
      expect(await warned(agent)).toMatch(/Install the newer version .* or start over .* More > Reset.* Everything/);
      const status = await statusOf(agent.url);
      expect(status.next).toMatchObject({ title: expect.stringContaining('newer version'), href: '/reset' });
      const saved = await post(`${agent.url}/api/v1/config`, { friendly_name: 'Other' });
      expect(saved.status).toBe(500);
      expect(await saved.json()).toMatchObject({
        error: 'commit-failed',
        message: expect.stringMatching(/newer version .* More > Reset/),
      });
      expect((await post(`${agent.url}/api/v1/action`, { a: 'relay', id: 'relay1', on: false })).status).toBe(202);
      const reset = await post(`${agent.url}/api/v1/setup/reset`, { scope: 'settings', confirm: true });
      expect([reset.status, JSON.stringify(await reset.json())]).toEqual([
        500,
        expect.stringContaining('More > Reset'),
      ]);
      // No failure of the disk.
      expect((await statusOf(agent.url)).configuration.last_failure).toBeNull();
      await stop(agent);
      expect(stored()).toBe(newer);
      expect(json(data, 'sections', 'relay1.json')).toEqual(json(left, 'sections', 'relay1.json'));
      expect(existsSync(join(data, 'given.json'))).toBe(true);
      expect(readdirSync(data).filter((name) => name.startsWith('state.json'))).toEqual(['state.json']);
      expect(await nextProgram()).toMatchObject({
        preferences: { values: before.settings.values },
        voices: 'of tomorrow',
      });
    }, 60_000);

    inAll(
      'begins with its identity alone when the owner resets everything, and keeps the newer one',
      async () => {
        const agent = await start();
        await warned(agent);
        const reset = await post(`${agent.url}/api/v1/setup/reset`, { scope: 'everything', confirm: true });
        expect([reset.status, await reset.json()]).toMatchObject([
          200,
          { status: 'restarting', removed: { settings: 0, dashboards: 0, profiles: 0, happenings: 0 } },
        ]);
        expect((await agent.ended).code).toBe(75);
        expect(json(data, 'state.json')).toMatchObject({ version: 1 });
        expect(sectionsIn(data).identity.installId).toBe(before.identity.installId);
        expect(sectionsIn(data).settings).toBeUndefined();
        expect(readFileSync(join(data, `state.json.v${nextFormats.current}`), 'utf8')).toBe(newer);

        const again = await start();
        expect((await statusOf(again.url)).warnings.filter((line) => line.includes('newer version'))).toEqual([]);
        expect((await post(`${again.url}/api/v1/config`, { friendly_name: 'Anew' })).status).toBe(200);
        expect(sectionsIn(data)).toMatchObject({ settings: { values: { friendly_name: 'Anew' } } });
        await stop(again);
      },
      60_000,
    );
  });
});
