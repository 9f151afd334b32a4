import { describe, expect, it } from 'vitest';

import { initialFacts } from '#machines/home-assistant/facts.ts';
import type { EarlyAnswer } from '#machines/http/events.ts';
import { createApp } from '#routes/app.ts';
import { earlyHealth } from '#routes/health.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const paths = ['/health', '/api/v1/health'];
const unknown = { known: () => null, whenKnown: async () => false };

/** The parts of an answer that its headers and text are. */
const partsOf = ({ status, head, text }: EarlyAnswer): unknown => [
  status,
  Object.fromEntries(Array.from({ length: head.length / 2 }, (_, index) => head.slice(2 * index, 2 * index + 2))),
  text,
];
async function routed(deps: ReturnType<typeof fakeDeps>, path: string): Promise<unknown> {
  const response = await createApp(deps).fetch(new Request(`http://panel.invalid${path}`), {});
  return [response.status, Object.fromEntries(response.headers), await response.text()];
}

describe('the health line before the routes', () => {
  it.each(paths)('is what the route at %s answers', async (path) => {
    const deps = fakeDeps({ elapsed: () => 5000 });
    const early = await earlyHealth(deps)('GET', path);
    expect(early).not.toBeNull();
    expect(early && partsOf(early)).toEqual(await routed(deps, path));
  });

  it.each(paths)('is refused as the route at %s refuses where a start takes too long', async (path) => {
    const deps = fakeDeps({ base: unknown });
    const early = await earlyHealth(deps)('GET', path);
    expect(early && partsOf(early)).toEqual(await routed(deps, path));
    expect(early?.status).toBe(503);
  });

  it('waits for the start', async () => {
    const { base } = fakeDeps();
    let known = false;
    const deps = fakeDeps({
      base: { known: () => (known ? base.known() : null), whenKnown: async () => (known = true) },
    });
    expect(await earlyHealth(deps)('GET', '/health')).toMatchObject({ status: 200 });
  });

  it.each([
    ['HEAD', '/health'],
    ['POST', '/health'],
    ['GET', '/health/'],
    ['GET', '/'],
  ])('leaves %s %s to the routes', (method, path) => expect(earlyHealth(fakeDeps())(method, path)).toBeNull());
});

describe('a line that is given out again', () => {
  const answered = { ...initialFacts({ settleMs: 0 }), established: true, lastAnsweredAt: 1000, lastProbedAt: 1000 };
  const live = { running: { link: { held: { attempting: 'live' } } } };
  const serving = () => {
    const clock = { now: 2000 };
    const deps = fakeDeps({ elapsed: () => clock.now }, { ...settledFacts(), 'home-assistant': answered });
    deps.registry.put('home-assistant', answered, live);
    const early = earlyHealth(deps);
    return { clock, deps, line: async () => (await early('GET', '/health'))?.text };
  };

  it('is as old as 100 ms at most', async () => {
    const { clock, line } = serving();
    const first = await line();
    clock.now += 99;
    expect(await line()).toBe(first);
    clock.now += 1;
    expect(await line()).not.toBe(first);
  });

  it('is not given out once the network was measured again', async () => {
    const { deps, line } = serving();
    const first = await line();
    deps.registry.put('home-assistant', { ...answered, lastAnsweredAt: 1500 }, live);
    expect(await line()).not.toBe(first);
  });
});
