import { describe, expect, it, test, vi } from 'vitest';
import { followBase } from '#actors/kit/base-facts.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const trio = ['settings', 'identity', 'active-profile'] as const;

/** An application whose settings, identity and profile are not there yet. */
function startingApp() {
  const facts = settledFacts();
  const deps = fakeDeps();
  for (const id of trio) deps.registry.put(id, undefined);
  const { clock, pass } = createClock();
  const base = followBase(deps.registry, {
    setTimeout: (fn, ms) => clock.setTimeout(fn, ms),
    // Made by the function above.
    clearTimeout: (id) => clock.clearTimeout(id as number),
  });
  const app = createApp({ ...deps, base });
  const get = (path: string, method = 'GET') => {
    const state: { response: Response | null } = { response: null };
    void Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, { method }), {})).then(
      (response) => (state.response = response),
    );
    return state;
  };
  const comeUp = (): void => {
    for (const id of trio) deps.registry.put(id, facts[id]);
  };
  return { app, get, pass, comeUp, put: deps.registry.put };
}

/** All but those that refuse before anything else, as they do at any time. */
const routes = createApp(fakeDeps())
  .table.filter(({ admit }) => admit === undefined)
  .map(({ method, path }) => [method.toUpperCase(), path] as const);

describe('while the agent starts', () => {
  it.each(routes)('%s %s waits two seconds and then says restarting', async (method, path) => {
    const { get, pass } = startingApp();
    const asked = get(path.replace(/\{\w+\}/g, 'something'), method);
    pass(1990);
    await settle();
    expect(asked.response).toBeNull();
    pass(10);
    await settle();
    expect(asked.response?.status).toBe(503);
    expect(asked.response?.headers.get('retry-after')).toBe('5');
    expect(Problem().parse(await asked.response?.json()).error).toBe('restarting');
  });

  test('a health check is answered as soon as the base is up', async () => {
    const { get, pass, comeUp } = startingApp();
    const asked = get('/health');
    pass(500);
    comeUp();
    await settle();
    expect(await asked.response?.text()).toBe('sconce 0.1.0 panel=hall_panel build=abcdef01 cfg=1a2b3c4d\n');
  });

  test('a stopping agent refuses at once', async () => {
    const base = followBase(fakeRegistry({}));
    const app = createApp({ ...fakeDeps(), base, stopping: () => true });
    const response = await app.fetch(new Request('http://panel.invalid/api/v1/play', { method: 'POST' }), {});
    expect(Problem().parse(await response.json()).error).toBe('stopping');
  });
});

describe('after the start', () => {
  it.each(trio)('a health check is answered at once with what was known while %s starts again', async (id) => {
    const { get, comeUp, put } = startingApp();
    comeUp();
    put(id, undefined);
    const asked = get('/health');
    await settle();
    expect(await asked.response?.text()).toBe('sconce 0.1.0 panel=hall_panel build=abcdef01 cfg=1a2b3c4d\n');
  });

  test('it tells what changed', async () => {
    const { get, comeUp, put } = startingApp();
    comeUp();
    put('identity', { panelId: 'kitchen' });
    const asked = get('/api/v1/health');
    await settle();
    expect(await asked.response?.text()).toContain('panel=kitchen ');
  });
});

describe('while the parts that come after the pages are started', () => {
  const partial = () => {
    const deps = fakeDeps();
    const facts: Readonly<Record<string, unknown>> = {
      ...settledFacts(),
      camera: {
        scan: { found: 'devices', count: 1, refused: 0, chosen: 'cam' },
        user: null,
        isEnabled: true,
        session: null,
      },
    };
    for (const id of ['renderer', 'announcer', 'camera']) deps.registry.put(id, undefined);
    let isStarted = false;
    let bound: number | null = null;
    let start = (): void => {};
    const app = createApp({
      ...deps,
      parts: {
        areStarted: () => isStarted,
        whenStarted: (boundMs) => {
          bound = boundMs;
          return new Promise((resolve) => (start = resolve));
        },
      },
    });
    return {
      ask: async (path: string, init?: RequestInit) => app.fetch(new Request(`http://panel.invalid${path}`, init), {}),
      comeUp: () => {
        for (const id of ['renderer', 'announcer', 'camera']) deps.registry.put(id, facts[id]);
        isStarted = true;
        start();
      },
      /** What the parts are to go on without. */
      giveUp: () => start(),
      bound: () => bound,
    };
  };
  const reload = { method: 'POST', body: 'a=reload', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

  it('a command waits for them, and is carried out', async () => {
    const { ask, comeUp, bound } = partial();
    const asked = ask('/api/v1/action', reload);
    await settle();
    expect(bound()).toBe(2000);
    comeUp();
    expect((await asked).status).toBe(202);
  });

  it('a command is refused once the bound has passed', async () => {
    const { ask, giveUp } = partial();
    const asked = ask('/api/v1/action', reload);
    await settle();
    giveUp();
    expect(Problem().parse(await (await asked).json()).error).toBe('restarting');
  });

  it('the camera is not said to be absent before it was looked for', async () => {
    const { ask, comeUp } = partial();
    const asked = ask('/api/v1/camera/status');
    await settle();
    comeUp();
    expect(await (await asked).json()).toMatchObject({ state: 'idle' });
  });

  it.each(['/api/v1/status', '/health', '/'])('%s waits for none', async (path) => {
    const { ask, bound } = partial();
    expect((await ask(path)).status).toBe(200);
    expect(bound()).toBeNull();
  });
});

test.each([
  ['/history', true],
  ['/more', true],
  ['/configure/mqtt', true],
  ['/', false],
])('the page %s waits for the parts that start last: %s', async (path, waits) => {
  let start: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const app = createApp({ ...fakeDeps(), parts: { areStarted: () => false, whenStarted: () => started } });
  let status = 0;
  void Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`), {})).then((response) => {
    ({ status } = response);
  });
  await settle();
  expect(status).toBe(waits ? 0 : 200);
  start();
  // What draws the page is loaded then.
  await vi.waitFor(() => expect(status).toBe(200));
});
