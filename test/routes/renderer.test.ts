import { describe, expect, test } from 'vitest';

import type { RendererPhase } from '#machines/renderer/events.ts';
import type { RendererFacts } from '#machines/renderer/facts.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { depsIn } from '#test/fakes/renderer.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const call = (deps: ReturnType<typeof fakeDeps>, path: string, body?: unknown): Promise<Response> =>
  Promise.resolve(
    createApp(deps).fetch(
      new Request(
        `http://panel.invalid${path}`,
        body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      ),
      {},
    ),
  );

describe('GET /api/v1/screenshot.png', () => {
  test('is guarded like a write', () =>
    expect(createApp(fakeDeps()).isActiveGet('/api/v1/screenshot.png', '')).toBe(true));

  test.each([
    [{ ok: true, value: { ok: false, reason: 'no-answer' } }, 'screenshot-unavailable'],
    [{ ok: false, reason: 'timeout' }, 'screenshot-unavailable'],
    [{ ok: false, reason: 'ended' }, 'restarting'],
  ] as const)('%j is 503 %s', async (outcome, code) => {
    const deps = fakeDeps();
    deps.registry.answer = () => outcome;
    const response = await call(deps, '/api/v1/screenshot.png');
    expect(response.status).toBe(503);
    expect(Problem().parse(await response.json()).error).toBe(code);
  });

  test('is 409 with the reason where nothing is shown', async () => {
    const response = await call(depsIn('off'), '/api/v1/screenshot.png');
    expect(response.status).toBe(409);
    expect(Problem().parse(await response.json())).toMatchObject({
      error: 'not-here',
      message: expect.stringContaining('started without'),
    });
  });
});

describe('the verbs of the dashboard', () => {
  test.each([
    [{ a: 'home' }, { type: 'renderer.home', origin: 'http' }],
    [{ a: 'reload' }, { type: 'renderer.reload', origin: 'http' }],
    [
      { a: 'navigate', path: '/lovelace/1' },
      { type: 'renderer.navigate', path: '/lovelace/1', origin: 'http' },
    ],
  ])('%j is handed over', async (body, event) => {
    const deps = fakeDeps();
    const response = await call(deps, '/api/v1/action', body);
    expect(response.status).toBe(202);
    expect(deps.registry.told).toContainEqual({ id: 'renderer', event });
  });

  test('are refused where no browser runs', async () => {
    const response = await call(depsIn('not-installed'), '/api/v1/action', { a: 'home' });
    expect(response.status).toBe(409);
  });
});

describe('POST /api/v1/dashboard/clear-storage', () => {
  const path = '/api/v1/dashboard/clear-storage';
  const { desired } = settledFacts()['renderer'] as RendererFacts;

  test.each(['showing', 'waiting', 'starting', 'recovering'] as const)(
    'is handed over while it is %s',
    async (phase) => {
      const deps = depsIn(phase);
      const response = await call(deps, path, {});
      expect([response.status, await response.json()]).toEqual([202, { ok: true, status: 'started' }]);
      expect(deps.registry.told).toContainEqual({ id: 'renderer', event: { type: 'renderer.clear-storage' } });
    },
  );

  test.each([
    ['off', {}, 'started without'],
    ['not-installed', {}, 'Chromium is not installed'],
    ['showing', { mode: 'external' }, 'Another program'],
    ['waiting', { desired: { ...desired, origin: null } }, 'the address of Home Assistant is not set'],
  ] as const)('is 409 while it is %s, %j', async (phase, change, words) => {
    // The rows of the table are parts of the renderer's facts.
    const deps = depsIn(phase, change as Partial<RendererFacts>);
    const response = await call(deps, path, {});
    expect(response.status).toBe(409);
    expect(Problem().parse(await response.json())).toMatchObject({
      error: 'not-here',
      message: expect.stringContaining(words),
    });
    expect(deps.registry.told).toEqual([]);
  });

  test('is 503 while the renderer restarts', async () => {
    const deps = fakeDeps();
    deps.registry.put('renderer', undefined);
    const response = await call(deps, path, {});
    expect(response.status).toBe(503);
  });
});

describe('the renderer in the status', () => {
  test('says what stands for home, why, and until when', async () => {
    const fallback = { page: 'start', since: 1_700_000_000_000, reason: 'hung', trigger: null } as const;
    const text = await (await call(depsIn('showing', { fallback }), '/api/v1/status')).text();
    expect(JSON.parse(text)).toMatchObject({
      renderer: {
        fallback: { page: 'start', reason: 'hung', since: 1_700_000_000_000, retry_at: 1_700_003_600_000 },
      },
    });
  });

  test('holds neither address nor path', async () => {
    const text = await (await call(fakeDeps(), '/api/v1/status')).text();
    expect(JSON.parse(text)).toMatchObject({
      renderer: {
        mode: 'builtin',
        state: 'rendered',
        outcome: 'ok',
        transport: 'http',
        glass: 'dashboard',
        place: 'dashboard',
      },
    });
    expect(text).not.toContain('marker');
  });
});

describe('/glass', () => {
  const at = 1_700_000_000_000;
  test.each([
    [
      'address',
      { phase: 'waiting', desired: { ...(settledFacts()['renderer'] as RendererFacts).desired, origin: null } },
      'Welcome',
      'qr.svg',
    ],
    [
      'sign-in',
      { phase: 'waiting', credential: { phase: 'needed', method: null, revision: 1 } },
      'Sign in to Home Assistant',
      'href="/sign-in"',
    ],
    [
      'refused',
      { phase: 'waiting', credential: { phase: 'refused', method: 'oauth', revision: 1 } },
      'Sign in again',
      '192.0.2.7</span><span>:8888</span><span>/sign-in</span>',
    ],
    [
      'away',
      { phase: 'waiting', unreachable: { since: at, reason: 'timeout' } },
      'Home Assistant isn’t responding',
      'it does not answer',
    ],
    [
      'fails',
      { phase: 'waiting', fallback: { page: 'calm', since: at, reason: 'hung', trigger: null } },
      'keeps failing',
      'hung each time.</p>',
    ],
    [
      'fails',
      { phase: 'waiting', fallback: { page: 'calm', since: at, reason: 'exited', trigger: null } },
      'data-try-again',
      `<time datetime="${new Date(at + 3_600_000).toISOString()}">`,
    ],
    ['starting', { phase: 'loading' }, 'One moment', 'on its way'],
    ['shown', { phase: 'showing', rendered: true }, 'The dashboard is on the screen', 'Open the status page'],
    ['own_pages', { phase: 'settings' }, 'own pages are on the screen', 'Open the status page'],
    [
      'trouble',
      { phase: 'recovering', at, restarts: Array.from({ length: 5 }, () => ({ reason: 'killed', at })) },
      'cannot be shown',
      'The browser keeps failing.',
    ],
  ] as const)('%s', async (state, { phase, ...change }, title, more) => {
    // The rows of the table are parts of the renderer's facts.
    const response = await call(depsIn(phase, change as Partial<RendererFacts>), '/glass');
    const page = await response.text();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(page).toContain(`class="glass glass-${state}"`);
    expect(page).toContain(title);
    expect(page).toContain(more);
    expect(page).not.toContain('marker');
  });

  test('leads to the setup while that is due', async () => {
    const { desired } = settledFacts()['renderer'] as RendererFacts;
    // A part of the renderer's facts.
    const deps = depsIn('waiting', { desired: { ...desired, origin: null } } as Partial<RendererFacts>);
    const step = { stage: 'broker', status: 'needs_you', blocking: true, detail: '' };
    const setup = { answers: {}, reachedAt: null, steps: [step], seen: null };
    deps.registry.put('setup', setup);
    const page = await (await call(deps, '/glass')).text();
    expect(page).toContain('192.0.2.7</span><span>:8888</span><span>/setup</span>');
    expect(page).toContain('qr.svg?page=setup"');
    expect(page).toContain('href="/setup"');
  });
});

describe('the way back on the panel’s own screen', () => {
  const open = (path: string, peer: string, phase: RendererPhase, cookie = ''): Promise<Response> =>
    Promise.resolve(
      createApp(depsIn(phase)).fetch(
        new Request(`http://panel.invalid${path}`, cookie === '' ? {} : { headers: { cookie } }),
        { peer },
      ),
    );
  const kept = 'other=1; sconce_glass=1';

  test.each([
    ['/?on=glass', '127.0.0.1', 'settings', '', 'Back to the dashboard'],
    ['/configure', '::1', 'settings', kept, 'Back to the dashboard'],
    ['/sign-in', '127.0.0.1', 'waiting', kept, 'way-back'],
    ['/no-such-page', '127.0.0.1', 'settings', kept, 'Back to the dashboard'],
  ] as const)('%s from %s in phase %s with cookie "%s" has it', async (path, peer, phase, cookie, words) => {
    const response = await (path === '/no-such-page'
      ? createApp(depsIn(phase)).fetch(
          new Request(`http://panel.invalid${path}`, { headers: { cookie, accept: 'text/html' } }),
          { peer },
        )
      : open(path, peer, phase, cookie));
    expect(await response.text()).toContain(words);
    expect(response.headers.get('set-cookie')).toBe('sconce_glass=1; Path=/; HttpOnly; SameSite=Lax');
  });

  test.each([
    ['/?on=glass', '192.0.2.9', ''],
    ['/configure', '192.0.2.9', kept],
    ['/', '127.0.0.1', ''],
    ['/', '127.0.0.1', 'sconce_glass=10'],
  ])('%s from %s with cookie "%s" has none', async (path, peer, cookie) => {
    const response = await open(path, peer, 'settings', cookie);
    expect(await response.text()).not.toContain('way-back');
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('leads to a page that asks for the dashboard, on the screen alone', async () => {
    expect(await (await open('/glass?on=glass', '127.0.0.1', 'settings')).text()).toContain('data-leads');
    expect(await (await open('/glass?on=glass', '127.0.0.1', 'waiting')).text()).not.toContain('data-leads');
    expect(await (await open('/glass', '192.0.2.9', 'settings', kept)).text()).not.toContain('data-leads');
  });
});
