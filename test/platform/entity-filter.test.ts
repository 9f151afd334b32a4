import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BrowserFact, PageFilter } from '#machines/renderer/events.ts';
import { type Bench, openBench, PLAIN } from '#test/drivers/renderer/bench.ts';
import { noBrowser } from '#test/drivers/renderer/rig.ts';
import { HomeClient } from './home-assistant/client.ts';
import { untilShown } from './kit/driven.ts';

const shared = inject('homeAssistant');

/** Ten cards of the usual kinds, one of them shown by a condition, and one of an entity that is not there. */
const CARDS = [
  { type: 'tile', entity: 'light.bed_light' },
  { type: 'entities', entities: ['switch.ac', { entity: 'cover.hall_window' }] },
  { type: 'glance', entities: ['sensor.outside_humidity'] },
  { type: 'gauge', entity: 'sensor.carbon_dioxide' },
  { type: 'thermostat', entity: 'climate.heatpump' },
  { type: 'button', entity: 'lock.front_door' },
  { type: 'weather-forecast', entity: 'weather.demo_weather_south', forecast_type: 'daily' },
  { type: 'sensor', entity: 'sensor.outside_temperature', graph: 'line' },
  {
    type: 'conditional',
    conditions: [{ condition: 'state', entity: 'light.kitchen_lights', state: 'unknown' }],
    card: { type: 'markdown', content: 'never' },
  },
  { type: 'entity', entity: 'sensor.gone' },
];
const READ = [
  'climate.heatpump',
  'cover.hall_window',
  'light.bed_light',
  'light.kitchen_lights',
  'lock.front_door',
  'sensor.carbon_dioxide',
  'sensor.gone',
  'sensor.outside_humidity',
  'sensor.outside_temperature',
  'switch.ac',
  'weather.demo_weather_south',
];
/** With what the frontend looks for on each page. */
const SENT = [...READ, 'person.owner', 'zone.home'];

/** A custom card that counts what is on, as many do. */
const COUNTING_CARD = `customElements.define('counting-card', class extends HTMLElement {
  setConfig() {}
  set hass(hass) { this.textContent = Object.values(hass.states).filter(({ state }) => state === 'on').length + ' on'; }
});`;

/** What the frontend reads for itself on each page: who is signed in, and how many updates its sidebar tells of. */
const FRAME = /^(person|update)\./;

/** Every element of the open page, through all shadow roots. */
const ALL = `(() => { const found = []; const walk = (root) => { for (const one of root.querySelectorAll('*')) { found.push(one); if (one.shadowRoot) walk(one.shadowRoot); } }; walk(document); return found; })()`;
const HASS = `document.querySelector('home-assistant').hass`;

let client: HomeClient;
let bench: Bench;
let scripts: Server;
const resources: string[] = [];

const filter = (sets: PageFilter['sets'], learn = false): Promise<void> =>
  bench.driven.onCommand({ type: 'page.entities', filter: { sets, learn } });
const told = (dashboard: string): readonly string[] =>
  bench.facts
    .flatMap((fact) => (fact.type === 'page.entities-read' && fact.dashboard === dashboard ? fact.entityIds : []))
    .filter((id) => !FRAME.test(id))
    .toSorted();
const subscribed = (dashboard: string, from: number): Promise<BrowserFact> =>
  bench.fact('page.subscribed', (fact) => fact.dashboard === dashboard && !fact.ownChoice, from);
/** Ids of the states that the page has. */
const held = async (): Promise<unknown> => bench.evaluate(`Object.keys(${HASS}.states).sort()`);
/** How many of the open dashboard's cards warn, and how many there are. */
const warnings = (): Promise<unknown> =>
  bench.evaluate(
    `(() => { const all = ${ALL}; const count = (test) => all.filter(test).length; return { warnings: count(({ localName }) => /^hui-(warning|error)|^hass-error/.test(localName)), cards: count(({ localName }) => localName === 'hui-card') }; })()`,
  );

/** Whether the page is dark, as it was told to be. */
const dark = (): Promise<unknown> => bench.evaluate(`${HASS}.themes?.darkMode`);

describe.skipIf(noBrowser)('the entities of a real dashboard', () => {
  beforeAll(async () => {
    client = await HomeClient.open(shared.url, shared.token);
    scripts = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
      response.end(COUNTING_CARD);
    });
    await new Promise<void>((resolve) => scripts.listen(0, '127.0.0.1', resolve));
    // A server that listens on TCP has an AddressInfo.
    const { port } = scripts.address() as AddressInfo;
    const { id } = await client.call<{ readonly id: string }>('lovelace/resources/create', {
      res_type: 'module',
      url: `http://127.0.0.1:${port}/hacsfiles/counting-card.js?hacstag=1`,
    });
    resources.push(id);
    for (const [path, cards] of [
      ['ten-cards', CARDS],
      ['one-card', [{ type: 'tile', entity: 'light.ceiling_lights' }]],
      ['counting-cards', [{ type: 'custom:counting-card' }]],
    ] as const) {
      await client.call('lovelace/dashboards/create', {
        url_path: path,
        title: path,
        mode: 'storage',
        require_admin: false,
        show_in_sidebar: true,
      });
      await client.call('lovelace/config/save', { url_path: path, config: { views: [{ title: 'all', cards }] } });
    }
    const token = await client.call<string>('auth/long_lived_access_token', { client_name: 'filter', lifespan: 3650 });
    bench = await openBench({ origin: shared.url, appearance: { ...PLAIN, theme: 'dark', kiosk: true } }, () =>
      Promise.resolve({ ok: true, token, expiresInSeconds: 1800, origin: shared.url }),
    );
  });
  afterAll(async () => {
    await bench?.end();
    for (const id of resources) await client.call('lovelace/resources/delete', { resource_id: id });
    client?.close();
    scripts?.close();
  });

  it('are told as they are read: those of ten cards, and none beside them', async () => {
    await filter({}, true);
    await bench.settle({ type: 'page.load', path: '/ten-cards/0' });
    await untilShown(bench);
    await expect.poll(() => told('ten-cards'), { timeout: 10_000 }).toEqual(READ);
    // The one of the entity that is not there, of two elements.
    await expect.poll(warnings).toEqual({ warnings: 2, cards: 10 });
    await expect.poll(dark).toBe(true);
  });

  it('are all that the page is sent, and no card of it warns that did not before', async () => {
    // Each frame that a connection of the page brings from now on.
    await bench.evaluate(`window.frames_ = []; window.WebSocket = class extends WebSocket {
      constructor(...args) { super(...args); this.addEventListener('message', ({ data }) => window.frames_.push(data)); }
    }; 0`);
    const from = bench.facts.length;
    await filter({ 'ten-cards': SENT, 'one-card': ['light.ceiling_lights'] }, true);
    expect(await subscribed('ten-cards', from)).toMatchObject({ entities: SENT.length });
    const existing = SENT.filter((id) => id !== 'sensor.gone').toSorted();
    await expect.poll(held, { timeout: 10_000 }).toEqual(existing);
    // One that is not among them changes, and then one that is.
    await client.act('light.toggle', 'light.ceiling_lights');
    const before = await bench.evaluate(`${HASS}.states['light.bed_light'].state`);
    await client.act('light.toggle', 'light.bed_light');
    await expect.poll(() => bench.evaluate(`${HASS}.states['light.bed_light'].state`)).not.toBe(before);
    const sent = await bench.evaluate(`[...new Set(window.frames_.flatMap((data) => [JSON.parse(data)].flat())
      .filter(({ type, event }) => type === 'event' && (event.a || event.c))
      .flatMap(({ event }) => [...Object.keys(event.a ?? {}), ...Object.keys(event.c ?? {})]))].sort()`);
    expect(sent).toEqual(existing);
    await expect.poll(warnings).toEqual({ warnings: 2, cards: 10 });
    expect(bench.facts.some(({ type }) => type === 'page.uncut')).toBe(false);
  });

  it('are widened by what is opened: its dialog shows the state, without a load', async () => {
    await bench.evaluate('window.sameDocument = true');
    const id = 'sensor.power_consumption';
    await bench.evaluate(
      `document.querySelector('home-assistant').dispatchEvent(new CustomEvent('hass-more-info', { detail: { entityId: '${id}' } }))`,
    );
    const opened = await bench.fact('page.entity-opened');
    expect(opened).toMatchObject({ dashboard: 'ten-cards', entityId: id });
    const shown = (): Promise<unknown> =>
      bench.evaluate(
        `${ALL}.some(({ localName, stateObj, entityId }) => localName.startsWith('more-info') && stateObj?.entity_id === '${id}')`,
      );
    expect(await shown()).toBe(false);
    await filter({ 'ten-cards': [...SENT, opened.entityId], 'one-card': ['light.ceiling_lights'] }, true);
    await expect.poll(shown, { timeout: 10_000 }).toBe(true);
    expect(await bench.evaluate('window.sameDocument')).toBe(true);
  });

  it('are those of the other dashboard as soon as the page is there, which never shows an error', async () => {
    const from = bench.facts.length;
    await bench.evaluate(`window.erred = 0; window.looks = 0; {
      const look = () => { window.looks += 1; if (${ALL}.some(({ localName }) => localName === 'hass-error-screen')) window.erred += 1; requestAnimationFrame(look); };
      look();
    }`);
    await bench.settle({ type: 'page.go', path: '/one-card/0', replace: false });
    expect(await subscribed('one-card', from)).toMatchObject({ entities: 1 });
    await expect.poll(held, { timeout: 10_000 }).toEqual(['light.ceiling_lights']);
    await expect.poll(warnings, { timeout: 10_000 }).toEqual({ warnings: 0, cards: 1 });
    expect(await bench.evaluate('window.sameDocument')).toBe(true);
    expect(await bench.evaluate('window.looks')).toBeGreaterThan(5);
    expect(await bench.evaluate('window.erred')).toBe(0);
    expect(await dark()).toBe(true);
  });

  it('name the card that goes through all of them', async () => {
    const from = bench.facts.length;
    await bench.settle({ type: 'page.go', path: '/counting-cards/0', replace: false });
    expect(await bench.fact('page.enumerated')).toMatchObject({
      dashboard: 'counting-cards',
      file: 'counting-card.js',
    });
    expect(await subscribed('counting-cards', from)).toMatchObject({ entities: null });
    const counted = `${ALL}.find(({ localName }) => localName === 'counting-card')?.textContent`;
    await expect.poll(() => bench.evaluate(counted)).toMatch(/^\d+ on$/);
    expect(bench.facts.filter(({ type }) => type === 'page.enumerated')).toHaveLength(1);
    expect(told('ten-cards')).toEqual(expect.arrayContaining(READ));
  });
});
