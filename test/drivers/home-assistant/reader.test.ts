import type { Connection } from 'home-assistant-js-websocket';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { reader } from '#drivers/home-assistant/reader.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

/** Longest wait for the answer to one command, and the first wait before a failed one is tried again. */
const ANSWER_MS = 10_000;
const FIRST_WAIT_MS = 5000;
/** Longest wait between two tries. */
const LONGEST_WAIT_MS = 300_000;
/** Shortest time between two reads that changes ask for. */
const READ_PAUSE_MS = 1000;

const areas = { kind: 'areas' } as const;
const lux = { kind: 'entity', entityId: 'sensor.lux' } as const;
const hall: Reading = { kind: 'areas', areas: [{ id: 'hall', name: 'Hall', floorId: null, labels: [] }] };
const bright = { a: { 'sensor.lux': { s: '12', a: {} } } };

type Subscription = { readonly event: (event: unknown) => void; readonly ended: () => boolean };
type Behaviour = 'answers' | 'refuses' | 'late';

/** A reader over a connection whose commands are answered, refused or, once they are `late`, answered by `release`. */
function start() {
  const readings: Reading[] = [];
  const subscriptions: Subscription[] = [];
  let waiting: (() => void)[] = [];
  let reads = 0;
  const does = {
    reads: 'answers' as Behaviour,
    subscriptions: 'answers' as Behaviour,
    /** Answers to commands by their type, in place of a list of areas. */
    results: {} as Readonly<Record<string, unknown>>,
  };
  const settled = <T>(behaviour: Behaviour, value: T): Promise<T> => {
    if (behaviour === 'refuses') return Promise.reject(new Error('refused'));
    return behaviour === 'answers'
      ? Promise.resolve(value)
      : new Promise((resolve) => waiting.push(() => resolve(value)));
  };
  const subscribe = (event: (event: unknown) => void) => {
    let ended = false;
    subscriptions.push({ event, ended: () => ended });
    return settled(does.subscriptions, () => {
      ended = true;
      return Promise.resolve();
    });
  };
  const connection = {
    sendMessagePromise: ({ type }: { readonly type: string }) => {
      reads += 1;
      return settled(does.reads, does.results[type] ?? [{ area_id: 'hall', name: 'Hall' }]);
    },
    subscribeEvents: subscribe,
    subscribeMessage: subscribe,
  };
  const topics = reader(
    // Of the library's connection it uses these three.
    connection as unknown as Connection,
    { guard: (fn) => fn, onReading: (reading) => void readings.push(reading), now: () => 0 },
  );
  return {
    ...topics,
    does,
    readings,
    subscriptions,
    reads: () => reads,
    release: () => {
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a watched list', () => {
  it.each([
    ['is refused', 'refuses', 0],
    ['has no answer in time', 'late', ANSWER_MS],
  ] as const)('whose first read %s is read again', async (_, behaviour, takesMs) => {
    const { watch, does, readings } = start();
    does.reads = behaviour;
    watch([areas]);
    await pass(takesMs);
    does.reads = 'answers';
    await pass(FIRST_WAIT_MS - 1);
    expect(readings).toEqual([]);
    await pass(1);
    expect(readings).toEqual([hall]);
    await pass(LONGEST_WAIT_MS);
    expect(readings).toHaveLength(1);
  });

  it('whose subscription is refused is subscribed to again, and read again with it', async () => {
    const { watch, does, readings, subscriptions } = start();
    does.subscriptions = 'refuses';
    watch([areas]);
    await pass(0);
    expect(readings).toHaveLength(1);
    does.subscriptions = 'answers';
    await pass(FIRST_WAIT_MS);
    expect([subscriptions.length, readings.length]).toEqual([2, 2]);
    subscriptions[1]!.event({});
    await pass(LONGEST_WAIT_MS);
    expect([subscriptions.length, readings.length]).toEqual([2, 3]);
  });

  it('that changes all the time is read once a second, and once more after the last change', async () => {
    const { watch, readings, subscriptions } = start();
    watch([areas]);
    await pass(0);
    for (let change = 0; change < 100; change += 1) {
      subscriptions[0]!.event({});
      await pass(50);
    }
    await pass(10 * READ_PAUSE_MS);
    // At the start, at the first change, after each of the five seconds.
    expect(readings).toHaveLength(7);
  });

  it('of presence sensors is read at most once in 5 s, however many changes come together', async () => {
    const { watch, does, readings, subscriptions } = start();
    does.results = { 'config/device_registry/list': [] };
    watch([{ kind: 'area-presence', identifier: 'sconce_hall' }]);
    await pass(0);
    expect(readings).toMatchObject([{ kind: 'area-presence', isKnown: false }]);
    expect(subscriptions).toHaveLength(3);
    for (let change = 0; change < 120; change += 1) {
      subscriptions[change % 3]!.event({});
      await pass(100);
    }
    expect(readings).toHaveLength(3);
    await pass(LONGEST_WAIT_MS);
    // Once more after the last change.
    expect(readings).toHaveLength(4);
    subscriptions[0]!.event({});
    await pass(0);
    expect(readings).toHaveLength(5);
    watch([]);
    await pass(0);
    expect([vi.getTimerCount(), subscriptions.every(({ ended }) => ended())]).toEqual([0, true]);
  });

  it('is tried less and less often, and at least every five minutes', async () => {
    const { watch, does, reads } = start();
    does.reads = 'refuses';
    watch([areas]);
    await pass(0);
    expect(reads()).toBe(1);
    for (const [at, wait] of [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000].entries()) {
      await pass(wait - 1);
      expect([at, reads()]).toEqual([at, at + 1]);
      await pass(1);
      expect([at, reads()]).toEqual([at, at + 2]);
    }
  });

  it('is let go also where its subscription is granted late, and is read no more', async () => {
    const { watch, does, subscriptions, reads, release } = start();
    does.subscriptions = 'late';
    watch([areas]);
    await pass(ANSWER_MS + 1);
    watch([]);
    expect(subscriptions[0]!.ended()).toBe(false);
    release();
    await pass(0);
    expect(subscriptions[0]!.ended()).toBe(true);
    subscriptions[0]!.event({});
    await pass(0);
    expect(reads()).toBe(1);
  });

  it('is tried no more once it is watched no longer, or the reader is stopped', async () => {
    for (const end of ['watch', 'stop'] as const) {
      const topics = start();
      topics.does.reads = 'refuses';
      topics.does.subscriptions = 'refuses';
      topics.watch([areas]);
      await pass(0);
      if (end === 'watch') topics.watch([]);
      else topics.stop();
      await pass(LONGEST_WAIT_MS);
      expect([end, topics.reads(), topics.subscriptions.length]).toEqual([end, 1, 1]);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('that nothing tells the changes of is read once, and again for somebody else', async () => {
    const { watch, renew, readings, subscriptions } = start();
    for (const kind of ['account', 'entity-ids', 'energy'] as const) {
      watch([{ kind }]);
      await pass(LONGEST_WAIT_MS);
      renew([{ kind }]);
      await pass(0);
    }
    expect(subscriptions).toEqual([]);
    // The answer is no user.
    expect(readings.map(({ kind }) => kind)).toEqual(['entity-ids', 'entity-ids', 'energy', 'energy']);
  });

  it('is read again for somebody else who watches it', async () => {
    const { watch, renew, readings, reads, subscriptions } = start();
    watch([areas]);
    await pass(0);
    watch([areas, lux]);
    renew([areas]);
    await pass(0);
    expect([readings, reads(), subscriptions.length]).toEqual([[hall, hall], 2, 2]);
  });
});

describe('a watched dashboard', () => {
  const panels = { hall: { component_name: 'lovelace' }, lovelace: { component_name: 'lovelace' } };
  const dashboards = (...paths: readonly string[]) => paths.map((path) => ({ kind: 'dashboard', path }) as const);
  const updated = (path: string | null) => ({ event_type: 'lovelace_updated', data: { url_path: path } });

  it('is read once at the start, and again after a change of its own or of the panels', async () => {
    const { watch, does, readings, subscriptions } = start();
    does.results = { get_panels: panels, 'lovelace/config': { views: [] } };
    watch(dashboards('hall'));
    await pass(0);
    expect(readings).toEqual([{ kind: 'dashboard', path: 'hall', origin: 'stored', configuration: { views: [] } }]);
    const [own, all] = subscriptions;
    for (const path of ['other', null, 'lovelace']) own!.event(updated(path));
    await pass(0);
    expect(readings).toHaveLength(1);
    own!.event(updated('hall'));
    await pass(0);
    all!.event({ event_type: 'panels_updated', data: {} });
    await pass(READ_PAUSE_MS);
    expect(readings).toHaveLength(3);
    watch([]);
    await pass(0);
    expect([own!.ended(), all!.ended(), subscriptions.length]).toEqual([true, true, 2]);
  });

  it('that is the first one is changed under either of its names', async () => {
    const { watch, does, readings, subscriptions } = start();
    does.results = { get_panels: panels, 'lovelace/config': {} };
    watch(dashboards('lovelace'));
    await pass(0);
    for (const path of [null, 'lovelace']) {
      subscriptions[0]!.event(updated(path));
      await pass(READ_PAUSE_MS);
    }
    subscriptions[0]!.event(updated('hall'));
    await pass(READ_PAUSE_MS);
    expect(readings).toHaveLength(3);
  });

  it('is watched beside others, each by its own path', async () => {
    const { watch, renew, does, readings } = start();
    does.results = { get_panels: panels, 'lovelace/config': {} };
    const paths = () => readings.splice(0).flatMap((reading) => (reading.kind === 'dashboard' ? [reading.path] : []));
    watch(dashboards('hall', 'lovelace'));
    await pass(0);
    expect(paths().toSorted()).toEqual(['hall', 'lovelace']);
    renew(dashboards('lovelace'));
    await pass(0);
    expect(paths()).toEqual(['lovelace']);
  });
});

describe('a watched entity', () => {
  it('whose subscription is refused is subscribed to again', async () => {
    const { watch, does, readings, subscriptions } = start();
    does.subscriptions = 'refuses';
    watch([lux]);
    await pass(0);
    does.subscriptions = 'answers';
    await pass(FIRST_WAIT_MS);
    expect(subscriptions).toHaveLength(2);
    subscriptions[1]!.event(bright);
    expect(readings).toMatchObject([{ state: '12' }]);
  });

  it('is told to somebody else as it is known, once it is', async () => {
    const { watch, renew, readings, subscriptions } = start();
    watch([lux]);
    await pass(0);
    renew([lux]);
    expect(readings).toEqual([]);
    subscriptions[0]!.event(bright);
    renew([lux]);
    expect(readings).toMatchObject([{ state: '12' }, { state: '12' }]);
    expect(subscriptions).toHaveLength(1);
  });

  it('that was read once is let go, also where that was granted late', async () => {
    const { read, does, subscriptions, release } = start();
    does.subscriptions = 'late';
    const answer = read(lux);
    await pass(ANSWER_MS);
    expect(await answer).toBeNull();
    release();
    await pass(0);
    expect(subscriptions[0]!.ended()).toBe(true);
  });
});
