import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type EntityState, HomeClient } from './home-assistant/client.ts';
import { Agent } from './kit/agent.ts';
import { marker, observe, type SeenMessage } from './kit/broker.ts';
import { ownMachine } from './kit/machine.ts';
import { agree, join as joinBroker, panelCalled } from './kit/panel.ts';
import { until } from './kit/until.ts';

const panel = panelCalled('landing', 'Landing panel');
const { entity } = panel;
const device = `sconce_${panel.id}`;
const passphrase = 'correct horse battery';
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const machines = [ownMachine('1'), ownMachine('2')] as const;
const folder = mkdtempSync(join(tmpdir(), 'sconce-backup-'));
const [archive, words] = [join(folder, 'landing.hpb'), join(folder, 'passphrase')];
/** What the owner calls the volume in Home Assistant. */
const renamed = 'number.volume_upstairs';

const shared = inject('homeAssistant');
let client: HomeClient;
let observer: MqttClient;
let seen: readonly SeenMessage[];
let states: ReadonlyMap<string, EntityState>;
let first: Agent;
let second: Agent;

beforeAll(async () => {
  client = await HomeClient.open(shared.url, shared.token);
  states = await client.states();
  ({ seen, client: observer } = await observe(shared.brokerPort));
  const [one, other] = machines;
  [first, second] = await Promise.all([
    Agent.start({ env: { SCONCE_MACHINE_ROOT: one } }),
    Agent.start({ env: { SCONCE_MACHINE_ROOT: other } }),
  ]);
});

afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await observer?.endAsync(true);
  client?.close();
  for (const path of [folder, ...machines]) rmSync(path, { recursive: true, force: true });
});

/** The panel in the registries: its devices, and each entity with the row that it has there. */
async function registered() {
  const entries = (await client.mqttEntities()).filter(({ unique_id: id }) => id.startsWith(`${device}_`));
  return {
    devices: (await client.devices(device)).map(({ id, name }) => ({ id, name })),
    entities: Object.fromEntries(
      entries.map((entry) => [entry.unique_id, [entry.id, entry.entity_id, entry.device_id]]),
    ),
  };
}

async function sconce(agent: Agent, ...args: readonly string[]): Promise<string> {
  const all = [bundle, ...args, '--passphrase-file', words, '--data', agent.data];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, all);
  return stdout + stderr;
}

/** Topic of the status of the machine that made each announcement of the panel. */
const announcements = (messages: readonly SeenMessage[]): readonly string[] =>
  messages
    .filter(({ topic }) => topic === `homeassistant/device/${device}/config`)
    .map(({ payload }) => /sconce\/[^"]+\/status\/\w+/.exec(payload)?.[0] ?? payload);

const shown = (id: string, check: (state: EntityState) => boolean): Promise<unknown> =>
  until(`${id} shows it`, () => {
    const state = states.get(id);
    return state !== undefined && check(state);
  });

/** Turns the screen off and on in Home Assistant, and waits until both panel and Home Assistant have it. */
async function obeys(agent: Agent): Promise<void> {
  await client.act('light.turn_off', entity.screen);
  await until('the screen is dark', async () => (await agent.sensors()).brightness === 0);
  await shown(entity.screen, ({ state }) => state === 'off');
  await client.act('light.turn_on', entity.screen, { brightness: 91 });
  await until('the screen is on', async () => (await agent.sensors()).brightness === 91);
  await shown(entity.screen, ({ state, attributes }) => state === 'on' && attributes['brightness'] === 91);
}

describe('a panel that replaces one whose card died', () => {
  const known: Awaited<ReturnType<typeof registered>>[] = [];
  /** The panel as Home Assistant knew it while the first machine was there. */
  const before = () => known[0];

  it('has a backup of what Home Assistant knows', async () => {
    await joinBroker(first, panel, shared.brokerPort);
    await first.configure({ ha_expose_diag_cpu: true });
    await until('the last entity is there', () => states.has(entity.cpu));
    await client.act('text.set_value', entity.home, { value: '/lovelace/landing' });
    await shown(entity.home, ({ state }) => state === '/lovelace/landing');
    await client.call('config/entity_registry/update', { entity_id: entity.volume, new_entity_id: renamed });
    await shown(renamed, ({ state }) => state !== 'unavailable');
    known.push(await registered());
    expect(before()?.devices).toEqual([{ id: expect.any(String), name: panel.name }]);

    writeFileSync(words, passphrase, { mode: 0o600 });
    expect(await sconce(first, 'backup', archive)).toContain('encrypted');
  });

  it('takes its place with one device, the same rows and ids, and the password of the broker', async () => {
    await first.kill();
    await shown(entity.screen, ({ state }) => state === 'unavailable');

    const restored = sconce(second, 'restore', archive, '--replaces');
    // A command that is refused ends before.
    await Promise.race([restored, until('the agent has ended for its restart', () => !second.runs)]);
    await second.startAgain();
    const said = await restored;
    expect(said).toContain('The backup was restored.');
    // What the hardware or its place decides stays as it is here, and is named.
    expect(said).toMatch(/home_dashboard: .* is for the panel that the configuration is from/);
    await second.link('connected');
    await second.publishing('live');

    await agree(states, second, { ...panel, entity: { ...entity, volume: renamed }, always: [entity.screen, renamed] });
    for (const id of [...panel.always, entity.cpu].filter((each) => each !== entity.volume))
      // oxlint-disable-next-line no-await-in-loop -- a few entities
      await shown(id, ({ state }) => state !== 'unavailable');
    await shown(entity.home, ({ state }) => state === '');
    expect(states.has(entity.volume)).toBe(false);
    expect(await registered()).toEqual(before());
    await obeys(second);
    expect(second.output).not.toContain(marker);
  });

  it('stays in its place when the old card is started again, which publishes nothing and says why', async () => {
    const from = seen.length;
    await first.startAgain();
    await first.publishing('duplicate');
    const { platform } = await first.status();
    expect(platform?.detail).toMatch(/Another machine is already publishing under this panel id/);
    await first.act('volume', 12);
    await until('its own volume is 12', async () => (await first.hardware()).volume.percent === 12);
    await obeys(second);
    await client.act('number.set_value', renamed, { value: 61 });
    await until('the volume is 61', async () => (await second.hardware()).volume.percent === 61);
    await shown(renamed, ({ state }) => Number(state) === 61);

    expect((await first.hardware()).volume.percent).toBe(12);
    expect((await first.sensors()).brightness).not.toBe(91);
    const later = seen.slice(from);
    const volumes = later.filter(({ topic }) => topic.includes(panel.id) && topic.endsWith('/volume/state'));
    expect(volumes.map(({ payload }) => payload)).toContain('61');
    expect(volumes.map(({ payload }) => payload)).not.toContain('12');
    // The one in place may announce itself again, when a test beside this one starts Home Assistant.
    const announcedBy = new Set(announcements(seen.slice(0, from)).slice(-1));
    expect(announcedBy.size).toBe(1);
    expect(announcements(later).filter((machine) => !announcedBy.has(machine))).toEqual([]);
    expect(await registered()).toEqual(before());
    expect((await second.status()).platform?.phase).toBe('live');
  });
});
