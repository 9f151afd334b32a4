import { describe, expect, it } from 'vitest';

import { until, type UntilOutcome } from '#actors/kit/until.ts';
import type { HttpContext } from '#machines/http/events.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const closed: HttpContext = { port: -1, wantedPort: 80, family: null, failure: null, attempt: 0 };
const open: HttpContext = { ...closed, port: 80 };

function run(first: HttpContext | undefined, boundMs: number | null = 1000, signal?: AbortSignal) {
  const registry = fakeRegistry(first === undefined ? {} : { http: first });
  const { clock, pass } = createClock();
  let followers = 0;
  let timers = 0;
  const follow: typeof registry.follow = (...args) => {
    followers += 1;
    const end = registry.follow(...args);
    return () => {
      followers -= 1;
      end();
    };
  };
  const outcomes: UntilOutcome<HttpContext>[] = [];
  void until({ follow }, 'http', ({ context }) => context.port > 0, boundMs, {
    ...(signal === undefined ? {} : { signal }),
    timers: {
      setTimeout: (fn, ms) => {
        timers += 1;
        return clock.setTimeout(fn, ms);
      },
      // Made by the function above.
      clearTimeout: (id) => clock.clearTimeout(id as number),
    },
  }).then((outcome) => outcomes.push(outcome));
  return { put: registry.put, pass, outcomes, followers: () => followers, timers: () => timers };
}

describe('until', () => {
  it('answers at once where it is already true', async () => {
    const one = run(open);
    await settle();
    expect(one.outcomes).toEqual([{ ok: true, value: { value: 'active', context: open } }]);
    expect(one.followers()).toBe(0);
  });

  it('waits for it, also for an actor that is absent', async () => {
    const one = run(undefined);
    one.put('http', closed);
    await settle();
    expect(one.outcomes).toEqual([]);
    one.put('http', open);
    one.put('http', closed);
    await settle();
    expect(one.outcomes).toMatchObject([{ ok: true, value: { context: open } }]);
    expect(one.followers()).toBe(0);
  });

  it('says that the bound passed, and follows no more', async () => {
    const one = run(closed);
    one.pass(990);
    await settle();
    expect(one.outcomes).toEqual([]);
    one.pass(10);
    await settle();
    one.put('http', open);
    await settle();
    expect(one.outcomes).toEqual([{ ok: false, reason: 'timeout' }]);
    expect(one.followers()).toBe(0);
  });

  it('waits for as long as it takes without a bound', async () => {
    const one = run(closed, null);
    one.pass(100_000, 1000);
    one.put('http', open);
    await settle();
    expect(one.outcomes).toMatchObject([{ ok: true }]);
    expect(one.timers()).toBe(0);
  });

  it.each([
    ['while it waits', false],
    ['before it began', true],
  ])('is ended by its signal %s, and follows no more', async (_, early) => {
    const ending = new AbortController();
    if (early) ending.abort();
    const one = run(closed, null, ending.signal);
    ending.abort();
    await settle();
    one.put('http', open);
    await settle();
    expect(one.outcomes).toEqual([{ ok: false, reason: 'ended' }]);
    expect(one.followers()).toBe(0);
  });
});
