import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { observePresence, sleepHome } from '#actors/auto-sleep-source.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Feed } from '#machines/auto-sleep/events.ts';
import type { AreaPresence, Reading } from '#machines/home-assistant/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOf = (name: string): string => sha256(`sconce presence registry-${name}`);
/** What was queued has run. */
const settled = (): Promise<void> => Promise.resolve();

const live = { route: { number: 1, family: 'ipv4' }, failure: null };
const house = {
  'home-assistant': live,
  identity: { panelId: 'hall' },
  'sign-in': { phase: 'signed-in', revision: 1, settingsRevision: 1 },
};
const areaTopic = { kind: 'area-presence', identifier: 'sconce_hall' };
const id = (name: string): string => `binary_sensor.${name}`;
const area = (...names: readonly string[]): AreaPresence => ({
  kind: 'area-presence',
  isKnown: true,
  area: { id: 'area-1', name: 'Hall' },
  sensors: names.map((name) => ({ entityId: id(name), registryId: `registry-${name}`, name: `The ${name}` })),
  total: names.length,
});
const states = (all: Readonly<Record<string, string | null>>): Reading => ({
  kind: 'states',
  states: Object.entries(all).map(([name, state]) => ({ entityId: id(name), state })),
});

/** A registry with fixed facts, whose listeners hear read-outs. */
function home(contexts: Readonly<Record<string, unknown>>) {
  const registry = fakeRegistry(contexts);
  const handlers = new Set<(event: { readonly reading: Reading }) => void>();
  const listen = ((_id: string, _type: string, handler: (event: { readonly reading: Reading }) => void) => {
    handlers.add(handler);
    return () => handlers.delete(handler);
  }) as unknown as Registry['listen'];
  return {
    registry,
    /** As the parts of the agent are given it: the same each time. */
    heard: Object.assign(registry, { listen }) as Registry,
    listeners: () => handlers.size,
    say: (reading: Reading) => {
      for (const hear of handlers) hear({ reading });
    },
    watches: () =>
      registry.told.flatMap(({ event }) => (event.type === 'home-assistant.watch' && 'topics' in event ? [event] : [])),
  };
}
function observed(mode: 'panel' | 'home_assistant' | 'touch', contexts: Readonly<Record<string, unknown>>) {
  const { heard, ...rest } = home(contexts);
  const given: { readonly feed: Feed; readonly partition: string }[] = [];
  const counts: number[] = [];
  let approaches = 0;
  const begin = (excluded: readonly string[] = []) =>
    observePresence(heard)(mode, excluded, {
      onFeed: (feed, partition) => void given.push({ feed, partition }),
      onDiscovered: (count) => void counts.push(count),
      onApproached: () => {
        approaches += 1;
      },
    });
  return {
    ...rest,
    heard,
    begin,
    given,
    counts,
    approaches: () => approaches,
    feeds: () => given.map(({ feed }) => (feed.kind === 'live' ? feed.sources.map(({ state }) => state) : feed)),
    last: () => given.at(-1)?.feed,
  };
}

describe('sensors of Home Assistant', () => {
  it('are found in the area of the panel, and their states followed', async () => {
    const t = observed('home_assistant', house);
    const watch = t.begin();
    await settled();
    expect(t.watches()).toEqual([{ type: 'home-assistant.watch', watcher: 'auto-sleep', topics: [areaTopic] }]);
    expect([t.feeds(), watch.area()]).toEqual([[{ kind: 'none', why: 'starting' }], null]);
    t.say(area('a', 'b'));
    await settled();
    expect(t.watches().at(-1)?.topics).toEqual([areaTopic, { kind: 'states', entityIds: [id('a'), id('b')] }]);
    t.say(states({ a: 'off', b: 'unavailable' }));
    t.say(states({ a: 'off', b: 'unknown' }));
    t.say(states({ a: 'on', b: null }));
    expect(t.feeds().slice(1)).toEqual([
      ['off', 'unavailable'],
      ['on', 'unavailable'],
    ]);
    expect(t.last()).toMatchObject({ sources: [{ key: keyOf('a') }, { key: keyOf('b') }] });
    expect(t.counts).toEqual([2]);
    const shown = { isIncluded: true, state: 'on' };
    expect(watch.area()).toEqual({
      areaKey: sha256('sconce area area-1'),
      areaName: 'Hall',
      sources: [
        { ...shown, key: keyOf('a'), entityId: id('a'), name: 'The a' },
        { ...shown, key: keyOf('b'), entityId: id('b'), name: 'The b', state: 'unavailable' },
      ],
      total: 2,
    });
    watch.end();
    await settled();
    t.say(states({ a: 'off', b: 'off' }));
    expect([t.watches().at(-1)?.topics, t.listeners(), t.feeds().length]).toEqual([[], 0, 3]);
  });

  it('that are left out count for nothing, and are shown', async () => {
    const t = observed('home_assistant', house);
    const watch = t.begin([keyOf('a'), keyOf('gone')]);
    t.say(area('a', 'b'));
    t.say(states({ a: 'on', b: 'off' }));
    t.say(states({ a: 'off', b: 'off' }));
    expect(t.feeds().slice(1)).toEqual([['off']]);
    expect(watch.area()?.sources.map(({ isIncluded, state }) => [isIncluded, state])).toEqual([
      [false, 'off'],
      [true, 'off'],
    ]);
    t.say(area('a'));
    expect(t.last()).toEqual({ kind: 'none', why: 'all-excluded' });
    t.say(area());
    expect(t.last()).toEqual({ kind: 'none', why: 'no-sensors' });
    t.say({ ...area(), area: null });
    expect([t.last(), watch.area()]).toEqual([{ kind: 'none', why: 'no-area' }, null]);
    t.say({ ...area(), isKnown: false, area: null });
    expect(t.last()).toEqual({ kind: 'none', why: 'no-device' });
    expect(t.counts).toEqual([2, 1, 0, 0, 0]);
  });

  it('that are renamed stay the same source, and a new set is another', () => {
    const t = observed('home_assistant', house);
    t.begin();
    t.say(area('a'));
    t.say(states({ a: 'on' }));
    t.say(states({ a: null }));
    const renamed = { ...area('a'), sensors: [{ entityId: id('z'), registryId: 'registry-a', name: 'Z' }] };
    t.say(renamed);
    // The state of another entity is none of it.
    t.say(states({ a: 'off' }));
    expect(t.feeds().length).toBe(3);
    t.say(states({ z: 'on' }));
    expect(t.given.slice(1).map(({ feed }) => feed)).toMatchObject([
      { sources: [{ key: keyOf('a'), state: 'on' }] },
      { sources: [{ key: keyOf('a'), state: 'unavailable' }] },
      { sources: [{ key: keyOf('a'), state: 'on' }] },
    ]);
    expect(new Set(t.given.slice(1).map(({ partition }) => partition)).size).toBe(1);
    t.say(area('b', 'a'));
    t.say(states({ b: 'on', a: 'on' }));
    t.say(area('a', 'b'));
    const [before, one, ...others] = t.given.slice(3).map(({ partition }) => partition);
    expect(before).not.toBe(one);
    // Their order does not matter.
    expect(others).toEqual([one]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are lost with the connection, and back with their first states', async () => {
    const t = observed('home_assistant', house);
    t.begin();
    t.say(area('a'));
    t.say(states({ a: 'on' }));
    t.registry.put('home-assistant', { route: null, failure: 'closed' });
    t.registry.put('home-assistant', { route: null, failure: 'ECONNREFUSED' });
    expect(t.feeds().slice(1)).toEqual([['on'], { kind: 'lost', why: 'home-assistant-away' }]);
    t.registry.put('home-assistant', { route: { number: 2, family: 'ipv4' }, failure: null });
    expect(t.feeds()).toHaveLength(3);
    t.say(states({ a: 'off' }));
    expect(t.last()).toMatchObject({ kind: 'live', sources: [{ state: 'off' }] });
    t.registry.put('sign-in', { phase: 'refused', revision: 2, settingsRevision: 1 });
    expect(t.last()).toEqual({ kind: 'lost', why: 'signed-out' });
    await settled();
    // The connection's part subscribes again by itself.
    expect(t.watches()).toHaveLength(1);
  });

  it('are watched again after a restart of the connection’s part, and only then', async () => {
    const t = observed('home_assistant', house);
    t.begin();
    await settled();
    t.registry.put('home-assistant', { ...live, failure: 'x' });
    expect(t.watches()).toHaveLength(1);
    t.registry.put('home-assistant', undefined);
    expect(t.last()).toEqual({ kind: 'none', why: 'starting' });
    t.registry.put('home-assistant', { route: null, failure: null });
    expect(t.watches()).toHaveLength(2);
  });

  it.each([
    ['before anything is known', {}, 'starting'],
    [
      'before the sign-in was read',
      { ...house, 'sign-in': { phase: 'no-address', revision: 0, settingsRevision: 0 } },
      'starting',
    ],
    [
      'without an address',
      { identity: house.identity, 'sign-in': { phase: 'no-address', revision: 0, settingsRevision: 1 } },
      'signed-out',
    ],
    ['without a sign-in', { ...house, 'sign-in': { phase: 'needed', revision: 1, settingsRevision: 1 } }, 'signed-out'],
    [
      'while it is unreachable',
      { ...house, 'home-assistant': { route: null, failure: 'ECONNREFUSED' } },
      'home-assistant-away',
    ],
    ['while it connects', { ...house, 'home-assistant': { route: null, failure: null } }, 'starting'],
  ])('%s are none', (_, contexts, why) => {
    const t = observed('home_assistant', contexts);
    t.begin();
    expect(t.last()).toEqual({ kind: 'none', why });
  });

  it('of another panel id, or after signing out, are found again', async () => {
    const t = observed('home_assistant', house);
    t.begin();
    t.say(area('a'));
    t.registry.put('identity', { panelId: 'attic' });
    await settled();
    expect(t.watches().at(-1)?.topics).toEqual([{ kind: 'area-presence', identifier: 'sconce_attic' }]);
    t.say(area('a'));
    t.say(states({ a: 'on' }));
    t.registry.put('sign-in', { phase: 'needed', revision: 2, settingsRevision: 1 });
    expect(t.last()).toEqual({ kind: 'none', why: 'signed-out' });
    t.registry.put('sign-in', { phase: 'signed-in', revision: 3, settingsRevision: 1 });
    expect(t.last()).toEqual({ kind: 'none', why: 'starting' });
  });

  it('that are watched anew at once keep the connection', async () => {
    const t = observed('home_assistant', house);
    const first = t.begin();
    await settled();
    t.say(area('a'));
    await settled();
    first.end();
    const second = t.begin([keyOf('a')]);
    await settled();
    expect(t.watches().map(({ topics }) => Array.isArray(topics) && topics.length)).toEqual([1, 2, 1]);
    t.say(area('a'));
    expect(t.last()).toEqual({ kind: 'none', why: 'all-excluded' });
    second.end();
    await settled();
    expect(t.watches().at(-1)?.topics).toEqual([]);
  });
});

describe('the panel’s own sensor', () => {
  const source = { driver: 'proximity.iio', name: 'x' };
  const calibration = { mode: 'binary', presence: { clear: 0, near: 1 }, wave: null, statuses: {}, at: 1 };
  const calibrated = { source, absence: null, calibrations: [{ source, calibration }], level: 5, near: false };
  const watching = { watching: { sensor: { present: 'idle' }, store: 'keeping' } };

  it('is one source, with each approach', () => {
    const t = observed('panel', {});
    t.registry.put('proximity', { ...calibrated, near: true }, watching);
    const watch = t.begin();
    for (const near of [false, true, true, false, null, true, false])
      t.registry.put('proximity', { ...calibrated, near }, watching);
    expect(t.feeds()).toEqual([['on'], ['off'], ['on'], ['off'], { kind: 'lost', why: 'no-sensor' }, ['on'], ['off']]);
    expect(t.last()).toMatchObject({ sources: [{ key: sha256('sconce presence panel proximity') }] });
    // Neither the first reading nor the first one after a loss is an approach.
    expect([t.approaches(), t.counts, watch.area()]).toEqual([1, [0], null]);
    watch.end();
    t.registry.put('proximity', { ...calibrated, near: true }, watching);
    expect([t.feeds().length, t.approaches(), t.registry.told]).toEqual([7, 1, []]);
  });

  it.each([
    ['is not there', undefined, watching, 'no-sensor'],
    ['was never found', { ...calibrated, source: null, absence: {} }, watching, 'no-sensor'],
    ['is being looked for', { ...calibrated, source: null }, watching, 'starting'],
    ['is not calibrated', { ...calibrated, calibrations: [] }, watching, 'not-calibrated'],
    [
      'knows waves alone',
      { ...calibrated, calibrations: [{ source, calibration: { ...calibration, presence: null } }] },
      watching,
      'not-calibrated',
    ],
    [
      'has another’s calibration',
      { ...calibrated, calibrations: [{ source: { ...source, name: 'y' }, calibration }] },
      watching,
      'not-calibrated',
    ],
    [
      'waits for its calibration',
      { ...calibrated, calibrations: [] },
      { watching: { sensor: { present: 'idle' }, store: 'recalling' } },
      'starting',
    ],
    [
      'is being calibrated',
      calibrated,
      { watching: { sensor: { present: 'calibrating' }, store: 'keeping' } },
      'starting',
    ],
  ])('%s', (_, context, state, why) => {
    const t = observed('panel', {});
    if (context !== undefined) t.registry.put('proximity', context, state);
    t.begin();
    expect(t.feeds()).toEqual([{ kind: 'none', why }]);
  });
});

describe('touches alone', () => {
  it('need nothing of anything', async () => {
    const t = observed('touch', house);
    const watch = t.begin();
    await settled();
    expect([t.feeds(), t.registry.told, t.listeners(), watch.area()]).toEqual([[{ kind: 'touch' }], [], 0, null]);
    watch.end();
  });
});

describe('the place and the entity that wakes', () => {
  it('are topics of the same watch', async () => {
    const t = observed('home_assistant', house);
    const watch = t.begin();
    const { place, entityOn } = sleepHome(t.heard);
    const ends = [place(() => {}), entityOn('input_boolean.wake', () => {})];
    await settled();
    expect(t.watches()).toEqual([
      {
        type: 'home-assistant.watch',
        watcher: 'auto-sleep',
        topics: [areaTopic, { kind: 'place' }, { kind: 'states', entityIds: ['input_boolean.wake'] }],
      },
    ]);
    expect(t.listeners()).toBe(1);
    watch.end();
    ends[0]?.();
    await settled();
    expect(t.watches().at(-1)?.topics).toEqual([{ kind: 'states', entityIds: ['input_boolean.wake'] }]);
    ends[1]?.();
    await settled();
    expect([t.watches().at(-1)?.topics, t.listeners()]).toEqual([[], 0]);
  });

  it('of the place each that differs is given', () => {
    const t = home(house);
    const found: unknown[] = [];
    const end = sleepHome(t.heard).place((place) => void found.push(place));
    const amsterdam = { latitude: 52.4, longitude: 4.9, timeZone: 'Europe/Amsterdam' };
    t.say({ kind: 'place', ...amsterdam });
    t.say({ kind: 'place', ...amsterdam });
    t.registry.put('home-assistant', { route: null, failure: 'closed' });
    t.say({ kind: 'place', ...amsterdam, timeZone: null });
    expect(found).toEqual([amsterdam, null]);
    end();
  });

  const wake = (t: ReturnType<typeof home>, state: string | null): void =>
    t.say({ kind: 'states', states: [{ entityId: 'input_boolean.wake', state }] });

  it('of the entity only from off to on on one connection', () => {
    const t = home(house);
    let count = 0;
    const end = sleepHome(t.heard).entityOn('input_boolean.wake', () => {
      count += 1;
    });
    const after = (...all: readonly (string | null)[]): number => {
      for (const state of all) wake(t, state);
      const now = count;
      count = 0;
      return now;
    };
    expect(after('on', 'on')).toBe(0);
    expect(after('off', 'off', 'on', 'on', 'off', 'on')).toBe(2);
    expect(after('off', 'unavailable', 'on')).toBe(0);
    expect(after('off', 'unknown', 'on', null, 'on')).toBe(0);
    wake(t, 'off');
    t.registry.put('home-assistant', { route: null, failure: 'closed' });
    t.registry.put('home-assistant', { route: { number: 2, family: 'ipv4' }, failure: null });
    expect(after('on')).toBe(0);
    wake(t, 'off');
    t.registry.put('home-assistant', undefined);
    t.registry.put('home-assistant', live);
    expect(after('on')).toBe(0);
    wake(t, 'off');
    t.say(states({ other: 'on' }));
    expect(after('on')).toBe(1);
    end();
    expect(after('off', 'on')).toBe(0);
  });
});

describe('lookups of automatic sleep', () => {
  const answering = (value: unknown, contexts: Readonly<Record<string, unknown>> = house) => {
    const registry = fakeRegistry(contexts);
    registry.answer = () => ({ ok: true, value }) as ReturnType<typeof registry.answer>;
    return { registry, home: sleepHome(registry) };
  };

  const lanes = [
    { key: 'k1', entityId: id('a') },
    { key: 'k2', entityId: id('b') },
  ];
  const recorded = (isCut = false): Reading => ({
    kind: 'state-history',
    entities: [
      {
        entityId: id('a'),
        states: ['off', 'on', 'unknown', 'unavailable', 'off'].map((state, at) => ({ state, at })),
      },
    ],
    isCut,
  });

  it('read the past of sources', async () => {
    const { registry, home: lookups } = answering({ ok: true, reading: recorded() });
    expect(await lookups.history(lanes, 1, 2)).toEqual({
      lanes: [
        {
          key: 'k1',
          states: [
            { at: 0, state: 'off' },
            { at: 1, state: 'on' },
            { at: 2, state: 'unavailable' },
            { at: 4, state: 'off' },
          ],
        },
        { key: 'k2', states: [] },
      ],
    });
    expect(registry.told[0]?.event).toEqual({
      type: 'home-assistant.read',
      topic: { kind: 'state-history', entityIds: [id('a'), id('b')], from: 1, to: 2 },
    });
  });

  it.each([
    ['history_limit', { ok: true, reading: recorded(true) }],
    ['history_parse', { ok: true, reading: area() }],
    ['history_auth', { ok: false, reason: 'signed-out' }],
    ['history_transport', { ok: false, reason: 'unreachable' }],
    ['history_transport', { ok: false, reason: 'busy' }],
    ['history_unavailable', { ok: false, reason: 'no-answer' }],
  ])('fail with %s', async (fault, value) => {
    expect(await answering(value).home.history(lanes, 1, 2)).toEqual({ fault });
  });

  it.each([
    ['history_transport', 'timeout'],
    ['runtime_unavailable', 'absent'],
    ['runtime_unavailable', 'ended'],
  ] as const)('fail with %s where the part is %s', async (fault, reason) => {
    const registry = fakeRegistry(house);
    registry.answer = () => ({ ok: false, reason });
    expect(await sleepHome(registry).history(lanes, 1, 2)).toEqual({ fault });
  });
});
