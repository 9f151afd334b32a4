import { describe, expect, test } from 'vitest';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { CallbackOutcome, SignInContext, StartRefusal } from '#machines/sign-in/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem, problemStatus } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

function withAddress(address: string, more: Partial<SignInContext> = {}): Record<string, unknown> {
  const facts = settledFacts() as { settings: { values: Record<string, unknown> }; 'sign-in': SignInContext };
  return {
    ...facts,
    settings: { ...facts.settings, values: { ...facts.settings.values, ha_url: address } },
    'sign-in': { ...facts['sign-in'], ...more },
  };
}

const home = 'http://192.168.1.20:8123';

/** The application over fixed facts, called as from a browser at `host`. */
function over(
  facts: Record<string, unknown>,
  answer: (event: { readonly type: string }) => AskOutcome<unknown> = () => ({ ok: false, reason: 'timeout' }),
  host: string | null = '192.168.1.40:8888',
  peer = '192.168.1.77',
) {
  const deps = fakeDeps({}, facts);
  deps.registry.answer = (_, event) => answer(event);
  const app = createApp(deps);
  const bindings = { peer, incoming: { rawHeaders: host === null ? [] : ['Host', host] } };
  const call = (path: string, init?: RequestInit): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, init), bindings));
  const post = (path: string, body: string, type: string): Promise<Response> =>
    call(path, { method: 'POST', headers: { 'content-type': type }, body });
  return { call, post, told: deps.registry.told };
}

const started = {
  ok: true,
  value: { status: 'started', authorizationUrl: `${home}/auth/authorize?x=1`, expiresAt: 5 },
} as const;

describe('start', () => {
  test.each([
    ['{"ha_url":"http://ha.local:8123"}', 'application/json', 'http://ha.local:8123'],
    ['ha_url=http%3A%2F%2Fha.local%3A8123', 'application/x-www-form-urlencoded', 'http://ha.local:8123'],
    ['{}', 'application/json', null],
    ['', 'application/x-www-form-urlencoded', null],
    ['ha_url=', 'application/x-www-form-urlencoded', null],
  ])('%s as %s', async (body, type, haUrl) => {
    const { post, told } = over(withAddress(home), () => started);
    const response = await post('/api/v1/ha/oauth/start', body, type);
    expect(await response.json()).toEqual({ ok: true, authorization_url: `${home}/auth/authorize?x=1`, expires_at: 5 });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(told.at(-1)).toMatchObject({
      id: 'sign-in',
      event: { type: 'sign-in.start', panelOrigin: 'http://192.168.1.40:8888', haUrl, onDevice: false },
    });
  });

  test.each<StartRefusal>([
    'no-address',
    'bad-address',
    'bad-origin',
    'origin-refused-by-platform',
    'address-loops-back',
    'probe-replaced',
    'commit-failed',
    'operation-busy',
  ])('says %s as it is', async (code) => {
    const { post } = over(withAddress(home), () => ({
      ok: true,
      value: { status: 'refused', code, message: 'Why, and what to do.' },
    }));
    const response = await post('/api/v1/ha/oauth/start', '{}', 'application/json');
    expect(response.status).toBe(problemStatus(code));
    expect(Problem().parse(await response.json())).toMatchObject({ error: code, message: 'Why, and what to do.' });
  });

  test.each([null, 'a b', '192.168.1.40:0', 'user@192.168.1.40'])(
    'takes the panel’s address from the Host alone: %j is refused',
    async (host) => {
      const { post, told } = over(withAddress(home), () => started, host);
      const response = await post('/api/v1/ha/oauth/start', '{}', 'application/json');
      expect(Problem().parse(await response.json()).error).toBe('bad-origin');
      expect(told).toEqual([]);
    },
  );

  test.each(['{"ha_url":7}', '{"other":1}', '[]', '{'])('refuses the body %s', async (body) => {
    const { post } = over(withAddress(home), () => started);
    const response = await post('/api/v1/ha/oauth/start', body, 'application/json');
    expect(Problem().parse(await response.json()).error).toBe('invalid-body');
  });
});

describe('callback', () => {
  const path = '/api/v1/ha/oauth/callback';

  test.each([
    [400, 'GET', '?state=a&state=b'],
    [400, 'GET', '?state=a'],
    [400, 'HEAD', '?state=a&state=b'],
    [200, 'HEAD', '?state=a&code=b'],
    [405, 'POST', '?state=a&code=b'],
    [405, 'PUT', '?state=a&code=b'],
    [503, 'GET', '?state=a&code=b'],
  ])('tells nobody its address in a %i of %s %s', async (status, method, query) => {
    const { 'sign-in': signIn, ...others } = withAddress(home);
    const { call } = over(status === 503 ? others : { ...others, 'sign-in': signIn }, () => ({
      ok: true,
      value: { outcome: 'invalid' },
    }));
    const response = await call(`${path}${query}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each([
    [308, 'GET', '/ha/oauth/callback?state=a&code=b'],
    [308, 'HEAD', '/ha/oauth/callback?state=a&code=b'],
    [308, 'POST', '/ha/oauth/callback?state=a&code=b'],
    [404, 'GET', '/ha/oauth/callback/?state=a&code=b'],
    [404, 'GET', '/ha/oauth/callback/more?state=a&code=b'],
    [404, 'GET', '/api/v1/ha/oauth/callback/?state=a&code=b'],
    [404, 'GET', '/api/v1/ha/oauth/callback/more?state=a&code=b'],
  ])('tells nobody its address in a %i of %s %s, beside its own path', async (status, method, place) => {
    const { call, told } = over(withAddress(home), () => ({ ok: true, value: { outcome: 'invalid' } }));
    const response = await call(place, { method });
    expect([response.status, told]).toEqual([status, []]);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('uses no code up for HEAD', async () => {
    const { call, told } = over(withAddress(home), () => ({ ok: true, value: { outcome: 'signed-in' } }));
    const response = await call(`${path}?state=a&code=b`, { method: 'HEAD' });
    expect([response.status, await response.text(), told]).toEqual([200, '', []]);
  });

  test.each<[CallbackOutcome, number]>([
    ['signed-in', 200],
    ['cancelled', 200],
    ['invalid', 400],
    ['expired', 400],
    ['wrong-origin', 400],
    ['invalid-code', 400],
    ['rejected', 400],
    ['unreachable', 400],
    ['stale', 400],
    ['commit-failed', 400],
  ])('%s has a page of its own', async (outcome, status) => {
    const { call, told } = over(withAddress(home), () => ({ ok: true, value: { outcome } }));
    const response = await call('/api/v1/ha/oauth/callback?state=Marker-State&code=Marker-Code');
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await response.text();
    expect(page).toContain(`outcome-${outcome}`);
    expect(page).toContain('<meta name="referrer" content="no-referrer"/>');
    expect(page).not.toMatch(/Marker-(State|Code)/);
    expect(told.at(-1)?.event).toMatchObject({
      state: 'Marker-State',
      code: 'Marker-Code',
      error: null,
      panelOrigin: 'http://192.168.1.40:8888',
    });
  });

  const from = (outcome: CallbackOutcome, cookie: string): Promise<Response> =>
    over(withAddress(home), () => ({ ok: true, value: { outcome } })).call(
      '/api/v1/ha/oauth/callback?state=Marker-State&code=Marker-Code&to=http://evil.test',
      { headers: { cookie } },
    );

  test('leads back to the setup where this browser began there, and nowhere else', async () => {
    const response = await from('signed-in', 'other=1; sconce_setup=1');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/setup');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('set-cookie')).toMatch(/^sconce_setup=1; .*Max-Age=0/);
  });

  test.each<[CallbackOutcome, string, number]>([
    ['signed-in', '', 200],
    ['signed-in', 'sconce_setup=http://evil.test', 200],
    ['cancelled', 'sconce_setup=1', 200],
    ['rejected', 'sconce_setup=1', 400],
  ])('%s with the cookie %j has its page', async (outcome, cookie, status) => {
    const response = await from(outcome, cookie);
    expect([response.status, response.headers.get('location')]).toEqual([status, null]);
    expect(await response.text()).toContain(`outcome-${outcome}`);
  });

  test('without anything is answered too', async () => {
    const { call, told } = over(withAddress(home), () => ({ ok: true, value: { outcome: 'invalid' } }), null);
    expect((await call('/api/v1/ha/oauth/callback')).status).toBe(400);
    expect(told.at(-1)?.event).toMatchObject({ state: '', code: null, error: null, panelOrigin: '' });
    const odd = await call('/api/v1/ha/oauth/callback?state=x&more=1&more=2');
    expect([odd.headers.get('content-type')?.slice(0, 9), odd.headers.get('referrer-policy')]).toEqual([
      'text/html',
      'no-referrer',
    ]);
  });
});

describe('panel-start', () => {
  test.each([
    ['127.0.0.1:8888', '127.0.0.1', 302],
    ['[::1]:8888', '::1', 302],
    ['localhost:8888', '127.0.0.1', 302],
    ['192.168.1.40:8888', '127.0.0.1', 400],
    ['127.0.0.1:8888', '192.168.1.77', 400],
  ])('at %s from %s: %i', async (host, peer, status) => {
    const { call } = over(withAddress(home), () => started, host, peer);
    const response = await call('/api/v1/ha/oauth/panel-start');
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBe(status === 302 ? `${home}/auth/authorize?x=1` : null);
    expect(response.headers.get('cache-control')).toBe('no-store');
    if (status === 302) expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each([
    ['sconce_glass=1', true],
    ['', false],
  ])('in a browser with the cookie %j is of the kiosk: %s', async (cookie, onDevice) => {
    const { call, told } = over(withAddress(home), () => started, '127.0.0.1:8888', '127.0.0.1');
    await call('/api/v1/ha/oauth/panel-start', { headers: { cookie } });
    expect(told.at(-1)?.event).toMatchObject({ type: 'sign-in.start', onDevice });
  });

  test('leads to the sign-in page where the panel finds no Home Assistant', async () => {
    const none = { ok: true, value: { status: 'refused', code: 'bad-address', message: 'Why.' } } as const;
    const { call } = over(withAddress(home), () => none, '127.0.0.1:8888', '127.0.0.1');
    const response = await call('/api/v1/ha/oauth/panel-start');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/sign-in']);
  });
});

describe('status and sign-out', () => {
  test('name who is signed in here, and nowhere else', async () => {
    const { call } = over(withAddress(home));
    const response = await call('/api/v1/ha/oauth/status');
    expect(await response.json()).toEqual({ phase: 'signed-in', display_name: 'Marker Person', administrator: false });
    expect(response.headers.get('cache-control')).toBe('no-store');
    for (const path of ['/api/v1/status', '/api/v1/diag', '/', '/configure', '/configure/home-assistant'])
      expect(await (await call(path)).text(), path).not.toContain('Marker Person');
    expect(
      await (
        await over(withAddress(home, { phase: 'needed', displayName: null, administrator: null })).call(
          '/api/v1/ha/oauth/status',
        )
      ).json(),
    ).toEqual({ phase: 'needed' });
  });

  test.each([
    ['signed-out', 200],
    ['commit-failed', 500],
  ])('%s is %i', async (status, code) => {
    const { post } = over(withAddress(home), () => ({ ok: true, value: { status } }));
    expect((await post('/api/v1/ha/oauth/sign-out', '', 'application/json')).status).toBe(code);
  });
});

describe('the code to scan', () => {
  const of = async (host: string | null): Promise<string> =>
    (await over(withAddress(home), undefined, host).call('/api/v1/ha/oauth/qr.svg')).text();
  test('leads to the address of the request, or on the panel itself to that of the network', async () => {
    const network = await of('192.0.2.7:8888');
    expect(network).toMatch(/^<svg /);
    expect(await of('127.0.0.1:8888')).toBe(network);
    expect(await of('192.168.1.40:8888')).not.toBe(network);
  });

  test('leads to the page that is asked for', async () => {
    const { call } = over(withAddress(home), undefined, '192.0.2.7:8888');
    const setup = await (await call('/api/v1/ha/oauth/qr.svg?page=setup')).text();
    expect(setup).toMatch(/^<svg /);
    const pages = ['sign-in', 'setup', 'status'].map(async (page) =>
      (await call(`/api/v1/ha/oauth/qr.svg?page=${page}`)).text(),
    );
    expect(new Set(await Promise.all(pages)).size).toBe(3);
    expect((await call('/api/v1/ha/oauth/qr.svg?page=elsewhere')).status).toBe(400);
  });

  test('is not drawn where no phone could follow it', async () => {
    const facts = { ...withAddress(home), readings: { reading: null, takenAt: 1 } };
    const response = await over(facts, undefined, 'localhost:8888').call('/api/v1/ha/oauth/qr.svg');
    expect(Problem().parse(await response.json()).error).toBe('not-here');
  });
});

describe('the page', () => {
  const page = async (facts: Record<string, unknown>, host = '192.168.1.40:8888'): Promise<string> =>
    (await over(facts, undefined, host).call('/sign-in')).text();
  test('asks for the address first', async () => {
    const markup = await page(withAddress('', { phase: 'no-address' }));
    expect(markup).toContain('name="ha_url"');
    expect(markup).not.toContain('data-begin');
  });
  test('offers one way to another address, and no link to copy, where the panel finds no Home Assistant', async () => {
    const of = (reachable: boolean): Promise<string> =>
      page(withAddress(home, { phase: 'needed', method: null, reachable }));
    const [fails, answers] = [await of(false), await of(true)];
    expect(fails).toMatch(/data-change[^>]* hidden/);
    expect(fails).toMatch(/data-link-wanted[^>]* hidden/);
    expect(fails).not.toMatch(/data-correct[^>]* hidden/);
    expect(answers).toMatch(/data-correct[^>]* hidden/);
    expect(answers).not.toMatch(/data-(?:change|link-wanted)[^>]* hidden/);
  });

  test('offers one big button and a link', async () => {
    const markup = await page(withAddress(home, { phase: 'needed' }));
    expect(markup).toContain('data-begin');
    expect(markup).toContain('data-link-wanted');
    expect(markup).toContain(home);
  });
  test('says before what would be refused, and offers nothing that fails', async () => {
    const markup = await page(withAddress(home, { phase: 'needed' }), '100.64.0.9:8888');
    expect(markup).toContain('sends nobody back to this address');
    expect(markup).not.toContain('data-begin');
  });
  test('says who is signed in', async () => {
    const markup = await page(withAddress(home));
    expect(markup).toContain('Signed in as Marker Person');
    expect(markup).toContain('not an administrator');
    expect(markup).toContain('data-sign-out');
  });
});
