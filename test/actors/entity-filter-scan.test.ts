import { afterEach, describe, expect, it } from 'vitest';

import { entityFilterScan } from '#actors/entity-filter-scan.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { ScanCommand, ScanFact } from '#machines/entity-filter/events.ts';
import type { ReadOutcome, Reading, Topic } from '#machines/home-assistant/events.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { askOf, fakeRegistry } from '#test/fakes/registry.ts';

import { isFact, runDriver } from '../drivers/run-driver.ts';

type Answer = AskOutcome<ReadOutcome>;

const stored = (configuration: unknown, path = 'kitchen-panel'): Reading => ({
  kind: 'dashboard',
  path,
  origin: 'stored',
  configuration,
});
const answers = (): Record<
  'account' | 'dashboard' | 'entity-ids' | 'entities' | 'devices' | 'areas' | 'floors' | 'energy',
  Reading
> => ({
  account: { kind: 'account', userId: 'user-1' },
  dashboard: stored({ views: [] }),
  'entity-ids': { kind: 'entity-ids', entityIds: ['light.one', 'light.two'], names: ['One', ''] },
  entities: { kind: 'entities', entities: [{ entityId: 'light.one', areaId: 'hall', deviceId: null, labels: [] }] },
  devices: { kind: 'devices', devices: [{ id: 'd', areaId: null, identifiers: [], labels: ['l'] }] },
  areas: { kind: 'areas', areas: [{ id: 'hall', name: 'Hall', floorId: 'ground', labels: [] }] },
  floors: { kind: 'floors', floors: [{ id: 'ground' }] },
  energy: { kind: 'energy', entityIds: ['sensor.energy'] },
});
const order = ['account', 'dashboard', 'entity-ids', 'entities', 'devices', 'areas', 'floors'];

let ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends) end();
  ends = [];
});

function start() {
  const fake = fakeRegistry({ 'home-assistant': {} });
  const asked: Topic[] = [];
  const heard = new Set<(event: never) => void>();
  let at = 0;
  const house: {
    is: Record<string, Reading>;
    /** Answers in place of what the house is. */
    answer: (topic: Topic) => Answer | Promise<Answer> | null;
  } = { is: answers(), answer: () => null };
  const registry = {
    ...fake,
    ask: askOf((id, event) => {
      // Only readings are asked for; the driver's own types say so.
      const { type, topic } = event as { readonly type: string; readonly topic: Topic };
      expect([id, type]).toEqual(['home-assistant', 'home-assistant.read']);
      asked.push(topic);
      const reading = house.is[topic.kind];
      const own =
        topic.kind === 'dashboard' && topic.path !== '' && reading?.kind === 'dashboard'
          ? { ...reading, path: topic.path }
          : reading;
      return house.answer(topic) ?? { ok: true, value: { ok: true, reading: own } };
    }),
    listen: (id: string, type: string, handler: (event: never) => void) => {
      expect([id, type]).toEqual(['home-assistant', 'home-assistant.read-out']);
      heard.add(handler);
      return () => heard.delete(handler);
    },
  };
  const driver = runDriver<ScanCommand, ScanFact>(
    // The questions and events of other parts are none of its own.
    entityFilterScan({ registry: registry as never, now: () => (at += 1) }),
  );
  ends.push(driver.stop);
  return {
    ...driver,
    registry: fake,
    house,
    kinds: () => asked.splice(0).map(({ kind }) => kind),
    /** The topics of each `home-assistant.watch` since the last look. */
    watches: () => fake.told.splice(0).map(({ event }) => event),
    readOut: (reading: Reading) => {
      for (const handler of heard) handler({ type: 'home-assistant.read-out', reading } as never);
    },
    listeners: () => heard.size,
    scan: async (scan: number, dashboard = 'kitchen-panel'): Promise<readonly ScanFact[]> => {
      const from = driver.facts.length;
      driver.tell({ type: 'scan.start', scan, dashboard });
      await settle();
      await settle();
      await settle();
      return driver.facts.slice(from);
    },
  };
}
const watching = (...paths: readonly string[]) => ({
  type: 'home-assistant.watch',
  watcher: 'entity-filter',
  topics: [
    ...(paths.length === 0 ? [] : [{ kind: 'dashboards' }]),
    ...paths.map((path) => ({ kind: 'dashboard', path })),
  ],
});
const changes = (facts: readonly ScanFact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.type === 'dashboard.changed' ? [fact.dashboard] : []));

describe('a scan', () => {
  it('reads the account, the dashboard and each list once, one after another, and tells how far it is', async () => {
    const rig = start();
    expect(await rig.scan(7)).toEqual([
      { type: 'scan.milestone', scan: 7, step: 1, entities: 0, since: 1 },
      { type: 'scan.milestone', scan: 7, step: 1, entities: 2, since: 1 },
      { type: 'scan.milestone', scan: 7, step: 2, entities: 2, since: 1 },
      {
        type: 'scan.done',
        scan: 7,
        user: 'user-1',
        input: {
          dashboard: 'kitchen-panel',
          configuration: { views: [] },
          isDashboard: true,
          energyIds: [],
          areas: [{ id: 'hall', name: 'Hall', floorId: 'ground', labels: [] }],
          floors: [{ id: 'ground' }],
          devices: [{ id: 'd', areaId: null, identifiers: [], labels: ['l'] }],
          entities: [{ entityId: 'light.one', areaId: 'hall', deviceId: null, labels: [] }],
          existing: ['light.one', 'light.two'],
          names: ['One', ''],
        },
        at: 2,
      },
    ]);
    expect(rig.kinds()).toEqual(order);
  });

  it('asks for nothing more before the answer to what it asked', async () => {
    const rig = start();
    rig.house.answer = ({ kind }) => (kind === 'entity-ids' ? new Promise(() => {}) : null);
    await rig.scan(1);
    expect(rig.kinds()).toEqual(['account', 'dashboard', 'entity-ids']);
  });

  it('reads the energy preferences only for a dashboard that may show them', async () => {
    const rig = start();
    rig.house.is['dashboard'] = stored({ views: [{ cards: [{ type: 'energy-distribution' }] }] });
    const facts = await rig.scan(1);
    expect(rig.kinds()).toEqual([...order, 'energy']);
    expect(facts.find(isFact('scan.done'))?.input.energyIds).toEqual(['sensor.energy']);
  });

  it.each([
    ['generated', true],
    ['other', false],
  ] as const)('says of a panel whose origin is %s that it is a dashboard: %s', async (origin, isDashboard) => {
    const rig = start();
    rig.house.is['dashboard'] = { kind: 'dashboard', path: '', origin, configuration: null };
    const facts = await rig.scan(1, 'home');
    expect(facts.find(isFact('scan.done'))?.input).toMatchObject({
      dashboard: 'home',
      isDashboard,
      configuration: null,
    });
  });

  it.each<[string, Answer, string]>([
    ['nobody is signed in', { ok: true, value: { ok: false, reason: 'signed-out' } }, 'signed-out'],
    ['Home Assistant is away', { ok: true, value: { ok: false, reason: 'unreachable' } }, 'unreachable'],
    ['too many ask', { ok: true, value: { ok: false, reason: 'busy' } }, 'busy'],
    ['there is no answer in time', { ok: false, reason: 'timeout' }, 'no-answer'],
    ['the connection’s part is down', { ok: false, reason: 'absent' }, 'no-answer'],
    ['something else comes', { ok: true, value: { ok: true, reading: { kind: 'floors', floors: [] } } }, 'no-answer'],
  ])('fails where %s', async (_, answer, reason) => {
    for (const kind of [...order.slice(0, -1), 'energy']) {
      const rig = start();
      rig.house.is['dashboard'] = stored('energy');
      rig.house.answer = (topic) => (topic.kind === kind ? answer : null);
      const facts = await rig.scan(3);
      expect([kind, facts.at(-1)]).toEqual([kind, { type: 'scan.failed', scan: 3, reason, at: 2 }]);
      expect(rig.registry.told).toEqual([]);
    }
  });

  it('that is superseded reports nothing and asks for nothing more', async () => {
    const rig = start();
    let release: (answer: Answer) => void = () => {};
    rig.house.answer = ({ kind }) =>
      kind === 'entities' && rig.facts.every(({ type }) => type !== 'scan.done')
        ? new Promise((resolve) => {
            release = resolve;
            rig.house.answer = () => null;
          })
        : null;
    await rig.scan(1);
    rig.kinds();
    const facts = await rig.scan(2, 'hall-panel');
    expect(facts.at(-1)).toMatchObject({ type: 'scan.done', scan: 2, input: { dashboard: 'hall-panel' } });
    expect(rig.kinds()).toEqual(order);
    const before = rig.facts.length;
    release({ ok: true, value: { ok: false, reason: 'unreachable' } });
    await settle();
    expect([rig.facts.length, rig.kinds()]).toEqual([before, []]);
  });
});

describe('the dashboards that were scanned', () => {
  it('are watched from then on, the newest seven of them', async () => {
    const rig = start();
    for (let at = 1; at <= 9; at += 1) await rig.scan(at, `panel-${at}`);
    await rig.scan(10, 'panel-3');
    expect(rig.watches().slice(-2)).toEqual([
      watching(...[3, 4, 5, 6, 7, 8, 9].map((at) => `panel-${at}`)),
      watching(...[4, 5, 6, 7, 8, 9, 3].map((at) => `panel-${at}`)),
    ]);
  });

  it('bring the titles of all dashboards along', async () => {
    const rig = start();
    const list: Reading = {
      kind: 'dashboards',
      dashboards: [{ path: 'kitchen-panel', title: 'Kitchen' }],
      sections: [],
    };
    rig.readOut(list);
    await rig.scan(1);
    const from = rig.facts.length;
    rig.readOut(list);
    expect(rig.facts.slice(from)).toEqual([
      { type: 'dashboards.listed', titles: [{ dashboard: 'kitchen-panel', title: 'Kitchen' }] },
    ]);
  });

  it('are changed once they are read out otherwise than they were scanned, each change told once', async () => {
    const rig = start();
    await rig.scan(1);
    const from = rig.facts.length;
    rig.readOut(stored({ views: [] }));
    rig.readOut(stored({ views: [1] }, 'another-panel'));
    rig.readOut({ kind: 'areas', areas: [] });
    expect(changes(rig.facts.slice(from))).toEqual([]);
    for (const views of [[1], [1], [2]]) rig.readOut(stored({ views }));
    expect(changes(rig.facts.slice(from))).toEqual(['kitchen-panel', 'kitchen-panel']);
    rig.house.is['dashboard'] = stored({ views: [3] });
    await rig.scan(2);
    const then = rig.facts.length;
    rig.readOut(stored({ views: [3] }));
    expect(changes(rig.facts.slice(then))).toEqual([]);
    rig.readOut({ kind: 'dashboard', path: 'kitchen-panel', origin: 'generated', configuration: null });
    expect(changes(rig.facts.slice(then))).toEqual(['kitchen-panel']);
  });

  it('are watched again by a connection that was started anew', async () => {
    const rig = start();
    rig.registry.put('home-assistant', undefined);
    rig.registry.put('home-assistant', {});
    expect(rig.watches()).toEqual([]);
    await rig.scan(1);
    rig.registry.put('home-assistant', undefined);
    rig.watches();
    rig.registry.put('home-assistant', {});
    expect(rig.watches()).toEqual([watching('kitchen-panel')]);
  });

  it('are known by their own path, also the one that the start page leads to', async () => {
    const rig = start();
    const facts = await rig.scan(1, '');
    expect(facts.at(-1)).toMatchObject({ type: 'scan.done', input: { dashboard: 'kitchen-panel' } });
    expect(rig.watches().at(-1)).toEqual(watching('kitchen-panel'));
    rig.readOut(stored({ views: [1] }));
    expect(changes(rig.facts)).toEqual(['kitchen-panel']);
  });

  it('are those of one account', async () => {
    const rig = start();
    await rig.scan(1, 'first-panel');
    rig.house.is['account'] = { kind: 'account', userId: 'user-2' };
    await rig.scan(2, 'second-panel');
    expect(rig.watches().at(-1)).toEqual(watching('second-panel'));
  });

  it('are watched no more at the end', async () => {
    const rig = start();
    await rig.scan(1);
    rig.watches();
    rig.stop();
    await rig.settled();
    expect([rig.watches(), rig.listeners()]).toEqual([[watching()], 0]);
  });
});
