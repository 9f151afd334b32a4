import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { entityFilterScan } from '#actors/entity-filter-scan.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ScanCommand, ScanFact } from '#machines/entity-filter/events.ts';
import type { ConnectionCommand, ConnectionFact, Reading, Topic } from '#machines/home-assistant/events.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { excessStore } from '#test/fakes/excess-store.ts';
import { isFact, runDriver } from '../../drivers/run-driver.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { house } from './house.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';

/** An entity of the demonstration home that is switched, and one that is not. */
const [LIGHT, OTHER] = ['light.bed_light', 'light.ceiling_lights'];
const first = { views: [{ cards: [{ type: 'tile', entity: LIGHT }] }] };
const second = { views: [{ cards: [{ type: 'tile', entity: OTHER }] }] };

let home: Home;
let client: HomeClient;
let floorId = '';
let label = '';
let ends: (() => void)[] = [];

/** Connections with this token. */
const connectionWith = (token: string) =>
  homeAssistantConnection({
    readToken: () => Promise.resolve({ ok: true, token, origin: home.url }),
    trustFor: () => Promise.resolve(undefined),
    elapsed: () => performance.now(),
    now: Date.now,
    isInForce: () => true,
    onRoute: () => {},
  });

/** A live connection with this token. */
async function connect(token: string) {
  const driver = runDriver<ConnectionCommand, ConnectionFact, { generation: number; forceToken: boolean }>(
    connectionWith(token),
    { generation: 1, forceToken: false },
  );
  ends.push(driver.stop);
  await driver.until(isFact('socket.live'));
  let requests = 0;
  const read = async (topic: Topic): Promise<Reading | null> => {
    requests += 1;
    const requestId = `read-${requests}`;
    driver.tell({ type: 'socket.read', requestId, topic });
    const answered = await driver.until(
      isFact<ConnectionFact, 'socket.answered'>('socket.answered', (fact) => fact.requestId === requestId),
    );
    return answered.reading;
  };
  const sample = async (entityIds: readonly string[] | null, ms: number) => {
    const from = driver.facts.length;
    driver.tell({ type: 'socket.sample', requestId: 'sample', entityIds, ms });
    return (await driver.until(isFact('socket.sampled'), from)).sample;
  };
  return { ...driver, read, sample };
}

const save = (path: string, config: unknown): Promise<unknown> =>
  client.call('lovelace/config/save', { url_path: path, config });

describe('what Home Assistant tells the panel over its socket', () => {
  beforeAll(async () => {
    home = await house();
    client = await home.client();
    floorId = (await client.call<{ floor_id: string }>('config/floor_registry/create', { name: 'Ground' })).floor_id;
    label = (await client.call<{ label_id: string }>('config/label_registry/create', { name: 'Shown' })).label_id;
    await client.call('config/area_registry/create', { name: 'Hall', floor_id: floorId, labels: [label] });
    await client.call('config/entity_registry/update', { entity_id: LIGHT, labels: [label] });
    for (const [path, requireAdmin] of [
      ['kitchen-panel', false],
      ['owners-panel', true],
    ] as const) {
      await client.call('lovelace/dashboards/create', {
        url_path: path,
        title: path,
        require_admin: requireAdmin,
        show_in_sidebar: true,
      });
      await save(path, first);
    }
  });
  afterAll(async () => {
    for (const end of ends) end();
    ends = [];
    client?.close();
  });

  describe.each([
    ['the owner', () => Promise.resolve(home.token), true],
    ['a resident', () => tokenOf(home.url, resident), false],
  ] as const)('what %s is told', (_, readToken, isOwner) => {
    let connection: Awaited<ReturnType<typeof connect>>;
    beforeAll(async () => {
      connection = await connect(await readToken());
    });
    const dashboard = (path: string) => connection.read({ kind: 'dashboard', path });

    it('of the house is the same: floors, labels, and the id of every state', async () => {
      expect(await connection.read({ kind: 'floors' })).toEqual({ kind: 'floors', floors: [{ id: floorId }] });
      expect(await connection.read({ kind: 'areas' })).toMatchObject({
        areas: expect.arrayContaining([{ id: 'hall', name: 'Hall', floorId, labels: [label] }]),
      });
      expect(await connection.read({ kind: 'entities' })).toMatchObject({
        entities: expect.arrayContaining([expect.objectContaining({ entityId: LIGHT, labels: [label] })]),
      });
      expect(await connection.read({ kind: 'devices' })).toMatchObject({
        devices: expect.arrayContaining([expect.objectContaining({ labels: [] })]),
      });
      const states =
        await client.call<
          readonly { readonly entity_id: string; readonly attributes: { readonly friendly_name?: string } }[]
        >('get_states');
      expect(await connection.read({ kind: 'entity-ids' })).toEqual({
        kind: 'entity-ids',
        entityIds: states.map(({ entity_id: id }) => id),
        names: states.map(({ attributes: { friendly_name: name = '' } }) => name),
      });
      // It has no energy dashboard.
      expect(await connection.read({ kind: 'energy' })).toEqual({ kind: 'energy', entityIds: [] });
    });

    it('of the account is who it is', async () => {
      const own = await client.call<{ readonly id: string }>('auth/current_user');
      const reading = await connection.read({ kind: 'account' });
      expect(reading?.kind === 'account' && reading.userId === own.id).toBe(isOwner);
      expect(reading).toMatchObject({ userId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    });

    it('of a dashboard is what it is made of, where this account may see it', async () => {
      await save('kitchen-panel', first);
      const stored = (path: string) => ({ kind: 'dashboard', path, origin: 'stored', configuration: first });
      expect(await dashboard('kitchen-panel')).toEqual(stored('kitchen-panel'));
      expect(await dashboard('owners-panel')).toEqual(isOwner ? stored('owners-panel') : null);
      expect(await dashboard('nowhere')).toBeNull();
      for (const [path, origin] of [
        ['lovelace', 'generated'],
        ['home', 'generated'],
        ['light', 'generated'],
        ['profile', 'other'],
      ] as const)
        expect(await dashboard(path)).toEqual({ kind: 'dashboard', path, origin, configuration: null });
    });

    it('of the dashboard that the start page leads to is the house’s choice, or its own', async () => {
      const path = async () => {
        const reading = await dashboard('');
        return reading?.kind === 'dashboard' ? reading.path : null;
      };
      expect(await path()).toBe('home');
      await client.call('frontend/set_system_data', { key: 'core', value: { default_panel: 'owners-panel' } });
      expect(await path()).toBe(isOwner ? 'owners-panel' : 'home');
      await client.call('frontend/set_user_data', { key: 'core', value: { default_panel: 'kitchen-panel' } });
      expect(await path()).toBe(isOwner ? 'kitchen-panel' : 'home');
      for (const whose of ['user', 'system'])
        await client.call(`frontend/set_${whose}_data`, { key: 'core', value: null });
    });

    it('of a dashboard that is watched comes again once it is saved, and of no other', async () => {
      await save('kitchen-panel', first);
      connection.tell({ type: 'socket.watch', topics: [{ kind: 'dashboard', path: 'kitchen-panel' }] });
      await connection.until(isFact('socket.read-out'));
      const from = connection.facts.length;
      await save('owners-panel', first);
      await save('kitchen-panel', second);
      const { reading } = await connection.until(isFact('socket.read-out'), from);
      expect(reading).toEqual({ kind: 'dashboard', path: 'kitchen-panel', origin: 'stored', configuration: second });
      connection.tell({ type: 'socket.watch', topics: [] });
    });

    it('of the states of some entities is less than of all', async () => {
      const switched = async (ids: readonly string[] | null) => {
        const counting = connection.sample(ids, 2000);
        for (let at = 0; at < 4; at += 1) {
          await client.act('light.toggle', LIGHT);
          await client.act('light.toggle', OTHER);
        }
        return counting;
      };
      const [some, all] = [await switched([LIGHT]), await switched(null)];
      expect(some).toMatchObject({ ms: expect.any(Number) });
      expect(some?.frames).toBeGreaterThanOrEqual(1);
      expect(some?.frames).toBeLessThanOrEqual(4);
      expect(all?.frames).toBeGreaterThan(some?.frames ?? 0);
      expect(all?.bytes).toBeGreaterThan(some?.bytes ?? 0);
      expect(await connection.sample(['Not an id'], 1000)).toBeNull();
    });
  });

  describe('a scan by a resident', () => {
    it('reads all that leads from the dashboard to entities, and hears of its change', async () => {
      const connection = createActor(
        homeAssistantMachine.provide({
          actors: {
            connection: connectionWith(await tokenOf(home.url, resident)),
            needs: fromDriver(() => {}),
            store: excessStore(),
          },
        }),
        { input: { settleMs: 0 } },
      ).start();
      ends.push(() => void connection.stop());
      const registry = createRegistry();
      registry.attach({ get: (id) => (id === 'home-assistant' ? connection : undefined) });
      connection.send({ type: 'needs.changed', credential: true, revision: 1, lifecycle: false, native: false });
      await save('kitchen-panel', first);

      const scan = runDriver<ScanCommand, ScanFact>(entityFilterScan({ registry, now: () => Date.now() }));
      ends.push(scan.stop);
      scan.tell({ type: 'scan.start', scan: 1, dashboard: 'kitchen-panel' });
      const { user, input } = await scan.until(isFact('scan.done'));
      expect(user).toMatch(/^[0-9a-f]{32}$/);
      expect(input).toMatchObject({
        dashboard: 'kitchen-panel',
        isDashboard: true,
        configuration: first,
        energyIds: [],
        floors: [{ id: floorId }],
        existing: expect.arrayContaining([LIGHT, OTHER]),
      });
      expect(connection.getSnapshot().context.reasons).toEqual(['registry']);
      await save('kitchen-panel', second);
      expect(await scan.until(isFact('dashboard.changed'))).toMatchObject({ dashboard: 'kitchen-panel' });
      scan.tell({ type: 'scan.start', scan: 2, dashboard: 'owners-panel' });
      expect(await scan.until(isFact('scan.failed'))).toMatchObject({ scan: 2, reason: 'no-answer' });
      scan.stop();
      await scan.settled();
      expect(connection.getSnapshot().context.reasons).toEqual([]);
    });
  });
});
