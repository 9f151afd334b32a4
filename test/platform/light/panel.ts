import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { AutoBrightnessDocument, LightHistory, LightSources } from '#machines/auto-brightness/document.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { resident } from '../home-assistant/onboard.ts';
import { Agent } from '../kit/agent.ts';
import { until } from '../kit/until.ts';
import { KNOWN, light, type Lit, lit, SET, STATED } from './lit.ts';

const at = '/api/v1/auto-brightness';
const REQUESTS = 1000;
/** How many of them are made at a time. */
const AT_A_TIME = 8;
/** The log of the messages of all connections. */
const MESSAGES = 'homeassistant.components.websocket_api.http.connection';
/** Smallest change of a level that cannot be the end of an earlier one. */
const CLEAR = 8;

const folder = mkdtempSync(join(tmpdir(), 'sconce-light-'));
let home: Home;
let client: HomeClient;
let set: Lit['set'];
let remove: Lit['remove'];
let agent: Agent;

async function ask<T>(path: string): Promise<T> {
  // The agents of these tests check each answer by its schema.
  return JSON.parse(await agent.text(path)) as T;
}
const decision = (): Promise<AutoBrightnessDocument> => ask(at);
const sources = (): Promise<LightSources> => ask(`${at}/sources`);
const chart = (): Promise<LightHistory> => ask(`${at}/history`);
const choose = (entityId: string) => agent.post(`${at}/source`, { entity_id: entityId });
const logMessages = (level: string): Promise<unknown> =>
  client.call('call_service', { domain: 'logger', service: 'set_level', service_data: { [MESSAGES]: level } });
async function screen(): Promise<NonNullable<StatusDocument['screen']>> {
  const { screen: now } = await agent.status();
  if (now === null) throw new Error('no screen in the status');
  return now;
}

/** Waits for a decision. */
function decided(what: string, is: (now: AutoBrightnessDocument) => boolean): Promise<AutoBrightnessDocument> {
  let last: AutoBrightnessDocument | null = null;
  return until(what, async () => {
    last = await decision();
    return is(last) ? last : false;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`, { cause: error });
  });
}
const follows = (lux: number): Promise<AutoBrightnessDocument> =>
  decided(`it follows ${lux} lx`, ({ state, latestLux }) => state === 'following' && latestLux === lux);
/** Waits until the screen has the level that was decided. */
const shown = (): Promise<number> =>
  until('the screen has that level', async () => {
    const [{ appliedTarget }, { brightness }] = [await decision(), await screen()];
    return brightness !== null && brightness === appliedTarget && brightness;
  });

/** The light is away for this reason, and the level stays, also while `meanwhile` happens. */
async function staysWithout(reason: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const away = await decided(reason, ({ state, detail }) => state === 'unavailable' && detail.startsWith(reason));
  expect(away).toMatchObject({ available: false, sourceAvailable: false, latestLux: null, automaticTarget: null });
  const level = await shown();
  const { changed } = await screen();
  expect(away.detail).toBe(`${reason}: the level stays at ${Math.round((level / 255) * 100)} %.`);
  await meanwhile();
  expect(await screen()).toMatchObject({ lit: true, brightness: level, changed });
}

beforeAll(async () => {
  ({ home, set, remove } = await lit());
  client = await home.client();
  await set('20');
  await set('30', light, STATED);
  await set('21.5', { unit_of_measurement: '°C', device_class: 'temperature' }, 'sensor.hall_warmth');
  const file = join(folder, 'password');
  writeFileSync(file, resident.password);
  chmodSync(file, 0o600);
  agent = await Agent.start({ args: ['--ha-url', home.url, '--ha-user', resident.username, '--ha-pass-file', file] });
  await until('it is signed in', async () => {
    const { sign_in: now } = await agent.status();
    return now?.phase === 'signed-in' && now.administrator === false && now.reachable === true;
  });
});

afterAll(async () => {
  await agent?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('finds its light sensors, and asks for all states at most twice a minute', async () => {
  await logMessages('debug');
  const since = performance.now();
  const answers: LightSources[] = [];
  const one = async (): Promise<void> => {
    for (let made = 0; made < REQUESTS / AT_A_TIME; made += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a neighbour asks
      answers.push(await sources());
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  const took = performance.now() - since;
  await logMessages('warning');
  const asked = home.log.split('\n').filter((line) => line.includes('Received') && line.includes('get_states'));
  console.log(`${answers.length} requests in ${Math.round(took)} ms: asked ${asked.length} times`);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(took / 30_000));
  const found = { entityId: SET, friendlyName: 'Hall light', unit: 'lx', currentLux: 20, available: true };
  for (const answer of answers) expect(answer).toMatchObject({ available: true, items: { length: 2 } });
  expect(answers[0]?.items.find(({ entityId }) => entityId === SET)).toMatchObject(found);
});

it('takes no sensor of anything else, and says what it is', async () => {
  for (const [entityId, said] of [
    ['sensor.hall_warmth', 'sensor.hall_warmth measures in °C (temperature), not in lx.'],
    ['sensor.nowhere', 'Home Assistant has no entity sensor.nowhere'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { code, text } = await choose(entityId);
    expect([code, text]).toEqual([422, expect.stringContaining(said)]);
  }
  expect(await decision()).toMatchObject({ state: 'off', sourceId: null });
});

it('knows the past of a sensor by its states', async () => {
  expect(await choose(STATED)).toMatchObject({ code: 200, text: expect.stringContaining('"current_lux":30') });
  await agent.configure({ auto_brightness: true });
  expect(await follows(30)).toMatchObject({ sourceKind: 'home_assistant', sourceId: STATED, mode: 'cold_start' });
  const { points, time_zone: zone } = await until('the past is known', async () => {
    const now = await chart();
    return now.points.filter(({ observedMeanLux }) => observedMeanLux === 10).length > 400 && now;
  });
  expect(zone).toBe('Europe/Amsterdam');
  expect(points.filter(({ observedMeanLux }) => observedMeanLux !== null).length).toBeLessThan(600);
});

it('knows that of another one by its statistics', async () => {
  const before = await decision();
  expect(await choose(SET)).toMatchObject({ code: 200, text: expect.stringContaining('"current_lux":20') });
  const after = await follows(20);
  expect(after.sourceRevision).toBeGreaterThan(before.sourceRevision ?? Infinity);
  const { points } = await until('the past is known', async () => {
    const now = await chart();
    return now.points.some(({ observedMeanLux }) => observedMeanLux === KNOWN.lux) && now;
  });
  const known = points.filter(({ observedMeanLux }) => observedMeanLux === KNOWN.lux);
  expect(known.length).toBeGreaterThanOrEqual(KNOWN.rows - 2);
  expect(known[1]).toMatchObject({ minLux: KNOWN.lux - 1, maxLux: KNOWN.lux + 1 });
  // Nothing of the sensor before.
  expect(points.filter(({ observedMeanLux }) => observedMeanLux === 10)).toEqual([]);
});

it('has its screen follow the light', async () => {
  const before = await shown();
  await set('100000');
  await follows(100_000);
  await until('it is brighter', async () => ((await screen()).brightness ?? 0) >= before + CLEAR);
  expect((await screen()).changed?.by).toBe('auto-brightness');
});

it('stays as it was while the sensor is gone, or measures something else', async () => {
  await remove();
  await staysWithout('The light sensor is away');
  await set('300');
  await follows(300);
  await set('60', { ...light, unit_of_measurement: '%' });
  await staysWithout('The chosen sensor does not measure in lx');
  await set('dim');
  await staysWithout('The light sensor gives no number');
  await set('310');
  await follows(310);
});

it('stays as it was while Home Assistant is killed, and follows once it is back', async () => {
  const { sourceRevision } = await decision();
  await home.kill();
  await staysWithout('The light sensor is away', async () => {
    expect(await choose(STATED)).toMatchObject({ code: 503, text: expect.stringContaining('home-assistant-away') });
    expect((await decision()).sourceId).toBe(SET);
    await home.startAgain();
    // Set from outside, the state did not survive.
    await until('it is connected again', async () => (await agent.status()).home_assistant?.connection === 'live');
  });
  await set('320');
  const back = await follows(320);
  // It is the source of before, and what was learned of it counts.
  expect(back.sourceRevision).toBe(sourceRevision);
  expect((await chart()).points.filter(({ observedMeanLux }) => observedMeanLux === KNOWN.lux).length).toBeGreaterThan(
    KNOWN.rows - 2,
  );
});

it('tells when its sensor was away, and never where it is', async () => {
  type History = { readonly entries: readonly { readonly kind: string; readonly code: string }[] };
  const { entries } = await ask<History>('/api/v1/history');
  const codes = entries.flatMap(({ kind, code }) => (kind === 'auto-brightness' ? [code] : []));
  expect(new Set(codes)).toEqual(new Set(['source-lost', 'source-back']));
  const paths = ['/api/v1/status', '/api/v1/diag', '/api/v1/config', '/logs', at, '/health'];
  for (const text of [agent.output, ...(await Promise.all(paths.map((path) => agent.text(path))))])
    expect(text).not.toMatch(/latitude|Amsterdam/);
});
