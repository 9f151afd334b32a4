import { describe, expect, it } from 'vitest';
import type { ProbeOutcome } from '#machines/broker-probe/events.ts';
import type { ProbeAnswer } from '#machines/kit/probe.ts';
import type { Discovered } from '#machines/finder/events.ts';
import type { ConfirmOutcome, FoundBroker } from '#machines/mqtt/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const path = 'http://panel.invalid/api/v1/config/confirm-broker';
const broker: FoundBroker = { name: 'home.local', address: 'fe80::1', port: 1883 };

describe('confirming the found broker', () => {
  const confirm = async (
    outcome: ConfirmOutcome | null,
    body: unknown = broker,
    peer?: string,
    tapped = false,
    rawHeaders: readonly string[] = ['Host', '127.0.0.1:8888'],
  ) => {
    const deps = fakeDeps();
    if (tapped) deps.networkTaps.note();
    deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'absent' } : { ok: true, value: outcome });
    const request = new Request(path, { method: 'POST', body: JSON.stringify(body) });
    const response = await createApp(deps).fetch(
      request,
      peer === undefined ? {} : { peer, incoming: { rawHeaders: [...rawHeaders] } },
    );
    const { ok, error, message } = (await response.json()) as Readonly<Record<string, unknown>>;
    return { asked: deps.registry.told, answered: [response.status, ok, error], message };
  };

  it('asks the link about the one that is named, and says that it is done', async () => {
    const { asked, answered } = await confirm({ status: 'confirmed' });
    const event = { type: 'mqtt.confirm', broker, from: 'network', password: null };
    expect(asked).toEqual([{ id: 'mqtt', event }]);
    expect(answered).toEqual([200, true, undefined]);
  });

  it.each<[string, string, boolean, string]>([
    ['the panel itself', '127.0.0.1', false, 'panel'],
    ['the panel itself over IPv6', '::1', false, 'panel'],
    ['another machine', '192.168.1.7', false, 'network'],
    ['the panel while somebody taps it from the network', '127.0.0.1', true, 'network'],
  ])('says where it comes from: %s', async (_, peer, tapped, from) => {
    const { asked } = await confirm({ status: 'confirmed' }, { ...broker, password: 'again' }, peer, tapped);
    expect(asked).toEqual([{ id: 'mqtt', event: { type: 'mqtt.confirm', broker, from, password: 'again' } }]);
  });

  it.each<[string, readonly string[]]>([
    ['a page of another site in its browser, whose name leads to it', ['Host', 'evil.local:8888']],
    ['a proxy on it', ['Host', '127.0.0.1:8888', 'X-Forwarded-For', '192.168.1.7']],
  ])('does not count as the panel itself: %s', async (_, rawHeaders) => {
    const { asked } = await confirm({ status: 'confirmed' }, broker, '127.0.0.1', false, rawHeaders);
    expect(asked).toMatchObject([{ event: { from: 'network' } }]);
  });

  it.each([
    {},
    { address: broker.address, port: broker.port },
    { ...broker, port: 0 },
    { ...broker, address: '' },
    { ...broker, password: 7 },
    { ...broker, secret: 'x' },
  ])('is refused where the body does not name one: %j', async (body) => {
    const { asked, answered } = await confirm({ status: 'confirmed' }, body);
    expect([asked, answered]).toEqual([[], [400, false, 'bad-value']]);
  });

  it.each<[ConfirmOutcome | null, number, string, RegExp]>([
    [
      { status: 'changed' },
      409,
      'broker-changed',
      /^Nothing was changed: another broker than the one you confirmed.*Look it up.*confirm it/,
    ],
    [{ status: 'nothing', several: false }, 409, 'nothing-to-confirm', /^No broker waits/],
    [{ status: 'nothing', several: true }, 409, 'nothing-to-confirm', /unclear which.*Enter its broker's address/],
    [{ status: 'commit-failed', reason: 'EROFS' }, 500, 'commit-failed', /^Nothing was changed.*EROFS/],
    [
      { status: 'unproven', why: 'missing' },
      403,
      'unproven',
      /^Nothing was changed.*in "password".*on the panel itself/,
    ],
    [{ status: 'unproven', why: 'wrong' }, 403, 'unproven', /^Nothing was changed.*not the stored password/],
    [{ status: 'unproven', why: 'late' }, 429, 'too-many-tries', /^Nothing was changed.*Wait a minute/],
    [null, 503, 'restarting', /restarted/],
  ])('is refused where it cannot be done: %j', async (outcome, status, error, words) => {
    const { answered, message } = await confirm(outcome);
    expect(answered).toEqual([status, false, error]);
    expect(message).toMatch(words);
    expect(message).not.toContain(broker.address);
  });
});

describe('the broker that waits to be confirmed', () => {
  const read = async (answer: { readonly ok: true; readonly value: FoundBroker | null } | null) => {
    const deps = fakeDeps();
    deps.registry.answer = () => answer ?? { ok: false, reason: 'absent' };
    const response = await createApp(deps).fetch(new Request(path), {});
    return { asked: deps.registry.told, response, body: await response.json() };
  };

  it.each([broker, null])('is told by the link, and kept by nobody: %j', async (waiting) => {
    const { asked, response, body } = await read({ ok: true, value: waiting });
    expect(asked).toEqual([{ id: 'mqtt', event: { type: 'mqtt.read-waiting' } }]);
    expect([response.status, response.headers.get('Cache-Control'), body]).toEqual([
      200,
      'no-store',
      { waiting, needs_password: true },
    ]);
  });

  it('is not known while the link is restarted', async () => {
    const { response, body } = await read(null);
    expect([response.status, body]).toMatchObject([503, { error: 'restarting' }]);
  });
});

describe('probing a broker', () => {
  const probe = async (
    query: string,
    outcome: ProbeAnswer<ProbeOutcome> | null = null,
    family: unknown = 'Automatic',
    saved = '',
  ) => {
    const deps = fakeDeps();
    deps.registry.put('settings', { revision: 1, values: { mqtt_address_family: family, mqtt_broker: saved } });
    deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'ended' } : { ok: true, value: outcome });
    const app = createApp(deps);
    const response = await app.fetch(new Request(`http://panel.invalid/api/v1/config/probe-broker${query}`), {});
    return { app, asked: deps.registry.told, status: response.status, body: await response.json() };
  };
  const at = (url: string): string => `?url=${encodeURIComponent(url)}`;

  it('is guarded as a GET that starts work', async () => {
    const { app } = await probe('');
    expect(['probe-broker', 'discovery'].map((name) => app.isActiveGet(`/api/v1/config/${name}`, ''))).toEqual([
      true,
      true,
    ]);
  });

  it('says what answered, and goes the way of the link', async () => {
    const { asked, status, body } = await probe(
      at('mqtts://Broker.test'),
      { status: 'answered', address: '192.0.2.7' },
      'Force IPv4',
    );
    const target = { host: 'broker.test', port: 8883, tls: true, addressFamily: 'Force IPv4', isSaved: false };
    expect(asked).toEqual([{ id: 'broker-probe', event: { type: 'probe.begin', target } }]);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        host: 'broker.test',
        port: 8883,
        resolved: '192.0.2.7',
        message: 'An MQTT broker answers at this address.',
      },
    ]);
  });

  it.each([
    ['localhost', 'mqtt://LOCALHOST:1883', true],
    ['mqtts://localhost', 'mqtt://localhost:8883', false],
    ['localhost:22', 'mqtt://localhost:1883', false],
    ['127.0.0.1', 'mqtt://localhost:1883', false],
    ['localhost', '', false],
  ])('knows whether %s is the broker of the settings, %j', async (url, saved, isSaved) => {
    const outcome = { status: 'failed', error: 'local-address', code: 'local-address' } as const;
    const { asked, body } = await probe(at(url), outcome, 'Automatic', saved);
    expect(asked).toMatchObject([{ event: { target: { isSaved } } }]);
    expect(body).toMatchObject({
      ok: false,
      error: 'local-address',
      message: expect.stringMatching(/before it is saved/),
    });
  });

  it.each(['unresolvable', 'unreachable', 'not-a-broker'] as const)('says why nothing answered: %s', async (error) => {
    const { status, body } = await probe(at('broker.test:1884'), { status: 'failed', error, code: 'ECONNREFUSED' });
    const message = expect.stringMatching(/Check/);
    expect([status, body]).toEqual([200, { ok: false, host: 'broker.test', port: 1884, error, message }]);
  });

  it.each(['', 'http://x', 'mqtt://u:marker@x', 'mqtt://x:0', 'mqtt://x/y', 'a b'])(
    'refuses to try what is no address: %j',
    async (url) => {
      const { asked, status, body } = await probe(at(url));
      expect([asked, status, body]).toEqual([
        [],
        200,
        {
          ok: false,
          host: '',
          port: -1,
          error: 'invalid-url',
          message: expect.stringMatching(/^The address must .+\.$/),
        },
      ]);
      expect(JSON.stringify(body)).not.toContain('marker');
    },
  );

  it.each(['', '?uri=x', at('x'.repeat(2049)), `${at('x')}&user=y`])('refuses other queries: %s', async (query) => {
    const { asked, status, body } = await probe(query);
    expect([asked, status, body]).toMatchObject([[], 400, { error: 'invalid-query' }]);
  });

  it('is refused where another took its place, or its part is restarted', async () => {
    expect(await probe(at('x'), { status: 'replaced' })).toMatchObject({
      status: 409,
      body: { error: 'probe-replaced' },
    });
    expect(await probe(at('x'))).toMatchObject({ status: 503, body: { error: 'restarting' } });
  });
});

describe('what was found', () => {
  const found: Discovered = { host: '192.0.2.7', url: 'https://home.test:8443/' };
  const read = async (values: Readonly<Record<string, string>>, discovered: Discovered | null = found) => {
    const deps = fakeDeps();
    deps.registry.put('settings', { revision: 1, values: { mqtt_broker: '', ha_url: '', ...values } });
    deps.registry.answer = () => ({ ok: true, value: discovered });
    const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config/discovery'), {});
    return { asked: deps.registry.told.length, body: [response.status, await response.json()] };
  };
  const beside = 'mqtt://192.0.2.7:1883';
  const home = 'https://home.test:8443';

  it.each<[string, Readonly<Record<string, string>>, Discovered | null, string, string]>([
    ['neither is set', {}, found, beside, home],
    ['the broker is set', { mqtt_broker: 'mqtt://x' }, found, '', home],
    ['Home Assistant is set', { ha_url: 'http://x' }, found, beside, ''],
    ['nothing was found', {}, null, '', ''],
    ['it names no address', {}, { ...found, url: 'http://a b' }, beside, ''],
  ])('is told where %s', async (_, values, discovered, mqtt_broker, ha_url) => {
    expect(await read(values, discovered)).toEqual({ asked: 1, body: [200, { mqtt_broker, ha_url }] });
  });

  it('is not looked for where both are set', async () => {
    expect(await read({ mqtt_broker: 'mqtt://x', ha_url: 'http://x' })).toEqual({
      asked: 0,
      body: [200, { mqtt_broker: '', ha_url: '' }],
    });
  });

  it('is blank where it is not found in time', async () => {
    const deps = fakeDeps();
    deps.registry.put('settings', { revision: 1, values: { mqtt_broker: '', ha_url: '' } });
    const { fetch } = createApp(deps);
    const response = await fetch(new Request('http://panel.invalid/api/v1/config/discovery'), {});
    expect([response.status, await response.json()]).toEqual([200, { mqtt_broker: '', ha_url: '' }]);
  });
});
