import { connect, type Socket } from 'node:net';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';

import { exchange, securityHeaderNames, type WireResponse } from '#test/network/wire.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.stop();
  running = undefined;
});
const start = async (...args: Parameters<typeof serve>): Promise<Serving> => (running = await serve(...args));

const page = `<!doctype html><title>ü</title>${'<p>The screen is on.</p>'.repeat(2_000)}`;
const html = { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'no-store' };

/** A request that ends its connection, with these fields as they are. */
const ask = (serving: Serving, fields: string, line = 'GET / HTTP/1.1'): Promise<WireResponse> =>
  exchange(serving, `${line}\r\nHost: localhost\r\n${fields}Connection: close\r\n\r\n`);
const gzip = 'Accept-Encoding: gzip, deflate\r\n';

/** The text that a client makes of an answer; its length has to be the announced one. */
function textOf({ headers, body }: WireResponse): string {
  const bytes = Buffer.from(body, 'latin1');
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers['transfer-encoding']).toBeUndefined();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

describe('a text', () => {
  it('travels in gzip where the client takes it', async () => {
    const serving = await start({ fetch: () => new Response(page, { headers: html }) });
    const response = await ask(serving, gzip);
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-type': html['Content-Type'],
      'cache-control': 'no-store',
    });
    expect(textOf(response)).toBe(page);
    expect(Number(response.headers['content-length'])).toBeLessThan(page.length / 10);
    for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
  });

  it.each([
    ['nothing', ''],
    ['an empty list', 'Accept-Encoding:\r\n'],
    ['other codings', 'Accept-Encoding: br, zstd, deflate\r\n'],
    ['none of it', 'Accept-Encoding: gzip;q=0\r\n'],
    ['none of it, and everything else', 'Accept-Encoding: gzip;q=0, *\r\n'],
    ['no coding at all, not even the plain text', 'Accept-Encoding: identity;q=0, *;q=0\r\n'],
    ['two fields that disagree', 'Accept-Encoding: gzip\r\naccept-encoding: gzip;q=0.0\r\n'],
    ['no list', 'Accept-Encoding: gzip gzip;;=q\r\n'],
    ['a weight that is none', 'Accept-Encoding: gzip;q=1.0001\r\n'],
    ['a coding of its transfer', 'TE: gzip\r\n'],
  ])('travels as it is to a client that names %s, and says what it depends on', async (_, fields) => {
    const serving = await start({ fetch: () => Promise.resolve(new Response(page, { headers: html })) });
    const response = await ask(serving, fields);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers['vary']).toBe('Accept-Encoding');
    expect(textOf(response)).toBe(page);
  });

  it.each([
    ['bytes', 'application/yaml'],
    ['JSON', 'application/json'],
  ])('may be %s', async (kind, type) => {
    const body = kind === 'bytes' ? new TextEncoder().encode(page) : page;
    const serving = await start({ fetch: () => new Response(body, { headers: { 'content-type': type } }) });
    const response = await ask(serving, gzip);
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(textOf(response)).toBe(page);
  });

  it('keeps status, cookies and what else it depends on', async () => {
    const headers = new Headers([...Object.entries(html), ['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']]);
    headers.set('Vary', 'Cookie');
    const serving = await start({ fetch: () => new Response(page, { status: 404, headers }) });
    const response = await ask(serving, gzip);
    expect(response.status).toBe(404);
    expect(response.headers['vary']).toBe('Cookie, Accept-Encoding');
    expect(response.text.match(/^set-cookie: .*$/gm)).toEqual(['set-cookie: a=1', 'set-cookie: b=2']);
    expect(textOf(response)).toBe(page);
  });

  it('is told of in the answer to a HEAD, without a body', async () => {
    const serving = await start({ fetch: () => new Response(null, { headers: html }) });
    const response = await ask(serving, gzip, 'HEAD / HTTP/1.1');
    expect(response.headers['vary']).toBe('Accept-Encoding');
    expect(response.body).toBe('');
  });

  it('stays what it is below 1 kB: a health check costs nothing more', async () => {
    const serving = await start({ fetch: () => new Response('x'.repeat(1_023), { headers: html }) });
    const response = await ask(serving, gzip);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers['vary']).toBeUndefined();
  });
});

describe('what stays as it is', () => {
  it.each([
    ['a picture', { 'content-type': 'image/png' }],
    ['sound', { 'content-type': 'audio/mpeg' }],
    ['bytes of no known kind', { 'content-type': 'application/octet-stream' }],
  ])('%s', async (_, headers) => {
    const bytes = new TextEncoder().encode(page);
    const serving = await start({ fetch: () => new Response(bytes, { headers }) });
    const response = await ask(serving, gzip);
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.headers['vary']).toBeUndefined();
    expect(textOf(response)).toBe(page);
  });

  it('an answer with a coding, and one with an entity tag', async () => {
    const coded = new Uint8Array(brotliCompressSync(page.repeat(20)));
    const serving = await start({
      fetch: ({ url }) =>
        url.endsWith('/tag')
          ? new Response(page, { headers: { ...html, etag: '"1"' } })
          : new Response(coded, { headers: { ...html, 'content-encoding': 'br' } }),
    });
    const first = await ask(serving, gzip);
    expect(first.headers['content-encoding']).toBe('br');
    expect(Buffer.from(first.body, 'latin1').equals(coded)).toBe(true);
    const second = await ask(serving, gzip, 'GET /tag HTTP/1.1');
    expect(second.headers).toMatchObject({ etag: '"1"', 'content-length': String(Buffer.byteLength(page)) });
    expect(second.headers['content-encoding']).toBeUndefined();
  });

  it('an event stream: its first event arrives while it goes on', async () => {
    const serving = await start({
      fetch: () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${'x'.repeat(5_000)}\n\n`)),
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    });
    const socket = connect(serving.port, '127.0.0.1');
    sockets.push(socket);
    let seen = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (seen += chunk));
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${gzip}\r\n`);
    await until(() => seen.includes(`data: ${'x'.repeat(5_000)}\n\n`), 'the event');
    expect(seen).not.toMatch(/content-encoding|vary/i);
  });
});

describe('many at once', () => {
  it('costs bounded memory: beyond eight they go as they are, and every one is whole', async () => {
    const waiting: (() => void)[] = [];
    const serving = await start({
      fetch: () => new Promise((resolve) => waiting.push(() => resolve(new Response(page, { headers: html })))),
    });
    const asked = Array.from({ length: 12 }, () => ask(serving, gzip));
    await until(() => waiting.length === 12, 'all have asked');
    for (const release of waiting.splice(0)) release();
    const answers = await Promise.all(asked);
    expect(answers.map(textOf)).toEqual(answers.map(() => page));
    expect(answers.filter(({ headers }) => headers['content-encoding'] === 'gzip')).toHaveLength(8);

    const later = ask(serving, gzip);
    await until(() => waiting.length === 1, 'one more has asked');
    waiting.shift()?.();
    expect((await later).headers['content-encoding']).toBe('gzip');
  });

  it('keeps their order on one connection', async () => {
    const serving = await start({
      fetch: ({ url }) =>
        new Response(url.endsWith('/small') ? 'small' : page, {
          headers: { ...html, 'x-path': new URL(url).pathname },
        }),
    });
    const asked = ['/', '/small', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${gzip}`);
    const { text } = await exchange(serving, `${asked.join('\r\n')}Connection: close\r\n\r\n`);
    expect(text.match(/^x-path: .*$/gm)).toEqual(['x-path: /', 'x-path: /small', 'x-path: /']);
  });

  it('is not held up by clients that leave, or never read their answer', async () => {
    let bytes = '';
    // Nothing that gets shorter by much, so that no buffer on the way takes it whole.
    for (let seed = 1; bytes.length < 1_000_000; seed = (seed * 48_271) % 2_147_483_647) bytes += seed.toString(36);
    let asked = 0;
    const serving = await start({ fetch: () => ((asked += 1), new Response(bytes, { headers: html })) });
    // More than may be made shorter at once, should one of them keep its place.
    for (const leaves of [true, false, true, false, true, false, true, false, true, false]) {
      const socket = connect(serving.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.pause();
      const before = asked;
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${gzip}\r\n`);
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that each finds its place
      await until(() => asked === before + 1, 'it has asked');
      if (leaves) socket.resetAndDestroy();
    }
    await expect
      .poll(async () => (await ask(serving, gzip)).headers['content-encoding'], { timeout: 15_000 })
      .toBe('gzip');
    expect(textOf(await ask(serving, gzip))).toBe(bytes);
    expect(serving.value()).toEqual({ serving: 'listening' });
  });
});
