import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { until } from '../../scenarios/live-agent.ts';
import { type Bench, openBench } from './bench.ts';
import { serveHomeAssistant, type HomeAssistantPage } from './home-assistant-page.ts';
import { noBrowser, START_MS } from './rig.ts';

const API = '/api/websocket';
const subscribe = (more: object = {}): string => JSON.stringify({ id: 1, type: 'subscribe_entities', ...more });

describe.skipIf(noBrowser)('the states that a dashboard is sent', () => {
  let homeAssistant: HomeAssistantPage;
  let other: HomeAssistantPage;
  let bench: Bench;

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    other = await serveHomeAssistant();
    bench = await openBench({ origin: homeAssistant.origin, ownOrigin: other.origin }, () =>
      Promise.resolve({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin }),
    );
    expect(await bench.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({ outcome: 'shown' });
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
    await other?.close();
  });
  beforeEach(() => {
    for (const page of [homeAssistant, other]) {
      page.heard.length = 0;
      page.received.length = 0;
    }
    bench.facts.length = 0;
  });

  const cut = (ids: readonly string[] | null): Promise<void> => bench.driven.onCommand({ type: 'page.entities', ids });
  /** Sends from the page, over a connection of its own, and answers what the server heard on it. */
  const sent = async (text: string, { path = API, to = homeAssistant, as = '' } = {}): Promise<string> => {
    const url = `${to.origin.replace('http', 'ws')}${path}`;
    const data = as === '' ? JSON.stringify(text) : `new TextEncoder().encode(${JSON.stringify(text)})`;
    await bench.evaluate(
      `new Promise((done) => { const s = new WebSocket(${JSON.stringify(url)}); s.onopen = () => { s.send(${data}); done(); }; })`,
    );
    const heard = await until('the message', () => to.heard.at(-1));
    to.heard.length = 0;
    return heard.slice(path.length + 1);
  };
  const asked = async (text: string): Promise<unknown> => JSON.parse(await sent(text));

  test('are all while nothing is chosen, which is told', async () => {
    expect(await sent(subscribe())).toBe(subscribe());
    expect(await bench.fact('page.subscribed')).toMatchObject({ entities: null, ownChoice: false });
  });

  test('are those that were chosen, from the page that is open on, and in those that come', async () => {
    await cut(['light.hall', 'sun.sun']);
    expect(
      await until('the restart', () => homeAssistant.received.find((one) => one.get('bus') === 'restart')),
    ).toBeTruthy();
    expect(await asked(subscribe())).toEqual({
      id: 1,
      type: 'subscribe_entities',
      entity_ids: ['light.hall', 'sun.sun'],
    });
    expect(await bench.fact('page.subscribed')).toMatchObject({ entities: 2, ownChoice: false });
    await bench.settle({ type: 'page.load', path: '/lovelace/other' });
    expect(await asked(subscribe())).toMatchObject({ entity_ids: ['light.hall', 'sun.sun'] });
    // The same again loads and connects nothing anew.
    homeAssistant.received.length = 0;
    await cut(['light.hall', 'sun.sun']);
    expect(homeAssistant.received).toEqual([]);
  });

  test('are none where none are chosen: an empty list would be all', async () => {
    await cut([]);
    expect(await asked(subscribe())).toMatchObject({ entity_ids: ['sconce.nobody'] });
  });

  test('are left to a card that chooses by itself, and to whatever is not that subscription', async () => {
    await cut(['light.hall']);
    for (const own of [{ entity_ids: ['light.own'] }, { include: { domains: ['light'] } }, { exclude_entities: [] }])
      expect(await sent(subscribe(own))).toBe(subscribe(own));
    expect(await bench.fact('page.subscribed')).toMatchObject({ entities: null, ownChoice: true });
    for (const text of [
      '{"id":2,"type":"get_states"}',
      '{"id":3,"type":"x","y":"\\"subscribe_entities\\""}',
      'no JSON "subscribe_entities"',
    ])
      expect(await sent(text)).toBe(text);
    expect(await sent(subscribe(), { as: 'bytes' })).toBe('bytes');
    expect(await sent(subscribe(), { path: '/elsewhere' })).toBe(subscribe());
    expect(await sent(subscribe(), { to: other })).toBe(subscribe());
  });

  test('are all again when nothing is chosen any more', async () => {
    await cut(['light.hall']);
    await cut(null);
    expect(await sent(subscribe())).toBe(subscribe());
  });

  test('follow what is opened: the dialog of an entity is told, and nothing else that a page may say', async () => {
    const say = (entityId: unknown): Promise<unknown> =>
      bench.evaluate(
        `window.externalAppV2.postMessage(JSON.stringify({ type: 'externalBus', payload: { id: 9, type: 'more_info/opened', payload: { entity_id: ${JSON.stringify(entityId)} } } }))`,
      );
    for (const wrong of [null, 7, 'Light.Hall', 'light', `light.${'x'.repeat(300)}`, 'light.hall<script>'])
      await say(wrong);
    await say('light.cellar');
    expect(await bench.fact('page.entity-opened')).toMatchObject({ entityId: 'light.cellar' });
  });
});
