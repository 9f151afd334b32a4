import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { PageFilter } from '#machines/renderer/events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { type Bench, openBench, PLAIN } from './bench.ts';
import { serveHomeAssistant, type HomeAssistantPage } from './home-assistant-page.ts';
import { noBrowser, START_MS } from './rig.ts';

const API = '/api/websocket';
const subscribe = (more: object = {}): string => JSON.stringify({ id: 1, type: 'subscribe_entities', ...more });

describe.skipIf(noBrowser)('the states that a dashboard is sent', () => {
  let homeAssistant: HomeAssistantPage;
  let other: HomeAssistantPage;
  let bench: Bench;

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant({ connects: true });
    other = await serveHomeAssistant();
    bench = await openBench({ origin: homeAssistant.origin, ownOrigin: other.origin }, () =>
      Promise.resolve({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin }),
    );
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
    await other?.close();
  });
  beforeEach(async () => {
    // What the page reports is bounded by rates, which the tests together are beyond.
    bench.pass(10_000);
    await filter(null);
    await load('/lovelace/hall');
  });

  const filter = (wanted: PageFilter | null): Promise<void> =>
    bench.driven.onCommand({ type: 'page.entities', filter: wanted });
  const sets = (of: PageFilter['sets']): Promise<void> => filter({ sets: of, learn: false });
  const forget = (): void => {
    for (const page of [homeAssistant, other]) {
      page.heard.length = 0;
      page.received.length = 0;
    }
    bench.facts.length = 0;
  };
  /**
   * The ids that the page's own connection asks for, from now on: undefined for all. The page says so a moment after
   * the server has heard it, but for a page whose connections cannot be cut.
   */
  const connected = async ({ told = true } = {}): Promise<unknown> => {
    const heard = await until('a subscription', () => homeAssistant.heard.find((one) => one.startsWith(API)));
    if (told) await bench.fact('page.subscribed');
    return JSON.parse(heard.slice(API.length + 1)).entity_ids;
  };
  const load = async (path: string, { told = true } = {}): Promise<unknown> => {
    // What the page before it asks for is not to be taken for its own.
    await bench.settle({ type: 'page.own', path: '/own' });
    forget();
    expect(await bench.settle({ type: 'page.load', path })).toMatchObject({ outcome: 'shown' });
    const ids = await connected({ told });
    // Known as the newest connection by the page too, and not only by the server.
    await until('the connection', () =>
      bench.evaluate(`document.querySelector('home-assistant').hass.connection.socket?.readyState === 1`),
    );
    return ids;
  };
  const step = async (script: string): Promise<void> => {
    forget();
    await bench.evaluate(script);
  };
  /** True if the page reconnected; it reports that before it answers later requests. */
  const stayed = async (): Promise<boolean> => {
    await sent('"asked after that"');
    return bench.facts.every(({ type }) => type !== 'page.subscribed');
  };
  /** Sends from the page, over a connection of its own, and answers what the server heard on it. */
  const sent = async (text: string, { path = API, to = homeAssistant, as = '' } = {}): Promise<string> => {
    to.heard.length = 0;
    const url = `${to.origin.replace('http', 'ws')}${path}`;
    const data = as === '' ? JSON.stringify(text) : `new TextEncoder().encode(${JSON.stringify(text)})`;
    await bench.evaluate(
      `new Promise((done) => { const s = new WebSocket(${JSON.stringify(url)}); s.onopen = () => { s.send(${data}); done(); }; })`,
    );
    const heard = await until('the message', () => to.heard.at(-1));
    return heard.slice(path.length + 1);
  };

  test('are all while nothing is chosen, which is told', async () => {
    expect(await load('/lovelace/hall')).toBe(undefined);
    expect(await bench.fact('page.subscribed')).toMatchObject({
      dashboard: 'lovelace',
      entities: null,
      ownChoice: false,
    });
  });

  test('are those that were chosen, from the page that is open on, and in those that come', async () => {
    forget();
    await sets({ lovelace: ['light.hall', 'sun.sun'] });
    expect(await connected()).toEqual(['light.hall', 'sun.sun']);
    expect(await bench.fact('page.subscribed')).toMatchObject({ dashboard: 'lovelace', entities: 2, ownChoice: false });
    expect(await bench.evaluate(`document.querySelector('home-assistant').hass.connection.waits`)).toBe(true);
    expect(await load('/lovelace/other')).toEqual(['light.hall', 'sun.sun']);
    // Neither the same set nor one of another dashboard causes a reload or reconnect.
    forget();
    await sets({ lovelace: ['light.hall', 'sun.sun'] });
    await sets({ lovelace: ['light.hall', 'sun.sun'], kitchen: ['light.kitchen'] });
    expect(await stayed()).toBe(true);
    forget();
    await sets({ kitchen: ['light.kitchen'] });
    expect(await connected()).toBe(undefined);
    forget();
    await filter(null);
    expect(await stayed()).toBe(true);
  });

  test('are chosen anew for the page too where a card asked last, over a connection of its own', async () => {
    await sent(subscribe());
    forget();
    await sets({ lovelace: ['light.hall'] });
    expect(await connected()).toEqual(['light.hall']);
    forget();
    await sets({ lovelace: ['light.hall'] });
    expect(await stayed()).toBe(true);
  });

  test('follow the page to another dashboard in process, and connect anew for another set alone', async () => {
    const hall = ['light.hall'];
    await sets({ lovelace: hall, kitchen: ['light.kitchen'], hall: [...hall], constructor: ['light.c'] });
    expect(await load('/lovelace/hall')).toEqual(hall);
    forget();
    await bench.settle({ type: 'page.go', path: '/kitchen/0', replace: false });
    expect(await connected()).toEqual(['light.kitchen']);
    expect(await bench.fact('page.subscribed')).toMatchObject({ dashboard: 'kitchen', entities: 1 });
    await step(`history.back()`);
    expect(await connected()).toEqual(hall);
    for (const same of ['/lovelace/cellar', '/hall/0', '/hall', '/lovelace?edit=1']) {
      // oxlint-disable-next-line no-await-in-loop -- one move after the other
      await step(`history.pushState(null, '', ${JSON.stringify(same)})`);
      // oxlint-disable-next-line no-await-in-loop -- one move after the other
      expect(await stayed()).toBe(true);
    }
    await step(`history.replaceState(null, '', '/energy')`);
    expect(await connected()).toBe(undefined);
    expect(await bench.fact('page.subscribed')).toMatchObject({ dashboard: 'energy', entities: null });
    await step(`history.pushState(null, '', '/constructor/0')`);
    expect(await connected()).toEqual(['light.c']);
    await step(`history.pushState(null, '', '/__proto__/0'); dispatchEvent(new Event('location-changed'))`);
    expect(await connected()).toBe(undefined);
    expect(await bench.evaluate('performance.getEntriesByType("navigation").length')).toBe(1);
  });

  test('are chosen anew once the answers have come that the page waits for', async () => {
    await step(`document.querySelector('home-assistant').hass.connection.commands = new Map([
      [1, { resolve() {}, subscribe() {} }],
      [2, { resolve() {} }],
    ]);`);
    await sets({ lovelace: ['light.hall'] });
    expect(await stayed()).toBe(true);
    await step(`document.querySelector('home-assistant').hass.connection.commands.delete(2)`);
    expect(await connected()).toEqual(['light.hall']);
  });

  test('are those of where the page is in the end, of several moves at once', async () => {
    await sets({ lovelace: ['light.hall'], kitchen: ['light.kitchen'] });
    await load('/lovelace/hall');
    await step(
      `for (const path of ['/kitchen', '/energy', '/lovelace', '/kitchen/1']) history.pushState(null, '', path)`,
    );
    expect(await connected()).toEqual(['light.kitchen']);
    expect(homeAssistant.heard).toHaveLength(1);
  });

  test('are none where none are chosen: an empty list would be all', async () => {
    await sets({ lovelace: [] });
    expect(await load('/lovelace/hall')).toEqual(['sconce.nobody']);
    expect(await bench.fact('page.subscribed')).toMatchObject({ entities: 0, ownChoice: false });
  });

  test('may be fifty thousand, given to this page alone before it subscribes', async () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => `sensor.floor_${index}_temperature_01`);
    await sets({ lovelace: ids });
    expect(await load('/lovelace/hall')).toHaveLength(50_000);
    expect(await bench.fact('page.subscribed')).toMatchObject({ entities: 50_000 });
  });

  test('are left to a card that chooses by itself, and to whatever is not that subscription', async () => {
    await sets({ lovelace: ['light.hall'] });
    await load('/lovelace/hall');
    forget();
    for (const own of [{ entity_ids: ['light.own'] }, { include: { domains: ['light'] } }, { exclude_entities: [] }])
      expect(await sent(subscribe(own))).toBe(subscribe(own));
    expect(await bench.fact('page.subscribed')).toMatchObject({
      dashboard: 'lovelace',
      entities: null,
      ownChoice: true,
    });
    for (const text of [
      '{"id":2,"type":"get_states"}',
      '{"id":3,"type":"x","y":"\\"subscribe_entities\\""}',
      'no JSON "subscribe_entities"',
      'null "subscribe_entities"',
    ])
      expect(await sent(text)).toBe(text);
    expect(await sent(subscribe(), { as: 'bytes' })).toBe('bytes');
    expect(await sent(subscribe(), { path: '/elsewhere' })).toBe(subscribe());
    expect(await sent(subscribe(), { to: other })).toBe(subscribe());
    expect(bench.facts.some(({ type }) => type === 'page.uncut')).toBe(false);
  });

  test('are all again when nothing is chosen any more', async () => {
    await sets({ lovelace: ['light.hall'] });
    await load('/lovelace/hall');
    forget();
    await filter(null);
    expect(await connected()).toBe(undefined);
  });

  test('follow what is opened: the dialog of an entity is told, and nothing else that a page may say', async () => {
    const say = (entityId: unknown): Promise<unknown> =>
      bench.evaluate(
        `window.externalAppV2.postMessage(JSON.stringify({ type: 'externalBus', payload: { id: 9, type: 'more_info/opened', payload: { entity_id: ${JSON.stringify(entityId)} } } }))`,
      );
    for (const wrong of [null, 7, 'Light.Hall', 'light', `light.${'x'.repeat(300)}`, 'light.hall<script>'])
      await say(wrong);
    await bench.evaluate(`window.externalAppV2.postMessage('{"more_info/opened"')`);
    await say('light.cellar');
    expect(await bench.fact('page.entity-opened')).toMatchObject({ dashboard: 'lovelace', entityId: 'light.cellar' });
  });

  test('are all, and it is told, where something fails on the way', async () => {
    await sets({ lovelace: ['light.hall'] });
    await load('/lovelace/hall');
    forget();
    await bench.evaluate(`Object.keys = () => { throw new Error('not mine') }`);
    expect(await sent(subscribe())).toBe(subscribe());
    expect(await bench.fact('page.uncut')).toMatchObject({ dashboard: 'lovelace' });
  });

  test('are all, and it is told where a set is wanted, on a page whose connections cannot be cut', async () => {
    const placed = await bench.call('Page.addScriptToEvaluateOnNewDocument', {
      source: `Object.freeze(WebSocket.prototype)`,
    });
    try {
      // The driver's own script is added again, after that one.
      await bench.driven.onCommand({ type: 'page.appearance', appearance: { ...PLAIN, fullscreen: true } });
      await sets({ lovelace: ['light.hall'] });
      expect(await load('/energy', { told: false })).toBe(undefined);
      expect(bench.facts.some(({ type }) => type === 'page.uncut')).toBe(false);
      await step(`history.pushState(null, '', '/lovelace')`);
      expect(await bench.fact('page.uncut')).toMatchObject({ dashboard: 'lovelace' });
      expect(await load('/lovelace/hall', { told: false })).toBe(undefined);
      expect(await bench.fact('page.uncut')).toMatchObject({ dashboard: 'lovelace' });
    } finally {
      await bench.call('Page.removeScriptToEvaluateOnNewDocument', placed as object);
    }
  });

  test('are all, and it is told, where they come by a way that was not seen', async () => {
    await sets({ lovelace: ['light.hall'] });
    await load('/lovelace/hall');
    forget();
    await bench.evaluate(`document.querySelector('home-assistant')._updateHass({ states: {} })`);
    await bench.settle({ type: 'page.own', path: '/own' });
    expect(bench.facts.some(({ type }) => type === 'page.uncut')).toBe(false);
    const placed = await bench.call('Page.addScriptToEvaluateOnNewDocument', {
      source: `{ const { send } = WebSocket.prototype; addEventListener('DOMContentLoaded', () => { WebSocket.prototype.send = send; }); }`,
    });
    try {
      await bench.driven.onCommand({ type: 'page.appearance', appearance: PLAIN });
      expect(await load('/lovelace/hall', { told: false })).toBe(undefined);
      await bench.evaluate(`document.querySelector('home-assistant')._updateHass({ states: {} })`);
      expect(await bench.fact('page.uncut')).toMatchObject({ dashboard: 'lovelace' });
    } finally {
      await bench.call('Page.removeScriptToEvaluateOnNewDocument', placed as object);
    }
  });
});
