import type { Connection } from 'home-assistant-js-websocket';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { trafficSampler } from '#drivers/home-assistant/traffic-sampler.ts';
import type { TrafficSample } from '#machines/home-assistant/events.ts';

/** Longest wait for the first states. */
const ANSWER_MS = 10_000;

/** A sampler over a connection that grants its subscriptions, or refuses them. */
function start(grants: 'granted' | 'refused' | 'silent' = 'granted') {
  const asked: unknown[] = [];
  let hear = (): void => {};
  let ended = 0;
  let bytes = 0;
  const connection = {
    subscribeMessage: (heard: () => void, message: unknown) => {
      asked.push(message);
      hear = heard;
      if (grants === 'silent') return new Promise(() => {});
      if (grants === 'refused') return Promise.reject(new Error('refused'));
      return Promise.resolve(() => {
        ended += 1;
        return Promise.resolve();
      });
    },
  };
  const sampler = trafficSampler(
    // Of the library's connection it uses this one.
    connection as unknown as Connection,
    { guard: (fn) => fn, messageBytes: () => bytes, elapsed: () => Date.now() },
  );
  return {
    ...sampler,
    asked,
    ended: () => ended,
    /** Messages of so many bytes come. */
    come: (...sizes: readonly number[]) => {
      for (const size of sizes) {
        bytes = size;
        hear();
      }
    },
  };
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
/** What a sample came to, once it did. */
function outcome(sampled: Promise<TrafficSample | null>) {
  const seen: (TrafficSample | null)[] = [];
  void sampled.then((sample) => seen.push(sample));
  return seen;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a sample of what Home Assistant sends', () => {
  it('counts messages and their bytes from the first one, which holds all states, for as long as it was asked', async () => {
    const { sample, come, asked, ended } = start();
    const seen = outcome(sample({ entityIds: ['light.one'], ms: 5000 }));
    await pass(3000);
    come(4000);
    await pass(4999);
    come(100, 20);
    expect(seen).toEqual([]);
    await pass(1);
    expect(seen).toEqual([{ frames: 2, bytes: 120, ms: 5000 }]);
    come(7);
    expect([seen.length, ended(), asked]).toEqual([1, 1, [{ type: 'subscribe_entities', entity_ids: ['light.one'] }]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of all entities names none', async () => {
    const { sample, asked } = start();
    void sample({ entityIds: null, ms: 1 });
    expect(asked).toEqual([{ type: 'subscribe_entities' }]);
  });

  it('of no entity is nothing, and not asked for: an empty list means all', async () => {
    const { sample, asked } = start();
    expect([await sample({ entityIds: [], ms: 700 }), asked]).toEqual([{ frames: 0, bytes: 0, ms: 700 }, []]);
  });

  it('takes no longer than 30 s', async () => {
    const { sample, come } = start();
    const seen = outcome(sample({ entityIds: null, ms: 90_000 }));
    come(1);
    await pass(30_000);
    expect(seen).toEqual([{ frames: 0, bytes: 0, ms: 30_000 }]);
  });

  it('is one at a time', async () => {
    const { sample, come, asked } = start();
    const first = outcome(sample({ entityIds: null, ms: 1000 }));
    expect(await sample({ entityIds: null, ms: 1000 })).toBeNull();
    come(1);
    await pass(1000);
    expect([first.length, asked.length]).toEqual([1, 1]);
    void sample({ entityIds: null, ms: 1000 });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, Parameters<typeof start>[0], number]>([
    ['is refused', 'refused', 0],
    ['begins in no time', 'silent', ANSWER_MS],
  ])('that %s is none, and the next one is made', async (_, grants, takesMs) => {
    const { sample, asked } = start(grants);
    const seen = outcome(sample({ entityIds: null, ms: 1000 }));
    await pass(takesMs);
    expect(seen).toEqual([null]);
    expect(vi.getTimerCount()).toBe(0);
    void sample({ entityIds: null, ms: 1000 });
    expect(asked).toHaveLength(2);
  });

  it('ends without a result when the connection does', async () => {
    const { sample, come, stop } = start();
    const seen = outcome(sample({ entityIds: null, ms: 1000 }));
    come(1, 2);
    stop();
    await pass(0);
    expect(seen).toEqual([null]);
    expect(vi.getTimerCount()).toBe(0);
    stop();
  });
});
