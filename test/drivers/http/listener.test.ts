import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { HttpBindings } from '#machines/http/events.ts';
import type { PeerName } from '#machines/kit/peer-name.ts';
import { allowedHostTable, checkTable } from '#test/network/check-table.ts';
import { exchange, securityHeaderNames, verdictOf, type WireResponse } from '#test/network/wire.ts';
import { begin, serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.stop();
  running = undefined;
  vi.restoreAllMocks();
});
const start = async (...args: Parameters<typeof serve>): Promise<Serving> => (running = await serve(...args));

function expectGuarded(response: WireResponse): void {
  for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
  expect(response.headers['server']).toBeUndefined();
  expect(response.headers['x-powered-by']).toBeUndefined();
}
function errorOf(response: WireResponse): unknown {
  const body = JSON.parse(response.body) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['ok', 'error', 'message']);
  expect(body['ok']).toBe(false);
  expect(response.headers['content-type']).toContain('application/json');
  return body['error'];
}
const request = (head: string, body = ''): string =>
  `${head.replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n${body}`;
const open = (serving: Serving): Promise<Socket & { seen: string }> =>
  new Promise((resolve, reject) => {
    const socket = Object.assign(connect(serving.port, '127.0.0.1'), { seen: '' });
    sockets.push(socket);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (socket.seen += chunk));
    socket.on('error', reject);
    socket.on('connect', () => resolve(socket));
  });

describe('the pre-routing checks on the wire', () => {
  it.each([...checkTable, ...allowedHostTable('panel.example.org')])(
    '$expected: $name',
    async ({ bytes, expected }) => {
      let handled = 0;
      const serving = await start({
        fetch: () => {
          handled += 1;
          return new Response('fine');
        },
      });
      const response = await exchange(serving, bytes(serving));
      expect(verdictOf(response)).toBe(expected);
      expect(handled).toBe(expected === 'admitted' ? 1 : 0);
      if (expected === 'admitted') expect(response.status).toBe(200);
      else if (expected !== 'refused') errorOf(response);
      expectGuarded(response);
    },
  );

  it('refuses a peer that is not local, before it looks at anything else', async () => {
    // The one peer a test on the loopback can have is local: an IPv4-mapped spelling shows that the raw address is
    // judged.
    const peers: string[] = [];
    const serving = await start({
      addresses: ['::'],
      fetch: (_, { peer }) => (peers.push(peer), new Response('fine')),
    });
    expect(serving.context().family).toBe('dual');
    await exchange(serving, request('GET / HTTP/1.1'));
    await exchange({ address: '::1', port: serving.port }, request('GET / HTTP/1.1'));
    expect(peers).toEqual(['127.0.0.1', '::1']);
  });
});

describe('an answer that needs no routes', () => {
  const early = { status: 200, head: ['cache-control', 'no-store', 'content-type', 'text/plain'], text: 'well\n' };
  const only = (path: string) => (path === '/early' ? early : null);

  it('is written with the security headers, past the handler', async () => {
    const serving = await start({ early: (method, path) => (method === 'GET' ? only(path) : null) });
    const response = await exchange(serving, request('GET /early?x=1 HTTP/1.1\nHost: 127.0.0.1'));
    expectGuarded(response);
    expect([response.status, response.body]).toEqual([200, 'well\n']);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': '5' });
    expect((await exchange(serving, request('GET /other HTTP/1.1\nHost: 127.0.0.1'))).body).toBe('fine');
    const bare = await exchange(serving, request('HEAD /early HTTP/1.1\nHost: 127.0.0.1'));
    expect([bare.status, bare.body]).toEqual([200, '']);
  });

  it.each([
    [403, 'GET /early HTTP/1.1\nHost: evil.example', ''],
    [413, 'GET /early HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 1', 'x'],
  ])('is not made for what is refused: %i', async (status, head, body) => {
    let asked = 0;
    const serving = await start({ early: () => ((asked += 1), early) });
    const response = await exchange(serving, request(head, body));
    expect([response.status, asked]).toEqual([status, 0]);
  });

  it('may wait, and what is behind it on the connection waits too', async () => {
    let release: (() => void) | undefined;
    const wait = new Promise<void>((resolve) => (release = resolve));
    const serving = await start({ early: (_, path) => (path === '/early' ? wait.then(() => early) : null) });
    const socket = await open(serving);
    socket.write('GET /early HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /next HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const other = await exchange(serving, request('GET /other HTTP/1.1\nHost: 127.0.0.1'));
    expect([other.body, socket.seen]).toEqual(['fine', '']);
    release?.();
    await until(() => socket.seen.endsWith('fine'), 'both answers');
    expect(socket.seen.indexOf('well')).toBeLessThan(socket.seen.indexOf('fine'));
  });

  it('that fails is left to the handler', async () => {
    const serving = await start({
      early: () => {
        throw new Error('early');
      },
    });
    expect((await exchange(serving, request('GET /early HTTP/1.1\nHost: 127.0.0.1'))).body).toBe('fine');
  });
});

describe('what the handler sees', () => {
  const seen = async (
    head: string,
    body?: string,
  ): Promise<{ url: string; host: string | null; bindings: HttpBindings; text: string; method: string }> => {
    let found: { request: Request; bindings: HttpBindings; text: string } | undefined;
    const serving = await start({
      fetch: async (incoming, bindings) => {
        found = { request: incoming, bindings, text: await incoming.text() };
        return new Response('fine');
      },
    });
    const response = await exchange(serving, request(head, body));
    expect(response.status).toBe(200);
    if (found === undefined) throw new Error('not handled');
    return {
      url: found.request.url,
      host: found.request.headers.get('host'),
      bindings: found.bindings,
      text: found.text,
      method: found.request.method,
    };
  };

  it.each([
    ['GET /a?b=c HTTP/1.1\nHost: panel.local:8888', 'http://panel.invalid/a?b=c'],
    ['GET /a HTTP/1.1', 'http://panel.invalid/a'],
    ['GET /a HTTP/1.1\nHost: [fe80::1%25eth0]', 'http://panel.invalid/a'],
    ['GET http://panel.local/a HTTP/1.1\nHost: panel.local', 'http://panel.invalid/a'],
    ['GET //panel.local/a HTTP/1.1\nHost: panel.local', 'http://panel.invalid//panel.local/a'],
    ['GET /x\\..\\a HTTP/1.1\nHost: panel.local', 'http://panel.invalid/x%5C..%5Ca'],
    ['GET /x/%2e%2e/%61 HTTP/1.1\nHost: panel.local', 'http://panel.invalid/a'],
  ])('%j has the URL %s', async (head, url) => {
    const { url: found, host } = await seen(head);
    expect(found).toBe(url);
    expect(host).toBe('panel.invalid');
  });

  it('keeps the raw head beside the request', async () => {
    const { bindings } = await seen('GET /a HTTP/1.1\nHOST: panel.local');
    expect(bindings.incoming.rawHeaders.slice(0, 2)).toEqual(['HOST', 'panel.local']);
    expect(bindings.peer).toBe('127.0.0.1');
  });

  it.each([
    ['with a length', 'POST /w HTTP/1.1\nHost: localhost\nContent-Length: 5', 'hello'],
    ['in chunks', 'POST /w HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked', '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
  ])('has the body %s', async (_, head, body) =>
    expect(await seen(head, body)).toMatchObject({ text: 'hello', method: 'POST' }),
  );
});

describe('responses', () => {
  it('let a handler set its own content policy, and nothing of ours twice', async () => {
    const serving = await start({
      fetch: () => new Response('x', { headers: { 'content-security-policy': "default-src 'self'" } }),
    });
    const response = await exchange(serving, request('GET / HTTP/1.1'));
    expect(response.text.match(/content-security-policy/gi)).toHaveLength(1);
    expect(response.headers['content-security-policy']).toBe("default-src 'self'");
    expectGuarded(response);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret-text');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('secret-text'))],
    ['answers nothing', () => undefined as unknown as Response],
    [
      'has a body that fails at once',
      () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('secret-text')) })),
    ],
    [
      'has a body that fails when read',
      () =>
        Promise.resolve(
          new Response(new ReadableStream({ pull: () => Promise.reject(new Error('secret-text')) }), {
            headers: { 'x-a': 'b' },
          }),
        ),
    ],
    [
      'has a body that fails before the head was sent',
      () => {
        const response = new Response(
          new ReadableStream({ start: (controller) => controller.error(new Error('secret-text')) }),
        );
        // Looked at once, a body goes the library's slow way, which reads a first piece before it sends the head.
        expect(response.body).not.toBeNull();
        return response;
      },
    ],
  ])('say only that something failed when the handler %s', async (_, fetch) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const codes: string[] = [];
    const serving = await start({ fetch, onHandlerFailure: (code) => codes.push(code) });
    const response = await exchange(serving, request('GET / HTTP/1.1'));
    expect(response.text).not.toContain('secret-text');
    if (response.status !== 200) {
      expect(response.status).toBe(500);
      expect(errorOf(response)).toBe('internal');
      expect(codes).toHaveLength(1);
    }
    expectGuarded(response);
    expect((await exchange(serving, request('GET / HTTP/1.1'))).text).not.toContain('secret-text');
    expect(serving.value()).toEqual({ serving: 'listening' });
  });

  it.each(['text/plain', 'text/event-stream'])(
    'end without a word when a body of type %s fails in the middle',
    async (type) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
      let step = 0;
      const serving = await start({
        fetch: () =>
          new Response(
            new ReadableStream({
              pull: async (controller) => {
                step += 1;
                if (step === 1) controller.enqueue(new TextEncoder().encode('first'));
                else {
                  await new Promise((resolve) => setImmediate(resolve));
                  controller.error(new Error('secret-text'));
                }
              },
            }),
            { headers: { 'content-type': type } },
          ),
      });
      const response = await exchange(serving, request('GET / HTTP/1.1'));
      expect(response.text).toContain('first');
      expect(response.text).not.toContain('secret-text');
      expect(printed.mock.calls.length).toBe(type === 'text/plain' ? 1 : 0);
      expect(serving.value()).toEqual({ serving: 'listening' });
    },
  );

  it('never land inside another one on the same connection', async () => {
    let release: (response: Response) => void = () => {};
    let handled = 0;
    const serving = await start({ fetch: () => (handled++, new Promise((resolve) => (release = resolve))) });
    const socket = await open(serving);
    let closed = false;
    socket.on('close', () => (closed = true));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\nNONSENSE\r\n\r\n');
    await until(() => closed, 'closed');
    expect(socket.seen).toBe('');
    expect(handled).toBeGreaterThan(0);
    release(new Response('late'));
  });

  it('refuse WebSockets in plain words', async () => {
    const serving = await start();
    const response = await exchange(
      serving,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(response.status).toBe(400);
    expect(errorOf(response)).toBe('no-websocket');
    expectGuarded(response);
  });

  it('take an upgrade to HTTP/2 for plain HTTP/1.1', async () => {
    const serving = await start();
    expect(
      (
        await exchange(
          serving,
          'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
        )
      ).status,
    ).toBe(200);
  });
});

describe('bounds', () => {
  const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

  it.each([
    ['announced', 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 65', ''],
    ['announced and sent', 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 500000', 'x'.repeat(500_000)],
    ['announced to a careful sender', 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 65\nExpect: 100-continue', ''],
    ['in chunks', 'POST / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked', chunk(60) + chunk(5)],
    ['in endless chunks', 'POST / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked', chunk(100_000).repeat(4)],
    ['on a GET that takes none', 'GET / HTTP/1.1\nHost: localhost\nContent-Length: 1', 'x'],
  ])('refuse a body that is too large: %s', async (_, head, body) => {
    let handled = 0;
    const serving = await start({ fetch: () => (handled++, new Response('fine')) });
    const response = await exchange(serving, request(head, body));
    expect(response.status).toBe(413);
    expect(errorOf(response)).toBe('request-too-large');
    expectGuarded(response);
    expect(handled).toBe(0);
  });

  it.each([
    ['as large as allowed', 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 64', 'x'.repeat(64)],
    [
      'as large as allowed in chunks',
      'POST / HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked',
      `${chunk(64)}0\r\n\r\n`,
    ],
    ['empty', 'POST / HTTP/1.1\nHost: localhost\nContent-Length: 0', ''],
  ])('take a body that is %s', async (_, head, body) =>
    expect((await exchange(await start(), request(head, body))).status).toBe(200),
  );

  it('ask a careful sender to go on', async () => {
    const serving = await start({ fetch: async (incoming) => new Response(await incoming.text()) });
    const socket = await open(serving);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n');
    await until(() => socket.seen.startsWith('HTTP/1.1 100'), 'continue');
    socket.write('hello');
    await until(() => socket.seen.endsWith('hello'), 'the answer');
  });

  it('refuse an expectation nobody knows', async () => {
    expect((await exchange(await start(), request('POST / HTTP/1.1\nHost: localhost\nExpect: wonders'))).status).toBe(
      417,
    );
  });

  it('refuse a head above 16 KiB, and count the whole of one below', async () => {
    const serving = await start();
    const response = await exchange(serving, request(`GET / HTTP/1.1\nHost: localhost\nX-Long: ${'x'.repeat(20_000)}`));
    expect(response.status).toBe(431);
    expect(errorOf(response)).toBe('head-too-large');
    expectGuarded(response);
    const many = Array.from({ length: 2500 }, () => 'a:').join('\n');
    expect(verdictOf(await exchange(serving, request(`GET / HTTP/1.1\n${many}\nHost: example.org`)))).toBe(
      'host-not-allowed',
    );
  });

  const fast = { headMs: 150, requestMs: 300, checkMs: 25 };
  it.each([
    ['a head that never ends', 'GET / HTTP/1.1\r\nHost: loc'],
    ['a body that never comes', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhe'],
    ['silence', ''],
  ])('give up on %s', async (_, bytes) => {
    const serving = await start({ bounds: fast });
    const response = await exchange(serving, bytes);
    expect(response.status).toBe(408);
    expect(errorOf(response)).toBe('request-timeout');
    expectGuarded(response);
  });

  it('do not cut an event stream that outlasts every one of them', async () => {
    const serving = await start({ bounds: { ...fast, keepAliveMs: 100 }, fetch: () => ticking(20, 40) });
    const response = await exchange(serving, request('GET / HTTP/1.1\nHost: localhost'));
    expect(response.body).toContain('tick 39');
  });

  it('keep connections from one address, and in all, below their bounds', async () => {
    const nameOf = (address: string): PeerName => ({ name: address, network: '' });
    const serving = await start({ nameOf, bounds: { connectionsPerPeer: 5 } });
    const held = await Promise.all(Array.from({ length: 5 }, () => open(serving)));
    expect(
      await exchange(serving, request('GET / HTTP/1.1')).then(
        ({ status }) => status,
        () => 0,
      ),
    ).toBe(0);
    held[0]?.destroy();
    await expect
      .poll(async () => (await exchange(serving, request('GET / HTTP/1.1')).catch(() => ({ status: 0 }))).status)
      .toBe(200);
    for (const socket of held) socket.destroy();
    await serving.stop();

    const whole = await start({ nameOf, bounds: { connections: 5 } });
    const all = await Promise.all(Array.from({ length: 5 }, () => open(whole)));
    expect(
      await exchange(whole, request('GET / HTTP/1.1')).then(
        ({ status }) => status,
        () => 0,
      ),
    ).toBe(0);
    all[0]?.destroy();
    await expect
      .poll(async () => (await exchange(whole, request('GET / HTTP/1.1')).catch(() => ({ status: 0 }))).status)
      .toBe(200);
  });
});

/** An event stream of `count` events, one each `everyMs`. */
function ticking(everyMs: number, count: number, onEnd: () => void = () => {}): Response {
  let timer: NodeJS.Timeout | undefined;
  let step = 0;
  return new Response(
    new ReadableStream({
      start: (controller) => {
        timer = setInterval(() => {
          controller.enqueue(new TextEncoder().encode(`data: tick ${step}\n\n`));
          step += 1;
          if (step === count) {
            clearInterval(timer);
            controller.close();
          }
        }, everyMs);
      },
      cancel: () => {
        clearInterval(timer);
        onEnd();
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
}

describe('the port', () => {
  it('is had on IPv4 alone where the machine lacks the first address', async () => {
    const serving = await start({ addresses: ['2001:db8::1', '127.0.0.1'] });
    expect(serving.context().family).toBe('ipv4');
    expect((await exchange(serving, request('GET / HTTP/1.1'))).status).toBe(200);
  });

  it('is waited for while another one has it', async () => {
    const first = await serve();
    const { port } = first;
    const second = (running = begin({}, port));
    await until(() => second.value() === 'waiting', 'waiting');
    expect(second.context()).toMatchObject({ port: -1, failure: 'EADDRINUSE' });
    await first.stop();
    await until(() => second.context().port === port, 'listening');
    expect((await exchange(second, request('GET / HTTP/1.1'))).status).toBe(200);
  });

  it('is free again for a successor at once, although a response is still under way', async () => {
    const first = await serve({ fetch: () => new Promise(() => {}), bounds: { drainMs: 300 } });
    const { port } = first;
    const socket = await open(first);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const ended = first.stop();
    await start({}, port);
    await ended;
    expect(running?.context()).toMatchObject({ port, attempt: 0 });
  });
});

describe('the end', () => {
  it('ends event streams in order, and idle connections at once', async () => {
    let cancelled = 0;
    const serving = await start({ fetch: () => ticking(10, 1_000_000, () => (cancelled += 1)) });
    const socket = await open(serving);
    const idle = await open(serving);
    let closed = 0;
    for (const each of [socket, idle]) each.on('close', () => (closed += 1));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => socket.seen.includes('tick 2'), 'events');
    const begun = performance.now();
    await serving.stop();
    expect(performance.now() - begun).toBeLessThan(400);
    await until(() => closed === 2 && cancelled === 1, 'closed');
    expect(socket.seen.endsWith('0\r\n\r\n')).toBe(true);
    expect(serving.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });

  it('lets a request under way finish, but not for ever', async () => {
    let release: (response: Response) => void = () => {};
    const serving = await start({
      bounds: { drainMs: 2000 },
      fetch: () => new Promise((resolve) => (release = resolve)),
    });
    const socket = await open(serving);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => String(release) !== '() => {}', 'handled');
    const stopped = serving.stop();
    release(new Response('done'));
    await stopped;
    await until(() => socket.closed, 'closed');
    expect(socket.seen.endsWith('done')).toBe(true);
  });

  it('cuts a request that never finishes', async () => {
    let handled = false;
    const serving = await start({ bounds: { drainMs: 100 }, fetch: () => ((handled = true), new Promise(() => {})) });
    const socket = await open(serving);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => handled, 'handled');
    await serving.stop();
    await until(() => socket.closed, 'closed');
  });
});
