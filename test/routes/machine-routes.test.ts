import { describe, expect, test } from 'vitest';
import { bundleOf } from '#machines/config-copies/bundle.ts';
import type { ProfileCatalogContext } from '#machines/profile-catalog/events.ts';
import { unknownFacts } from '#machines/auto-brightness/off.ts';
import { restingFacts } from '#machines/auto-sleep/off.ts';
import { litRange, toRaw } from '#machines/screen/scale.ts';
import { ok } from '#machines/kit/result.ts';
import type { ScreenContext } from '#machines/screen/events.ts';
import type { WantedDocument } from '#machines/profile-catalog/requests.ts';
import { driverCatalogue } from '#profiles/catalogue.ts';
import { profileSchema } from '#profiles/schema/profile.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { lightWeek } from '#test/fakes/light-week.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { allowedMicrophone, readyVoice } from '#test/fakes/voice.ts';

const call = (app: ReturnType<typeof createApp>, path: string, init?: RequestInit): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, init), {}));
const post = (app: ReturnType<typeof createApp>, path: string, body: unknown): Promise<Response> =>
  call(app, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** A path with something in the place of its parameters, and with the query that it does not do without. */
const filled = (path: string): string =>
  path
    .replace('probe-broker', 'probe-broker?url=broker.test')
    .replace('config/check', 'config/check?key=panel_id&value=Hall')
    .replace('probe-home-assistant', 'probe-home-assistant?url=home.test')
    .replace('{revision}', 'a'.repeat(64))
    .replace('approvals/{id}', `approvals/${'a'.repeat(32)}`)
    .replace(/\{\w+\}/g, 'something');

const noSensors = { areaKey: 'a'.repeat(64), areaName: 'Hall', sources: [], total: 0 };

describe('every declared GET', () => {
  const facts: ReturnType<typeof settledFacts> = {
    ...settledFacts(),
    'auto-brightness': unknownFacts,
    'auto-sleep': restingFacts,
  };
  const deps = fakeDeps({}, facts);
  const answers: Readonly<Record<string, unknown>> = {
    'auto-brightness': ok(
      lightWeek(1_700_000_000_000, { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 }),
    ),
    simulator: ok({
      seed: 1,
      settings: { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 },
      frames: [],
      evening: [],
    }),
    'config-copies': {
      status: 'exported',
      bundle: bundleOf({ panelId: 'hall_panel', origin: [], values: { friendly_name: 'Hall' }, at: 1 }),
    },
    renderer: { ok: true, png: new Uint8Array([137, 80, 78, 71]) },
    'home-assistant': {
      ok: true,
      sample: { frames: 2, bytes: 300, ms: 30_000 },
      reading: { kind: 'areas', areas: [] },
    },
    finder: { host: '192.0.2.7', url: 'http://192.0.2.7:8123' },
    approvals: 'pending',
    'broker-probe': { status: 'answered', address: '192.0.2.7' },
    'home-probe': { status: 'answered' },
    microphone: allowedMicrophone,
    voice: readyVoice,
    mqtt: { name: 'home.local', address: '192.0.2.7', port: 1883 },
    provisioning: {
      at: 1,
      packages: {},
      groupsKnown: [],
      groupsOwn: [],
      root: false,
      user: null,
      rules: null,
      evidence: {},
    },
  };
  const { profiles: _, ...standing } = (facts['profile-catalog'] as ProfileCatalogContext).catalog ?? {};
  const documents: Readonly<Record<string, unknown>> = {
    schema: profileSchema(),
    drivers: { drivers: driverCatalogue() },
    report: { version: '0.1.0', ...standing, profile: null, document: { schema: 1 }, evidence: [] },
  };
  const documentOf = (kind: string): Uint8Array => new TextEncoder().encode(JSON.stringify(documents[kind] ?? kind));
  deps.registry.answer = (id, event) => {
    if (id === 'profile-catalog') {
      // What the routes under test ask of this actor.
      const { ask } = event as unknown as { readonly ask: { readonly wanted: WantedDocument } };
      return { ok: true, value: { bytes: documentOf(ask.wanted.kind) } };
    }
    if (event.type === 'auto-sleep.sources') return { ok: true, value: ok(noSensors) };
    if (event.type === 'auto-sleep.replay') return { ok: true, value: ok({ fault: null, settled: null }) };
    return Object.hasOwn(answers, id) ? { ok: true, value: answers[id] } : { ok: false, reason: 'absent' };
  };
  const app = createApp(deps);
  const gets = app.table.filter(
    (spec) =>
      spec.method === 'get' &&
      spec.answers[200] !== undefined &&
      spec.answers[200].type !== 'text/event-stream' &&
      // For programs on this machine only.
      !spec.problems.includes('not-this-machine'),
  );
  test('there are some', () => expect(gets.length).toBeGreaterThan(9));
  test.each(gets.map((spec) => [spec.path, spec] as const))('%s answers as it says', async (path, spec) => {
    const response = await call(app, filled(path));
    const answer = spec.answers[response.status];
    expect(answer, `status ${response.status}`).toBeDefined();
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(answer?.type.split(';')[0]);
    const text = await response.text();
    expect(
      answer?.schema.safeParse(answer.type.startsWith('application/json') ? JSON.parse(text) : text).error,
    ).toBeUndefined();
    for (const name of Object.keys(answer?.headers ?? {})) expect(response.headers.get(name)).not.toBeNull();
  });
});

describe('every part absent', () => {
  const app = createApp(fakeDeps({}, {}));
  test.each(
    app.table
      .filter(
        (spec) =>
          spec.method === 'get' &&
          !([...spec.problems].some((code) => code === 'gone' || code === 'not-this-machine') || 410 in spec.answers),
      )
      .map((spec) => [spec.path, spec] as const),
  )('%s still answers, and only what it declares', async (path, spec) => {
    const response = await call(app, filled(path));
    const text = await response.text();
    if (response.status === 200) expect(spec.answers[200]).toBeDefined();
    else if (spec.operationId === 'getCameraSnapshot') expect(spec.answers[response.status]).toBeDefined();
    // Which microphone a profile has is no fact of a part.
    else if ([...spec.problems].includes('microphone-absent'))
      expect(Problem().parse(JSON.parse(text)).error).toBe('microphone-absent');
    else expect(Problem().parse(JSON.parse(text)).error).toBe('restarting');
  });
  test('health never depends on a part', async () => {
    expect((await call(app, '/health')).status).toBe(200);
  });
});

describe('health', () => {
  test('one line; the platform tokens are absent while there is no platform socket', async () => {
    const line = await (await call(createApp(fakeDeps()), '/health')).text();
    expect(line).toBe('sconce 0.1.0 panel=hall_panel build=abcdef01 cfg=1a2b3c4d\n');
  });
});

describe('camera', () => {
  test('the object alone is byte for byte the one in the status document', async () => {
    const app = createApp(fakeDeps());
    const alone = await (await call(app, '/api/v1/camera/status')).text();
    expect(await (await call(app, '/api/v1/status')).text()).toContain(`"camera":${alone}`);
  });
});

describe('diag', () => {
  test('carries the lines of the contract and no address, name or identifier', async () => {
    const text = await (await call(createApp(fakeDeps()), '/api/v1/diag')).text();
    for (const head of [
      '[ha-network] ',
      '[ha-path-probe] ',
      '[capabilities] ',
      '[captured] ',
      '[env] ',
      '[build] ',
      '[boot-security] ',
      '[hardware] ram=4g cpus=4 ',
      '[start] by=other at_boot=no ',
      '[privileges] user=login ',
      '[permissions] ',
      '[power-safety] state=unknown ',
      '[renderer] mode=builtin state=rendered ',
      '[sign-in] phase=signed-in ',
      '[load] cpu_percent=1 memory_percent=2 soc_celsius=unknown\n',
      '[verdicts] ',
      '[supervision]',
    ])
      expect(text).toContain(head);
    for (const secret of [
      '192.0.2.7',
      'Marker Network',
      'hall_panel',
      'Hall panel',
      '00112233445566778899aabbccddeeff',
      '/nowhere',
    ])
      expect(text).not.toContain(secret);
  });
});

describe('config', () => {
  test('a refusal names each key, and is declared', async () => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({
      ok: true,
      value: { status: 'refused', reasons: { log_level: 'Not one of the levels.' } },
    });
    const response = await post(createApp(deps), '/api/v1/config', { log_level: 'loud' });
    expect(response.status).toBe(400);
    expect(Problem().parse(await response.json())).toMatchObject({
      error: 'invalid-config',
      reasons: { log_level: 'Not one of the levels.' },
    });
  });
  test('a disk that refuses is 500 commit-failed', async () => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: { status: 'commit-failed', reason: 'ENOSPC' } });
    const response = await post(createApp(deps), '/api/v1/config', { log_level: 'info' });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      ok: false,
      error: 'commit-failed',
      message: expect.stringContaining('ENOSPC'),
    });
  });
  test('a save answers with what is in force, secrets blank', async () => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: { status: 'saved', applied: ['log_level'] } });
    const app = createApp(deps);
    const response = await post(app, '/api/v1/config', { log_level: 'debug' });
    const body: unknown = await response.json();
    expect(body).toMatchObject({
      ok: true,
      status: 'saved',
      applied: ['log_level'],
      mqtt_password_set: true,
      settings: { mqtt_password: '' },
    });
    const spec = app.table.find((row) => row.path === '/api/v1/config' && row.method === 'post');
    expect(spec?.answers[200]?.schema.safeParse(body).error).toBeUndefined();
    expect(deps.registry.told.at(-1)).toMatchObject({
      id: 'settings',
      event: { type: 'settings.merge', patch: { log_level: 'debug' } },
    });
  });
  test.each([
    [{}, { configured: false, oauth: false }],
    [{ ha_token: true }, { configured: true, oauth: false }],
    [{ ha_oauth: true }, { configured: true, oauth: true }],
  ])('with the secrets %j it says which credential there is, never what it is', async (secrets, auth) => {
    const deps = fakeDeps();
    deps.registry.put('settings', { ...(settledFacts()['settings'] as object), secrets });
    expect(await (await call(createApp(deps), '/api/v1/config')).json()).toMatchObject({ ha_auth: auth });
  });
  test('settings that are being restarted say so', async () => {
    expect((await post(createApp(fakeDeps()), '/api/v1/config', {})).status).toBe(503);
  });
  test('a form is taken as well as JSON, whatever curl calls it', async () => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: { status: 'no-op' } });
    const app = createApp(deps);
    await call(app, '/api/v1/config', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'log_level=debug',
    });
    await call(app, '/api/v1/config', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '{"log_level":"debug"}',
    });
    const patches = deps.registry.told.map(({ event }) => ('patch' in event ? event.patch : null));
    expect(patches).toEqual([{ log_level: 'debug' }, { log_level: 'debug' }]);
  });
  test.each([
    ['{"a":', 'JSON'],
    ['[1]', 'object'],
    ['a=1&a=2', 'twice'],
  ])('the body %s is refused and says why', async (body, word) => {
    const type = body.startsWith('a') ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await call(createApp(fakeDeps()), '/api/v1/config', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(400);
    expect(Problem().parse(await response.json()).message).toContain(word);
  });
});

describe('bodies', () => {
  const saying = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<string> => {
    const response = await call(createApp(fakeDeps()), '/api/v1/config', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(400);
    return Problem().parse(await response.json()).message;
  };
  test('a repeated field of JSON is refused, a nested one of the same name is not', async () => {
    expect(await saying('{"panel_id":"a","panel_id":"b"}')).toContain('"panel_id" is sent twice');
    expect(await saying('{"panel_id":"a","panel\\u005fid":"b"}')).toContain('twice');
    const nested = { ref: { id: 'mine', revision: 'a' }, id: '"x":1,"x":2', revision: 'a' };
    const response = await post(createApp(fakeDeps()), '/api/v1/profiles/delete', nested);
    expect(Object.keys(Problem().parse(await response.json()).reasons ?? {})).toContain('ref.revision');
  });
  test('fields are bounded in number, in JSON and in forms', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `f${n}`);
    expect(await saying(JSON.stringify(Object.fromEntries(many.map((name) => [name, 1]))))).toContain('256');
    expect(await saying(many.map((name) => `${name}=1`).join('&'), 'application/x-www-form-urlencoded')).toContain(
      '256',
    );
  });
  test('what is not UTF-8 is refused instead of being replaced', async () => {
    expect(await saying(new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).toContain('UTF-8');
  });
  test('each unknown field is named by its own sentence', async () => {
    const response = await post(createApp(fakeDeps()), '/api/v1/action', { a: 'volup', x: 1, y: 2, z: 3 });
    const { reasons = {}, message } = Problem().parse(await response.json());
    expect(Object.keys(reasons)).toEqual(['x', 'y', 'z']);
    for (const [name, words] of Object.entries(reasons)) expect(words).toContain(`"${name}"`);
    for (const name of ['x', 'y', 'z']) expect(message).toContain(`"${name}"`);
  });
  test('a name that is said back is well-formed text, also where it is cut or was none', async () => {
    const app = createApp(fakeDeps());
    const half = '\ud835';
    for (const name of [`${'a'.repeat(63)}\u{1d53d}`, `${half}x`]) {
      const response = await call(app, '/api/v1/action', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ a: 'home', [name]: 1 }),
      });
      const text = await response.text();
      expect(response.status).toBe(400);
      expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\ud8/i);
    }
  });
  test('a field named __proto__ is a field like any other', async () => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: { status: 'no-op' } });
    await call(createApp(deps), '/api/v1/config', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '__proto__=5',
    });
    const [told] = deps.registry.told;
    expect(told !== undefined && 'patch' in told.event ? Object.entries(told.event.patch as object) : []).toEqual([
      ['__proto__', '5'],
    ]);
  });
});

describe('the live stream', () => {
  test('a HEAD is no viewer, however often it is sent', async () => {
    const deps = fakeDeps();
    const app = createApp(deps);
    for (let n = 0; n < 40; n += 1) expect((await call(app, '/api/v1/events', { method: 'HEAD' })).status).toBe(200);
    expect(deps.registry.told).toEqual([]);
  });
  test('is served as it is declared', async () => {
    const app = createApp(fakeDeps());
    const response = await call(app, '/api/v1/events');
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel();
  });
});

describe('action', () => {
  test('a part that is still being looked at says try again, and a reboot under way is not begun twice', async () => {
    const facts = settledFacts();
    facts['screen'] = { verdict: { state: 'checking', reason: 'x', detail: 'Looking.', missing: null, fix: null } };
    facts['power'] = {
      verdict: { state: 'working', reason: 'x', detail: 'Fine.', missing: null, fix: null },
      busy: true,
    };
    const app = createApp(fakeDeps({}, facts));
    expect((await post(app, '/api/v1/action', { a: 'screen_on' })).status).toBe(503);
    expect((await post(app, '/api/v1/action', { a: 'reboot' })).status).toBe(409);
  });
  test('tells the part and answers 202', async () => {
    const deps = fakeDeps();
    const response = await post(createApp(deps), '/api/v1/action', { a: 'screen_off' });
    expect(response.status).toBe(202);
    expect(deps.registry.told).toEqual([{ id: 'screen', event: { type: 'screen.set', on: false, origin: 'http' } }]);
  });
  test('a part that is not here refuses with its own sentence', async () => {
    const facts = settledFacts();
    facts['volume'] = {
      verdict: { state: 'not_here', reason: 'x', detail: 'No sound here.', missing: null, fix: null },
      percent: null,
    };
    const response = await post(createApp(fakeDeps({}, facts)), '/api/v1/action', { a: 'volume', value: 3 });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: 'not-here', message: 'No sound here.' });
  });
  test('nothing is taken while stopping', async () => {
    expect((await post(createApp(fakeDeps({ stopping: () => true })), '/api/v1/action', { a: 'reboot' })).status).toBe(
      503,
    );
  });
});

describe('what does not exist', () => {
  test('JSON for machines, a page for people', async () => {
    const app = createApp(fakeDeps());
    const json = await call(app, '/api/v1/nothing');
    expect([json.status, Problem().parse(await json.json()).error]).toEqual([404, 'not-found']);
    const page = await call(app, '/nothing', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')?.slice(0, 9)]).toEqual([404, 'text/html']);
  });
  test.each([
    ['/api/v1/config', 'PUT', 'GET, HEAD, POST'],
    ['/api/v1/status', 'POST', 'GET, HEAD'],
    ['/api/v1/action', 'GET', 'POST'],
    ['/configure', 'POST', 'GET, HEAD'],
    ['/configure/mqtt', 'POST', 'GET, HEAD'],
    ['/assets/app.js', 'DELETE', 'GET, HEAD'],
  ])('%s with %s is 405 and says what it takes', async (path, method, allowed) => {
    const response = await call(createApp(fakeDeps()), path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  });
  test('a hand on the simulated screen sets the level that the agent then reads', async () => {
    const screen = settledFacts()['screen'] as ScreenContext;
    const deps = fakeDeps({}, { ...settledFacts(), screen: { ...screen, minimumPercent: 10 } });
    const sent = await post(createApp(deps), '/api/v1/simulator', { screen: { brightness: 71 } });
    expect(sent.status).toBe(202);
    const range = litRange({ name: 'Simulated', rawMax: 200, rawMin: 1, power: true }, 10);
    expect(deps.registry.told.at(-1)).toEqual({
      id: 'simulator',
      event: { type: 'simulator.screen', raw: toRaw(71, range) },
    });
    expect(toRaw(71, range)).not.toBe(toRaw(71, { low: 1, high: 200 }));
  });
  test('the simulator does not exist on real hardware', async () => {
    const app = createApp(fakeDeps({ simulated: false }));
    expect((await call(app, '/api/v1/simulator')).status).toBe(404);
    expect(app.table.some((spec) => spec.path.includes('simulator'))).toBe(false);
  });
});

describe('the OpenAPI document', () => {
  test('has every route and its refusals, and nothing else', async () => {
    const app = createApp(fakeDeps());
    const document = (await (await call(app, '/api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    };
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(documented.toSorted()).toEqual(app.table.map((spec) => `${spec.method} ${spec.path}`).toSorted());
    for (const spec of app.table) {
      const responses = document.paths[spec.path]?.[spec.method]?.responses ?? {};
      expect(Object.keys(responses)).toContain('403');
      if (spec.guard === 'write') expect(Object.keys(responses)).toContain('413');
    }
  });
  test('ends no sentence twice, and says once which headers every answer has', async () => {
    const text = await (await call(createApp(fakeDeps()), '/api/v1/openapi.json')).text();
    expect(text.match(/X-Content-Type-Options/g)).toHaveLength(1);
    expect(text.match(/[^".]{0,60}\.\.(?!\.)/g)).toBeNull();
  });
  test('a GET is active only where it starts work', () => {
    const app = createApp(fakeDeps());
    expect(app.isActiveGet('/api/v1/status', '')).toBe(false);
    expect(app.isActiveGet('/api/v1/status', 'refresh=1')).toBe(true);
    expect(app.isActiveGet('/status', 'refresh=1')).toBe(true);
    expect(app.isActiveGet('/', 'refresh=1')).toBe(false);
    for (const path of ['/provisioning/plan', '/provisioning/plan.txt', '/config/home-dashboards'])
      expect([app.isActiveGet(`/api/v1${path}`, ''), app.isActiveGet(path, '')], path).toEqual([true, true]);
    expect(app.isActiveGet('/api/v1/config', '')).toBe(false);
  });
  test('bodies are bounded where they are taken, and refused elsewhere', () => {
    const app = createApp(fakeDeps());
    expect(app.maxBodyBytes('POST', '/api/v1/config')).toBe(262_144);
    expect(app.maxBodyBytes('POST', '/config')).toBe(262_144);
    expect(app.maxBodyBytes('GET', '/api/v1/status')).toBe(0);
    expect(app.maxBodyBytes('POST', '/nothing')).toBe(16_384);
  });
});
