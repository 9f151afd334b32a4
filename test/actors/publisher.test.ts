import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Admission } from '#actors/kit/admission.ts';
import { REPORT_PAUSE_MS } from '#actors/publisher/refusal-reports.ts';
import { type BridgeDeps, registryBridge } from '#actors/publisher/registry-bridge.ts';
import { objectionToHome } from '#actors/kit/home-choice.ts';
import type { AskOutcome, Registry } from '#actors/kit/registry.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import type { AnyActor } from '#machines/actors.ts';
import { rows as dashboardRows } from '#machines/dashboard/entities.ts';
import { rows as powerRows } from '#machines/power/entities.ts';
import { rows as rendererRows } from '#machines/renderer/entities.ts';
import { rows as screenRows } from '#machines/screen/entities.ts';
import { rows as storageRows } from '#machines/storage-health/entities.ts';
import { rows as volumeRows } from '#machines/volume/entities.ts';
import { BURST, FOREIGN_SUBJECTS, PAUSE_MS } from '#machines/entities/limits.ts';
import { type RowShape, shapeOf } from '#machines/entities/shape.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { OutgoingMessage } from '#machines/mqtt/events.ts';
import type { BridgeCommand, BridgeFact } from '#machines/publisher/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeAdmission, waits } from '#test/fakes/admission.ts';
import { askOf, type FakeRegistry, fakeRegistry } from '#test/fakes/registry.ts';

const identity = {
  panelId: 'hall',
  installId: 'a'.repeat(32),
  friendlyName: 'Hall',
  manufacturer: '',
  model: '',
  version: '1',
};

/** The bridge of these rows, on a connection whose other end is the test. */
function bridge(
  registry: Registry,
  rows: readonly EntityRow<AnyActor>[],
  lookAtSettings: BridgeDeps['lookAtSettings'] = () => null,
  admission: Admission = fakeAdmission(),
) {
  const messages = createMessageExchange();
  const published: OutgoingMessage[] = [];
  const notes: string[] = [];
  const { deliver } = messages.open({
    publish: (all) => void published.push(...all),
    subscribeTo: ({ topics }) => void notes.push(`subscribed ${topics.join(' ')}`),
  });
  const driver = runDriver<BridgeCommand, BridgeFact>(
    registryBridge({
      registry,
      messages,
      rows,
      admission,
      note: (message, { entity, reason }) => void notes.push(`${message} ${entity} ${reason}`),
      now: () => 0,
      lookAtSettings,
    }),
  );
  return {
    ...driver,
    published,
    notes,
    hear: (topic: string, payload: string, retained = false) => deliver({ topic, payload, retained }),
    serve: (shapes: readonly RowShape[] = rows.map((row) => shapeOf(row))) =>
      driver.tell({ type: 'bridge.serve', panelId: 'hall', shapes }),
    count: (type: BridgeFact['type']) => driver.facts.filter((fact) => fact.type === type).length,
  };
}

const readings = (address: string) => ({ reading: { address } });

it('tells of the panel only when something about it changed', () => {
  const registry = fakeRegistry({
    identity,
    settings: { revision: 1, values: { mqtt_discovery_prefix: 'homeassistant' }, expose: {} },
    'active-profile': { absent: [], optional: [] },
    readings: readings('192.0.2.7'),
    http: { port: 8080 },
  });
  const driver = bridge(registry, []);
  const panels = () => driver.facts.flatMap((fact) => (fact.type === 'panel.changed' ? [fact.panel] : []));
  expect(panels().at(-1)).toMatchObject({
    panelId: 'hall',
    prefix: 'homeassistant',
    configurationUrl: 'http://192.0.2.7:8080/',
  });
  const before = panels().length;
  for (const [id, facts] of [
    ['readings', readings('192.0.2.7')],
    ['http', { port: 8080 }],
    ['active-profile', { absent: [], optional: [] }],
  ] as const) {
    registry.put(id, undefined);
    registry.put(id, facts);
  }
  registry.put('settings', { revision: 0, values: {}, expose: {} });
  expect(panels()).toHaveLength(before);
  registry.put('readings', readings('192.0.2.8'));
  expect(
    panels()
      .slice(before)
      .map(({ configurationUrl }) => configurationUrl),
  ).toEqual(['http://192.0.2.8:8080/']);
  driver.stop();
});

/** The keys that the bridge told the machine to announce, each time that it told of the panel. */
const shownKeys = (facts: readonly BridgeFact[]): readonly (readonly string[])[] =>
  facts.flatMap((fact) =>
    fact.type === 'panel.changed'
      ? [fact.panel.shapes.flatMap(({ key }) => (fact.panel.hidden.includes(key) ? [] : [key]))]
      : [],
  );

it.each([
  ['withholds what a look did not find, where the profile only looks', ['power', 'volume', 'screen'], []],
  ['announces it where the profile names it', [], ['screen', 'volume', 'reboot']],
])('%s', (_, optional, expected) => {
  const judged = (state: string) => ({ seen: false, display: null, lit: null, verdict: { state } });
  const registry = fakeRegistry({
    identity,
    settings: {
      revision: 1,
      values: { mqtt_discovery_prefix: 'homeassistant' },
      expose: { screen: true, volume: true },
    },
    'active-profile': { absent: [], optional },
    screen: judged('checking'),
    volume: judged('not_here'),
  });
  const driver = bridge(registry, [...screenRows.slice(0, 1), ...volumeRows, ...powerRows]);
  expect(shownKeys(driver.facts).at(-1)).toEqual(expected);
  // What is there but for a fault is announced, and its fault with it.
  for (const id of ['screen', 'volume', 'power']) registry.put(id, judged('needs_you'));
  expect(shownKeys(driver.facts).at(-1)).toEqual(['screen', 'volume', 'reboot']);
  registry.put('volume', judged('not_here'));
  registry.put('power', undefined);
  expect(shownKeys(driver.facts).at(-1)).toEqual(
    optional.length === 0 ? ['screen', 'volume', 'reboot'] : ['screen', 'reboot'],
  );
  driver.stop();
});

it('announces a further screen once there was one, and keeps it while its actor restarts', () => {
  const registry = fakeRegistry({
    identity,
    settings: { revision: 1, values: { mqtt_discovery_prefix: 'homeassistant' }, expose: { screen: true } },
    'active-profile': { absent: [], optional: [] },
    http: { port: 8080 },
    screen: { seen: true, display: null, lit: null, verdict: { state: 'not_here' } },
    screen_2: { seen: false, display: null, lit: null },
  });
  const driver = bridge(registry, screenRows);
  const keys = () => shownKeys(driver.facts);
  expect(keys().at(-1)).toEqual(['screen']);
  registry.put('screen_2', { seen: true, display: null, lit: null });
  expect(keys().at(-1)).toEqual(['screen', 'screen_2']);
  const told = keys().length;
  registry.put('screen_2', undefined);
  expect(keys()).toHaveLength(told);
  driver.stop();
});

/** What a whole panel knows of itself, with these facts of its parts. */
const wholePanel = (parts: Readonly<Record<string, unknown>>): FakeRegistry =>
  fakeRegistry({
    identity,
    settings: { revision: 1, values: { mqtt_discovery_prefix: 'homeassistant' }, expose: { screen: true } },
    'active-profile': { absent: [], optional: [] },
    ...parts,
  });

const lit = (brightness: number) => ({ seen: true, display: {}, lit: true, brightness, verdict: { state: 'working' } });
const SET = 'sconce/hall/screen/set';

describe('a row that is served', () => {
  const start = () => {
    const registry = wholePanel({ screen: lit(40) });
    return { registry, driver: bridge(registry, screenRows.slice(0, 1)) };
  };

  it('is published when it changed, by what changed in it alone', () => {
    const { registry, driver } = start();
    registry.put('screen', lit(41));
    expect(driver.published).toEqual([]);
    driver.serve();
    registry.put('screen', lit(41));
    expect(driver.published).toEqual([]);
    registry.put('screen', lit(42));
    expect(driver.published).toEqual([
      { topic: 'sconce/hall/screen/state', payload: '{"state":"ON","brightness":42}', retain: true, qos: 0 },
    ]);
    registry.put('screen', undefined);
    expect(driver.published.slice(1)).toEqual([
      { topic: 'sconce/hall/screen/availability', payload: 'offline', retain: true, qos: 0 },
    ]);
    driver.tell({ type: 'bridge.silence' });
    registry.put('screen', lit(43));
    expect(driver.published).toHaveLength(2);
    driver.stop();
  });

  it('is published whole when all are, with what came while it was not served', () => {
    const { registry, driver } = start();
    registry.put('screen', lit(43));
    driver.tell({ type: 'bridge.publish-rows' });
    expect(driver.published).toEqual([]);
    driver.serve();
    driver.tell({ type: 'bridge.publish-rows' });
    expect(driver.published.map(({ payload }) => payload)).toEqual(['{"state":"ON","brightness":43}', 'online']);
    driver.stop();
  });

  it('is left out where the publisher announced it not', () => {
    const { registry, driver } = start();
    driver.serve([]);
    registry.put('screen', lit(44));
    driver.tell({ type: 'bridge.publish-rows' });
    driver.hear(SET, '{"brightness":7}');
    expect([driver.published, registry.told]).toEqual([[], []]);
    driver.stop();
  });
});

/** A row of a picture whose actor is off in state `off`, and hardware that another actor looks for. */
const stillRow = {
  entityKind: 'image',
  key: 'still',
  name: 'Still',
  actor: 'camera-session',
  capability: 'camera',
  foundByCapability: true,
  available: ({ value }: SnapshotView) => value !== 'off',
  read: ({ context }: SnapshotView) => ({ path: '/still.jpg', sequence: Number(context) }),
} as unknown as EntityRow<AnyActor>;

describe('a picture', () => {
  const STATE = 'sconce/hall/still/state';
  const start = () => {
    const registry = wholePanel({
      readings: readings('192.0.2.7'),
      http: { port: 8080 },
      'camera-session': 1,
    });
    const driver = bridge(registry, [stillRow]);
    driver.serve();
    const urls = () => driver.published.flatMap(({ topic, payload }) => (topic === STATE ? [payload] : []));
    return { registry, driver, urls };
  };

  it('is published by its URL again with each new one, and whole with all rows', () => {
    const { registry, driver, urls } = start();
    registry.put('camera-session', 2);
    registry.put('camera-session', 2);
    registry.put('camera-session', 3);
    const url = 'http://192.0.2.7:8080/still.jpg';
    expect(urls()).toEqual([url, url]);
    driver.tell({ type: 'bridge.publish-rows' });
    expect(urls()).toEqual([url, url, url]);
    expect(driver.published.filter(({ topic }) => topic === STATE).every(({ retain }) => retain)).toBe(true);
    driver.stop();
  });

  it('has the new address once the panel is announced with it, and not twice', () => {
    const { registry, driver, urls } = start();
    registry.put('readings', readings('fd00::7'));
    expect(urls()).toEqual([]);
    expect(driver.facts.at(-1)).toMatchObject({ panel: { configurationUrl: 'http://[fd00::7]:8080/' } });
    driver.tell({ type: 'bridge.publish-rows' });
    expect(urls()).toEqual(['http://[fd00::7]:8080/still.jpg']);
    driver.stop();
  });

  it('is not published by what any client of the broker sends', () => {
    const { driver, urls } = start();
    driver.hear('sconce/hall/still/set', 'x');
    expect(driver.count('command.refused')).toBe(1);
    expect(urls()).toEqual([]);
    driver.stop();
  });

  it.each([
    ['withheld before the first look', null, false],
    ['withheld where none was found', { found: 'none', detail: 'not_enumerated' }, false],
    ['announced where one was found', { found: 'devices', count: 1, refused: 0, chosen: 'Cam' }, true],
    ['announced where one may not be opened', { found: 'devices', count: 1, refused: 1, chosen: 'Cam' }, true],
  ])('is %s', (_, scan, expected) => {
    const registry = wholePanel({
      camera: { scan, camera: {}, user: null },
    });
    const driver = bridge(registry, [stillRow]);
    expect(shownKeys(driver.facts).at(-1)).toEqual(expected ? ['still'] : []);
    driver.stop();
  });
});

describe('a command', () => {
  const levelsTold = (registry: FakeRegistry) =>
    registry.told.flatMap(({ event }) => ('brightness' in event ? [event.brightness] : []));
  const dimmed = (brightness: number): string => JSON.stringify({ brightness });

  it('reaches its actor past the machine of the publisher, while its row is served', () => {
    const registry = wholePanel({ screen: lit(40) });
    const driver = bridge(registry, screenRows);
    const before = driver.facts.length;
    driver.hear(SET, dimmed(1));
    driver.serve();
    driver.hear(SET, dimmed(2));
    driver.hear(SET, dimmed(3), true);
    driver.tell({ type: 'bridge.silence' });
    driver.hear(SET, dimmed(4));
    expect(levelsTold(registry)).toEqual([2]);
    expect(driver.facts).toHaveLength(before);
    driver.stop();
  });

  it('that is refused has the true state published again, is counted, and each kind is noted once', () => {
    const registry = wholePanel({ screen: lit(40) });
    const driver = bridge(registry, screenRows);
    driver.hear(SET, 'x');
    expect([driver.published, driver.notes]).toEqual([[], []]);
    driver.serve();
    driver.hear(SET, 'x');
    driver.hear(SET, 'y');
    driver.hear('sconce/hall/unknown/set', 'x');
    const states = driver.published.filter(({ topic }) => !topic.endsWith('/attributes'));
    expect(states.map(({ payload }) => payload)).toEqual(
      [1, 2].flatMap(() => ['{"state":"ON","brightness":40}', 'online']),
    );
    registry.put('screen', undefined);
    driver.hear(SET, dimmed(2));
    expect(driver.count('command.refused')).toBe(3);
    expect(driver.notes).toEqual([
      'A command from the broker was refused. screen malformed',
      'A command from the broker was refused. screen absent',
    ]);
    driver.stop();
  });

  it('to an entity that only reports leaves its attributes alone', () => {
    const driver = bridge(wholePanel({}), storageRows);
    driver.serve();
    driver.hear('sconce/hall/storage_health/set', 'x');
    expect(driver.count('command.refused')).toBe(1);
    expect(driver.count('refusal.reported')).toBe(0);
    expect(driver.published.filter(({ payload }) => payload.includes('refused'))).toEqual([]);
    driver.stop();
  });

  describe('that is refused by the dashboard', () => {
    const ATTRIBUTES = 'sconce/hall/navigate/attributes';
    const last = (outcome: string, message: string | null, origin = 'home-assistant', at = 5) => ({
      path: '/home/overview',
      lastNavigation: { outcome, refusal: outcome === 'refused' ? 'bad-path' : null, message, origin, tookMs: 0, at },
    });
    /** A renderer that answers each command with these facts. */
    const start = (answers: readonly object[]) => {
      const registry = wholePanel({ renderer: { path: '/', lastNavigation: null } });
      const left = [...answers];
      const answering: Registry = {
        ...registry,
        tell: (id, event) => {
          const told = registry.tell(id, event);
          if (left.length > 0) registry.put('renderer', left.shift());
          return told;
        },
      };
      const driver = bridge(answering, rendererRows);
      driver.serve();
      const attributes = () =>
        driver.published.flatMap(({ topic, payload }) =>
          topic === ATTRIBUTES ? [JSON.parse(payload) as unknown] : [],
        );
      const reported = () =>
        driver.facts.flatMap((fact) => (fact.type === 'refusal.reported' ? [`${fact.name} ${fact.code}`] : []));
      return { registry, driver, attributes, reported };
    };

    it('says why in the attributes of its entity, which nobody keeps', () => {
      const t = start([last('refused', 'The path leads to another address.')]);
      t.driver.hear('sconce/hall/navigate/set', 'https://example.org/');
      expect(t.attributes()).toEqual([
        { refused: '1970-01-01T00:00:00.000Z', code: 'bad-path', reason: 'The path leads to another address.' },
      ]);
      expect(t.driver.published.find(({ topic }) => topic === ATTRIBUTES)?.retain).toBe(false);
      expect(JSON.stringify(t.driver.published)).not.toContain('example.org');
      expect([t.reported(), t.driver.count('command.refused')]).toEqual([['Navigate no-page'], 1]);
      t.driver.stop();
    });

    it('says of a page that opened elsewhere, and takes it back with the next that is shown', () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const t = start([]);
      t.driver.hear('sconce/hall/navigate/set', '/nosuch');
      expect(t.attributes()).toEqual([]);
      t.registry.put('renderer', last('elsewhere', 'Home Assistant opened another page.'));
      // What anyone else asks for afterwards says nothing about it.
      t.registry.put('renderer', last('refused', 'Not this one.', 'http', 6));
      t.registry.put('renderer', last('shown', null, 'sconce', 7));
      vi.advanceTimersByTime(REPORT_PAUSE_MS);
      expect(t.attributes().at(-1)).toMatchObject({ code: 'elsewhere', reason: 'Home Assistant opened another page.' });
      expect(new Set(t.reported())).toEqual(new Set(['Navigate other-page']));
      t.registry.put('renderer', last('shown', null, 'home-assistant', 8));
      vi.advanceTimersByTime(REPORT_PAUSE_MS);
      expect(t.attributes().at(-1)).toEqual({});
      t.driver.stop();
    });
  });

  describe('that comes faster than it is carried out', () => {
    afterEach(() => vi.useRealTimers());
    const start = () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const registry = wholePanel({ screen: lit(40) });
      const driver = bridge(registry, screenRows);
      driver.serve();
      return { registry, driver, dim: (brightness: number) => driver.hear(SET, dimmed(brightness)) };
    };

    it('goes on as it comes below the bound, then the newest wins, twenty a second', async () => {
      const { registry, driver, dim } = start();
      for (let level = 1; level <= 200; level += 1) dim(level);
      expect(levelsTold(registry)).toEqual(Array.from({ length: BURST }, (_, at) => at + 1));
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
      expect(levelsTold(registry).at(-1)).toBe(200);
      expect(levelsTold(registry)).toHaveLength(BURST + 1);
      for (let level = 100; level < 150; level += 1) {
        dim(level);
        await vi.advanceTimersByTimeAsync(10);
      }
      await vi.advanceTimersByTimeAsync(100);
      expect(levelsTold(registry).length).toBeLessThanOrEqual(BURST + 1 + 600 / PAUSE_MS);
      expect(levelsTold(registry).at(-1)).toBe(149);
      driver.stop();
    });

    it('is not slowed down where each waits for the result of the last one', async () => {
      const { registry, driver, dim } = start();
      for (let level = 1; level <= 100; level += 1) {
        dim(level);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(levelsTold(registry)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
      driver.stop();
    });

    it('keeps what only an older one of a light asks for, and a refused one takes the place of none', async () => {
      const { registry, driver, dim } = start();
      for (let level = 1; level <= BURST; level += 1) dim(level);
      driver.hear(SET, '{"state":"ON"}');
      dim(99);
      driver.hear(SET, 'no light');
      driver.hear(SET, '{"brightness":300}');
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
      expect(registry.told.at(-1)?.event).toMatchObject({ on: true, brightness: 99 });
      expect(driver.count('command.refused')).toBe(0);
      driver.stop();
    });

    it('is forgotten when the bridge ends', async () => {
      const { registry, driver, dim } = start();
      for (let level = 1; level <= BURST + 1; level += 1) dim(level);
      driver.stop();
      await vi.advanceTimersByTimeAsync(1000);
      expect(levelsTold(registry)).toHaveLength(BURST);
    });

    it('drops what waits once the connection is another one', async () => {
      const { registry, driver, dim } = start();
      for (let level = 1; level <= BURST + 1; level += 1) dim(level);
      registry.put('mqtt', undefined);
      await vi.advanceTimersByTimeAsync(1000);
      expect(levelsTold(registry)).toHaveLength(BURST);
      driver.stop();
    });

    it('has the newest owner of this panel id, whatever waits of others', async () => {
      const { driver } = start();
      for (let at = 0; at < 2 * (BURST + FOREIGN_SUBJECTS); at += 1) {
        driver.hear(`sconce/hall/${at.toString(16).padStart(8, '0')}/status`, 'online', true);
        driver.hear(`sconce/made_up_${at}/owner`, 'x', true);
      }
      driver.hear('sconce/hall/owner', 'first', true);
      driver.hear('sconce/hall/owner', 'second', true);
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
      const owners = driver.facts.filter((fact) => fact.type === 'owner.changed' && fact.panelId === 'hall');
      expect(owners).toEqual([{ type: 'owner.changed', panelId: 'hall', owner: 'second' }]);
      driver.stop();
    });

    it('limits births in the same way, and has the last word of Home Assistant', async () => {
      const { driver } = start();
      for (let at = 0; at < 1000; at += 1) driver.hear('homeassistant/status', 'online');
      driver.hear('homeassistant/status', 'offline');
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
      expect(driver.count('homeAssistant.born')).toBe(BURST);
      expect(driver.facts.at(-1)).toEqual({ type: 'homeAssistant.left', now: true });
      driver.stop();
    });
  });

  it('that a person has to admit says so, publishes the true state again, and reaches no actor', () => {
    const registry = wholePanel({ power: { route: 'logind', verdict: { state: 'working' } } });
    const admission = fakeAdmission('hardened');
    admission.answer = () => waits;
    const driver = bridge(registry, powerRows, () => null, admission);
    driver.serve();
    driver.published.length = 0;
    driver.hear('sconce/hall/reboot/set', 'PRESS');
    expect(admission.asked).toMatchObject([{ operation: 'DEVICE_REBOOT', what: 'Reboot', peer: 'mqtt' }]);
    const refused = driver.published.find(({ topic }) => topic === 'sconce/hall/reboot/attributes');
    expect(refused?.payload).toMatch(/"code":"approval-required".*send the same request again/);
    expect(driver.published.map(({ topic }) => topic)).toContain('sconce/hall/reboot/availability');
    expect([driver.count('command.refused'), registry.told]).toEqual([1, []]);
    driver.stop();
  });

  it('waits behind another where the actor is asked, the newest winning, and a refusal is counted', async () => {
    const registry = wholePanel({});
    const answers: ((outcome: AskOutcome<unknown>) => void)[] = [];
    const asked: unknown[] = [];
    const asking = {
      ...registry,
      ask: askOf((id, event) => {
        asked.push([id, event]);
        return new Promise<AskOutcome<unknown>>((resolve) => answers.push(resolve));
      }),
    };
    const driver = bridge(asking, dashboardRows);
    driver.serve();
    // The last one is refused at once, and takes the place of none that waits.
    for (const value of ['/one', '/two', '/three', 'http://elsewhere.example/x'])
      driver.hear('sconce/hall/home_dashboard/set', value);
    expect(driver.notes.at(-1)).toMatch(/home_dashboard not-local$/);
    answers[0]?.({ ok: true, value: { status: 'refused', reasons: {} } });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toEqual(
      ['/one', '/three'].map((path) => ['settings', { type: 'settings.merge', patch: { home_dashboard: path } }]),
    );
    expect(driver.notes.at(-1)).toMatch(/home_dashboard refused$/);
    expect(driver.count('command.refused')).toBe(2);
    driver.stop();
  });

  it('that sets a home dashboard is looked at first where Home Assistant can be asked, and else taken', async () => {
    const pages = { kind: 'dashboards', dashboards: [{ path: 'hall-panel', title: 'Hall' }], sections: ['hall-panel'] };
    const registry = wholePanel({ 'sign-in': { phase: 'signed-in' } });
    const asked: unknown[] = [];
    let reading: object = { ok: true, reading: pages };
    const asking: Registry = {
      ...registry,
      ask: askOf((id, event) => {
        if (id === 'home-assistant') return Promise.resolve({ ok: true, value: reading });
        asked.push((event as { readonly patch?: unknown }).patch);
        return Promise.resolve({ ok: true, value: { status: 'saved', applied: ['home_dashboard'] } });
      }),
    };
    const looked: string[] = [];
    const driver = bridge(asking, dashboardRows, (patch) => {
      looked.push(...Object.keys(patch));
      return objectionToHome(asking, patch['home_dashboard']);
    });
    driver.serve();
    driver.hear('sconce/hall/home_dashboard/set', '/hal-pannel');
    await vi.waitFor(() => expect(driver.count('refusal.reported')).toBe(1));
    expect(driver.notes.at(-1)).toMatch(/home_dashboard home-missing$/);
    const told = driver.published.findLast(({ topic }) => topic.endsWith('home_dashboard/attributes'));
    expect(told?.payload).toContain('The nearest is /hall-panel.');
    expect(asked).toEqual([]);
    driver.hear('sconce/hall/home_dashboard/set', '/hall-panel/1');
    await vi.waitFor(() => expect(asked).toEqual([{ home_dashboard: '/hall-panel/1' }]));
    reading = { ok: false, reason: 'unreachable' };
    driver.hear('sconce/hall/home_dashboard/set', '/hal-pannel');
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(looked).toEqual(['home_dashboard', 'home_dashboard', 'home_dashboard']);
    driver.stop();
  });
});
