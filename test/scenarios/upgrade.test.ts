import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { fileSections } from '#machines/stored-sections.ts';
import { brokerRecipient } from '#machines/mqtt/broker-address.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';
import { brokerMissing, listenTo, startBroker } from '#test/broker/mosquitto.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, startLive, statusOf, until } from './live-agent.ts';

/**
 * What an earlier build of version 0.1.0 left when it was stopped in order: an own profile in force, a calibrated
 * proximity sensor, relays that were closed, and a device under an earlier panel id that is still to be removed. Its
 * secrets and its install id are made up, and it knows no machine.
 */
const left = fileURLToPath(new URL('earlier-state', import.meta.url));
const PROFILE = 'hall-panel';
/** Entities of the device that is still to be removed. */
const ORPHANS = 24;

interface Entry {
  readonly at: number;
  readonly kind: string;
  readonly by: string | null;
  readonly code: string;
  readonly times: number;
}

interface Entities {
  readonly devices: readonly { readonly panelId: string; readonly entries: readonly { readonly standing: string }[] }[];
}

/** The sections by their present names and fields. */
interface Sections {
  readonly identity: { readonly installId: string; readonly autoPanelId: string };
  readonly history: { readonly version: 1; readonly entries: readonly Entry[] };
  readonly settings: {
    readonly values: Readonly<Record<string, unknown>>;
    readonly expose: Readonly<Record<string, boolean>>;
  };
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly announced: Entities;
  /** Only newer versions keep it. */
  readonly setup?: object;
  readonly proximity: object;
  readonly panel: object;
  readonly relay1: object;
  readonly relay3: object;
}

const json = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const documentIn = (folder: string): Readonly<Record<string, unknown>> =>
  (json(folder, 'state.json') as { readonly sections: Readonly<Record<string, unknown>> }).sections;
/** The sections of the document, and those that have a file each. */
function sectionsIn(folder: string): Sections {
  const files = fileSections.filter((name) => existsSync(join(folder, 'sections', `${name}.json`)));
  const sections: object = Object.fromEntries(
    files.map((name) => [name, (json(folder, 'sections', `${name}.json`) as { readonly value: unknown }).value]),
  );
  // The fixture's own shape; what an agent wrote is compared with it.
  return { ...documentIn(folder), ...sections } as unknown as Sections;
}

/** That agent stored what it had announced under another name. */
const { ledger, ...unnamed } = sectionsIn(left) as unknown as Omit<Sections, 'announced'> & {
  readonly ledger: Entities;
};
const before: Sections = { ...unnamed, announced: ledger };
const [revision = ''] = readdirSync(join(left, 'profiles', PROFILE)).map((name) => name.replace('.yaml', ''));

/** A copy that is closed to other users, as the agent left it: a checkout keeps no such modes. */
function copy(): string {
  const folder = ownFolder();
  cpSync(left, folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  return folder;
}

/** Whatever the agent answers; each route's own schema is checked in its tests. */
const get = async <T>(agent: AgentProcess, path: string): Promise<T> =>
  (await (await fetch(`${agent.url}/api/v1/${path}`)).json()) as T;

const start = (data: string): Promise<AgentProcess> => startAgent({ data, profile: null });

afterAll(clearAway);

describe('a state folder of an earlier build of version 0.1.0', () => {
  test('starts with everything that was set, and gives it on unchanged', async () => {
    const data = copy();
    const agent = await start(data);

    const config = await get<{
      readonly panel_id: string;
      readonly settings: object;
      readonly ha_expose: object;
    }>(agent, 'config');
    expect(config).toMatchObject({
      panel_id: 'hall',
      mqtt_password_set: true,
      ha_token_set: true,
      ha_auth: { configured: true },
    });
    expect(config.settings).toMatchObject(before.settings.values);
    expect(config.ha_expose).toMatchObject(before.settings.expose);

    const profiles = await until('the profiles', async () => {
      const catalog = await get<{ readonly activation?: { readonly state: string } }>(agent, 'profiles');
      return catalog.activation?.state === 'active' && catalog;
    });
    expect(profiles).toMatchObject({
      selection: { mode: 'pinned', id: PROFILE, revision },
      active: { id: PROFILE, revision },
      last_known_good: { id: PROFILE, revision },
      rollback_to: 'auto',
      pending: null,
    });
    const yaml = await (await fetch(`${agent.url}/api/v1/profiles/${PROFILE}/revisions/${revision}`)).text();
    expect(yaml).toBe(readFileSync(join(left, 'profiles', PROFILE, `${revision}.yaml`), 'utf8'));

    await until('the relays', async () => {
      const { relays } = await get<{ readonly relays: readonly boolean[] }>(agent, 'simulator');
      return relays.join() === 'true,false,true,false';
    });
    await until(
      'the calibration',
      async () => (await get<{ readonly learning: string }>(agent, 'proximity')).learning === 'ready',
    );
    expect(await get(agent, 'proximity')).toMatchObject({
      calibrated: { presence: true, wave: true },
      statuses: { presence: 'validated', wave: 'validated' },
    });
    await until('the announced entities', async () => (await statusOf(agent.url)).platform?.ghosts === ORPHANS);

    // Its broker does not answer, which does not lead to the setup.
    const { setup } = await until('the setup', async () => {
      const status = await statusOf(agent.url);
      return (status.setup?.steps.length ?? 0) > 0 && status;
    });
    expect(setup).toMatchObject({ complete: true, due: false });
    expect(await (await fetch(agent.url, { headers: { accept: 'text/html' } })).text()).not.toContain('href="/setup"');

    const { entries } = await until('the history', async () => {
      const history = await get<{ readonly entries: readonly Entry[] }>(agent, 'history?limit=500');
      return history.entries.some(({ code }) => code === 'first-start') && history;
    });
    const oldest = entries.slice(-before.history.entries.length).toReversed();
    expect(oldest).toEqual(before.history.entries.map((entry) => expect.objectContaining(entry)));

    expect((await agent.kill('SIGTERM')).code).toBe(0);
    const after = sectionsIn(data);
    // What changes by itself went to files, and is nowhere else.
    expect(Object.keys(documentIn(data)).filter((name) => fileSections.some((section) => section === name))).toEqual(
      [],
    );
    expect(readdirSync(join(data, 'sections')).filter((name) => name.endsWith('.json'))).toEqual(
      ['history', 'panel', 'relay1', 'relay3'].map((name) => `${name}.json`),
    );
    const { identity, history, ...sections } = before;
    expect(after).toEqual({
      ...sections,
      // The first save, of the recipients, numbers the settings.
      settings: { ...sections.settings, schema: SETTINGS_SCHEMA },
      identity: after.identity,
      history: after.history,
      setup: after.setup,
      secrets: after.secrets,
    });
    const { recipients, ...secrets } = after.secrets;
    expect(secrets).toEqual(before.secrets);
    expect(after.setup).toMatchObject({ version: 1, answers: {}, reached_at: expect.any(Number) });
    // Each credential is for the address that is set, and the history says that once.
    const { mqtt_password: password, ha_token: token } = z.record(z.string(), z.unknown()).parse(recipients);
    expect(password).toMatchObject({
      by: 'upgrade',
      recipient: brokerRecipient(String(before.settings.values['mqtt_broker'])),
    });
    expect(token).toMatchObject({
      by: 'upgrade',
      recipient: homeAssistantRecipient(String(before.settings.values['ha_url'])),
    });
    expect(after.history.entries.filter(({ code }) => code === 'upgraded')).toHaveLength(1);
    // It learns by which network cards the machine is known, and keeps what it was.
    expect(after.identity).toMatchObject({ installId: identity.installId, autoPanelId: identity.autoPanelId });
    expect(after.history.entries.slice(0, history.entries.length)).toEqual(history.entries);
    expect(after.history.entries.length).toBeGreaterThan(history.entries.length);
    for (const file of ['profiles/activation.json', `profiles/${PROFILE}/${revision}.yaml`]) {
      expect(readFileSync(join(data, file), 'utf8'), file).toBe(readFileSync(join(left, file), 'utf8'));
      expect(statSync(join(data, file)).mode & 0o777, file).toBe(0o600);
    }
  }, 60_000);

  test('lights a dark screen with the level that was remembered', async () => {
    const device = new SimulatedDevice();
    device.setScreen({ raw: 0, powered: false });
    const live = await startLive({ folder: copy(), profile: simulatedProfile(device) });
    try {
      await until('the remembered level', async () => (await statusOf(live.url)).screen?.last_brightness === 77);
      expect((await post(`${live.url}/api/v1/action`, { a: 'screen_on' })).status).toBe(202);
      await until('the light', () => device.panel.screen.powered);
      expect((await statusOf(live.url)).screen).toMatchObject({ lit: true, brightness: 77 });
    } finally {
      await live.close();
    }
  }, 30_000);

  test.skipIf(brokerMissing !== null)(
    `announces what it announced, and removes the earlier device${brokerMissing === null ? '' : ` (${brokerMissing})`}`,
    async () => {
      const broker = await startBroker();
      const heard = await listenTo(broker.port);
      const data = copy();
      const agent = await start(data);
      try {
        const saved = await post(`${agent.url}/api/v1/config`, { mqtt_broker: `mqtt://127.0.0.1:${broker.port}` });
        expect(saved.status).toBe(200);
        await until('the announcement', async () => (await statusOf(agent.url)).platform?.phase === 'live');
        // Home Assistant starts: only from then on is what is removed removed for certain.
        await heard.publish('homeassistant/status', 'online');
        await until('the removal', async () => (await statusOf(agent.url)).platform?.ghosts === 0);
        expect(heard.latest('homeassistant/device/sconce_hall/config')).toContain('"sconce_hall_relay1"');
        expect(heard.latest('homeassistant/device/sconce_old_hall/config')).toBe('');
        expect((await agent.kill('SIGTERM')).code).toBe(0);
        const [device, ...others] = sectionsIn(data).announced.devices;
        expect(others).toEqual([]);
        expect(device).toMatchObject({ panelId: 'hall' });
        const announced = before.announced.devices.find(({ panelId }) => panelId === 'hall')?.entries ?? [];
        expect(device?.entries).toEqual(expect.arrayContaining([...announced]));
      } finally {
        await agent.kill();
        await heard.close();
        await broker.close();
      }
    },
    60_000,
  );
});
