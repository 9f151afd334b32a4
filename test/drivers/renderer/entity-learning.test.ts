import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { BrowserFact, PageFilter } from '#machines/renderer/events.ts';
import { until } from '../../scenarios/live-agent.ts';
import { type Bench, openBench } from './bench.ts';
import { serveHomeAssistant, type HomeAssistantPage } from './home-assistant-page.ts';
import { noBrowser, START_MS } from './rig.ts';

/** What goes through the states, called by the tests. */
const WALKS = `window.NAME = {
  walk: (states) => Object.keys(states).length,
  template: new Function('states', 'return Object.values(states).length /* NAME */'),
};`;
const walks = (name: string): string => WALKS.replaceAll('NAME', name);
const SCRIPTS = {
  '/frontend_latest/app.abc.js': walks('frontend'),
  '/frontend_es5/app.js': walks('older'),
  '/local/my%20card%20(1).js': walks('card'),
  '/hacsfiles/late/late-card.js': walks('late'),
};

describe.skipIf(noBrowser)('what a page reads of its states', () => {
  let homeAssistant: HomeAssistantPage;
  let bench: Bench;

  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant({ connects: true, scripts: SCRIPTS });
    bench = await openBench({ origin: homeAssistant.origin }, () =>
      Promise.resolve({ ok: true, token: 'access-1', expiresInSeconds: 1800, origin: homeAssistant.origin }),
    );
  }, START_MS);
  afterAll(async () => {
    await bench?.end();
    await homeAssistant?.close();
  });
  beforeEach(async () => {
    await filter({ sets: {}, learn: true });
    expect(await bench.settle({ type: 'page.load', path: '/lovelace/hall' })).toMatchObject({ outcome: 'shown' });
    for (const path of ['/frontend_latest/app.abc.js?v=1', '/frontend_es5/app.js', '/local/my card (1).js?hacstag=2'])
      // oxlint-disable-next-line no-await-in-loop -- one script after the other
      await bench.evaluate(`import(${JSON.stringify(path)}).then(() => 1)`);
    await bench.evaluate(`window.app = document.querySelector('home-assistant');
      window.update = (ids) => app._updateHass({ states: Object.fromEntries(ids.map((id) => [id, { entity_id: id }])) });
      update(['light.a', 'light.b', 'light.c', 'sun.sun'])`);
    bench.facts.length = 0;
  });

  const filter = (wanted: PageFilter | null): Promise<void> =>
    bench.driven.onCommand({ type: 'page.entities', filter: wanted });
  const isRead = (fact: BrowserFact): fact is Extract<BrowserFact, { type: 'page.entities-read' }> =>
    fact.type === 'page.entities-read';
  const told = (dashboard: string): readonly string[] =>
    bench.facts
      .filter(isRead)
      .filter((fact) => fact.dashboard === dashboard)
      .flatMap(({ entityIds }) => entityIds);
  /** Ids told of a dashboard once `last.one` was read there, which ends the wait. */
  const read = async (script: string, dashboard = 'lovelace'): Promise<readonly string[]> => {
    await bench.evaluate(`${script}; app.hass.states['last.one']; 0`);
    await until('the reads', () => told(dashboard).includes('last.one'));
    return told(dashboard).filter((id) => id !== 'last.one');
  };
  const enumerated = (): readonly string[] =>
    bench.facts.flatMap((fact) => (fact.type === 'page.enumerated' ? [`${fact.dashboard} ${fact.file}`] : []));

  test('is told as it is read, also what is not there', async () => {
    expect(
      await read(
        `const { states } = app.hass; states['light.b']; states['light.b']; states['light.missing']; 'light.c' in states`,
      ),
    ).toEqual(['light.b', 'light.missing', 'light.c']);
  });

  test('is nothing where it only goes through them', async () => {
    const ways = [
      `Object.values(states)`,
      `Object.entries(states).map(([id, state]) => state)`,
      `Object.keys(states)`,
      `({ ...states })`,
      `Object.assign({}, states)`,
      `for (const id in states) Object.values(states)`,
      `for (const id in states) states[id]`,
      `[states.length, states['Light.A'], states.then, states[Symbol.iterator], String(states)]`,
    ];
    const script = ways.map((way, index) => `history.pushState(null, '', '/walk-${index}'); ${way}`).join(';\n');
    expect(
      await read(`{ const { states } = app.hass; ${script}; history.pushState(null, '', '/last'); }`, 'last'),
    ).toEqual([]);
    expect(bench.facts.filter(isRead)).toHaveLength(1);
  });

  test('is what is asked for after going through the keys, and beside that', async () => {
    expect(
      await read(`{ const { states } = app.hass;
        for (const id of Object.keys(states)) if (id.startsWith('sun.')) states[id];
        for (const id in states) { states['light.beside']; if (id === 'light.b') states[id]; }
        if (Object.hasOwn(states, 'light.a')) states['light.a'];
        Object.values(states); states['light.c'];
      }`),
    ).toEqual(['sun.sun', 'light.beside', 'light.b', 'light.a', 'light.c']);
  });

  test('is what the page is given otherwise: nothing of it changes by that', async () => {
    expect(
      await bench.evaluate(`(() => {
        const raw = { 'light.a': { state: 'on' } };
        app._updateHass({ states: raw });
        const first = app.hass.states;
        app._updateHass({ states: raw, panels: 1 });
        app._updateHass({ user: 2 });
        const again = app.hass.states;
        app._updateHass({ states: first });
        return [first === again, app.hass.states === first, first === raw, first['light.a'] === raw['light.a'],
          JSON.stringify(first), app.hass.panels, app.hass.user, app.hass.connected];
      })()`),
    ).toEqual([true, true, false, true, '{"light.a":{"state":"on"}}', 1, 2, true]);
    await bench.evaluate(`app._updateHass({ states: null })`);
    expect(await bench.evaluate(`app.hass.states`)).toBe(null);
  });

  test('is told of the dashboard where it was read, once', async () => {
    expect(
      await read(
        `app.hass.states['light.a']; history.pushState(null, '', '/kitchen/0'); app.hass.states['light.b']; app.hass.states['light.a']`,
        'kitchen',
      ),
    ).toEqual(['light.b', 'light.a']);
    expect(told('lovelace')).toEqual(['light.a']);
    bench.facts.length = 0;
    await bench.evaluate(`app.hass.states['light.a']; app.hass.states['light.again']`);
    await until('the read', () => told('kitchen').length > 0);
    expect(told('kitchen')).toEqual(['light.again']);
  });

  test('is told again where it is in no set that was chosen since', async () => {
    expect(await read(`app.hass.states['light.a']; app.hass.states['light.b']`)).toEqual(['light.a', 'light.b']);
    await filter({ sets: { lovelace: ['light.a', 'last.one'] }, learn: true });
    bench.facts.length = 0;
    await bench.evaluate(`app.hass.states['light.a']; app.hass.states['light.b']`);
    await until('the read', () => told('lovelace').length > 0);
    expect(told('lovelace')).toEqual(['light.b']);
  });

  test('comes in batches, one a second, however much it is', async () => {
    await bench.evaluate(`for (let index = 0; index < 1200; index += 1) app.hass.states['light.l' + index]; 0`);
    await until('all of them', () => told('lovelace').length === 1200);
    const facts = bench.facts.filter(isRead);
    expect(facts.map(({ entityIds }) => entityIds.length)).toEqual([500, 500, 200]);
    // Two seconds; the first may have come late.
    expect((facts.at(-1)?.at ?? 0) - (facts[0]?.at ?? 0)).toBeGreaterThan(1000);
  });

  test('is not looked at where nobody wants to know, and the page is given its own states', async () => {
    await filter({ sets: {}, learn: false });
    const raw = `(() => { const raw = { 'light.a': {} }; app._updateHass({ states: raw }); return app.hass.states === raw; })()`;
    expect(await bench.evaluate(raw)).toBe(true);
    await bench.evaluate(`app.hass.states['light.b']; card.walk(app.hass.states)`);
    await filter({ sets: {}, learn: true });
    expect(await bench.evaluate(raw)).toBe(false);
    expect(await read(`app.hass.states['light.c']`)).toEqual(['light.c']);
    expect(enumerated()).toEqual([]);
    // What the frontend was given while it was learned is taken back by the end of it, without a change of a state.
    await bench.evaluate(`window.watched = app.hass.states`);
    await filter(null);
    expect(await bench.evaluate(`app.hass.states !== watched && 'light.a' in app.hass.states`)).toBe(true);
    expect(await bench.evaluate(`performance.getEntriesByType('navigation').length`)).toBe(1);
  });

  test('tells the file of a card that goes through all of them, and not that of the frontend', async () => {
    await bench.evaluate(`frontend.walk(app.hass.states); frontend.template(app.hass.states); older.walk(app.hass.states);
      Object.keys(app.hass.states)`);
    await bench.evaluate(`card.walk(app.hass.states); card.walk(app.hass.states)`);
    await until('the file', () => enumerated().length > 0);
    expect(enumerated()).toEqual(['lovelace my_20card_20_1_.js']);
    await bench.evaluate(`history.pushState(null, '', '/kitchen'); card.template(app.hass.states)`);
    await until('the file there', () => enumerated().length > 1);
    expect(enumerated().at(-1)).toBe('kitchen my_20card_20_1_.js');
    expect(await bench.evaluate(`[Error.stackTraceLimit, 'prepareStackTrace' in Error]`)).toEqual([10, false]);
  });

  test('tells it too where the frontend goes through them far more often, always before it', async () => {
    await bench.evaluate(`import('/hacsfiles/late/late-card.js').then(() => 1)`);
    await bench.evaluate(`{
      let turn = 0;
      window.beat = setInterval(() => {
        update(['light.a', 'light.b']);
        for (let index = 0; index < 20; index += 1) frontend.walk(app.hass.states);
        turn += 1;
        if (turn > 5) late.walk(app.hass.states);
      }, 50);
    }`);
    await until('the file', () => enumerated().length > 0, 20_000);
    await bench.evaluate(`clearInterval(beat)`);
    expect(enumerated()).toEqual(['lovelace late-card.js']);
  }, 30_000);

  // The last one: what is allowed is used up by it.
  test('is bounded where a page floods: nothing but so many facts, and each of them well formed', async () => {
    const began = performance.now();
    await bench.evaluate(`{
      const say = (message) => window.externalAppV2.postMessage(JSON.stringify(message));
      const ids = Array.from({ length: 5000 }, (_, index) => 'light.f' + index);
      for (let turn = 0; turn < 50; turn += 1) {
        say({ type: 'read', dashboard: 'flood', ids });
        say({ type: 'enumerated', dashboard: 'flood', file: 'f' + turn + '.js' });
        say({ type: 'opened', dashboard: 'flood', id: 'light.f' + turn });
        say({ type: 'entities', dashboard: 'flood', asked: turn, own: false });
        say({ type: 'uncut', dashboard: 'flood' });
      }
      say({ type: 'externalBus', payload: { id: 1, type: 'config_screen/show' } });
    }`);
    await bench.fact('page.settings-asked');
    const of = (type: BrowserFact['type']): number => bench.facts.filter((fact) => fact.type === type).length;
    // Some at once, and so many more for each second that it takes on a busy machine.
    const seconds = Math.ceil((performance.now() - began) / 1000);
    expect(told('flood').length).toBeLessThanOrEqual(500 * (3 + seconds));
    for (const type of ['page.enumerated', 'page.entity-opened', 'page.subscribed', 'page.uncut'] as const)
      expect(of(type)).toBeLessThanOrEqual(20 + 5 * seconds);
  });
});
