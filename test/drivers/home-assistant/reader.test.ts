import type { Connection } from 'home-assistant-js-websocket';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { reader } from '#drivers/home-assistant/reader.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

/** Longest wait for the answer to one command, and the first wait before a failed one is tried again. */
const ANSWER_MS = 10_000;
const FIRST_WAIT_MS = 5000;
/** Longest wait between two tries. */
const LONGEST_WAIT_MS = 300_000;

const areas = { kind: 'areas' } as const;
const lux = { kind: 'entity', entityId: 'sensor.lux' } as const;
const hall: Reading = { kind: 'areas', areas: [{ id: 'hall', name: 'Hall' }] };
const bright = { a: { 'sensor.lux': { s: '12', a: {} } } };

type Subscription = { readonly event: (event: unknown) => void; readonly ended: () => boolean };
type Behaviour = 'answers' | 'refuses' | 'late';

/** A reader over a connection whose commands are answered, refused or, once they are `late`, answered by `release`. */
const start = () => {
  const readings: Reading[] = [];
  const subscriptions: Subscription[] = [];
  let waiting: (() => void)[] = [];
  let reads = 0;
  const does = { reads: 'answers' as Behaviour, subscriptions: 'answers' as Behaviour };
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
    sendMessagePromise: () => {
      reads += 1;
      return settled(does.reads, [{ area_id: 'hall', name: 'Hall' }]);
    },
    subscribeEvents: subscribe,
    subscribeMessage: subscribe,
  };
  const topics = reader(
    // Of the library's connection it uses these three.
    connection as unknown as Connection,
    { guard: (fn) => fn, onReading: (reading) => void readings.push(reading) },
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
};
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
