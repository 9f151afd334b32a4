import { describe, expect, it } from 'vitest';

import { createApp } from '#routes/app.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const bytes = (text: string) => (): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const type = 'text/javascript; charset=utf-8';
const assets = new Map([
  ['app.js', { type, body: bytes('plain'), coded: { br: bytes('in br'), gzip: bytes('in gzip') } }],
  ['tiny.js', { type, body: bytes('tiny'), coded: {} }],
]);
const { fetch } = createApp(fakeDeps({ assets }));
const get = async (name: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new Request(`http://panel.invalid/assets/${name}`, { method, headers }), {});

describe('an asset', () => {
  it.each([
    ['', 'plain', null, '"abcdef01"'],
    ['gzip, deflate', 'in gzip', 'gzip', '"abcdef01-gzip"'],
    ['gzip, deflate, br, zstd', 'in br', 'br', '"abcdef01-br"'],
    ['br;q=0, *;q=0.5', 'in gzip', 'gzip', '"abcdef01-gzip"'],
    ['*;q=0', 'plain', null, '"abcdef01"'],
  ])('comes to a client that takes %j as %s, with a tag of its own', async (accepted, body, coding, tag) => {
    const response = await get('app.js', { 'accept-encoding': accepted });
    expect(await response.text()).toBe(body);
    expect([response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual([coding, tag]);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('content-type')).toBe(type);

    const head = await get('app.js', { 'accept-encoding': accepted }, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect([head.headers.get('content-encoding'), head.headers.get('etag')]).toEqual([coding, tag]);
  });

  it.each([
    ['"abcdef01-gzip"', 304],
    ['W/"abcdef01-gzip"', 304],
    ['"other", "abcdef01-gzip"', 304],
    ['*', 304],
    // A client with another encoding or an older build gets this one.
    ['"abcdef01"', 200],
    ['"abcdef01-br"', 200],
    ['"00000000-gzip"', 200],
    ['abcdef01-gzip', 200],
    ['', 200],
  ])('is not sent again to a client that has %s: %i', async (tags, status) => {
    const response = await get('app.js', { 'accept-encoding': 'gzip', 'if-none-match': tags });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(status === 304 ? '' : 'in gzip');
    expect(response.headers.get('etag')).toBe('"abcdef01-gzip"');
    expect([response.headers.get('vary'), response.headers.get('cache-control')]).toEqual([
      'Accept-Encoding',
      'no-cache',
    ]);
    expect(response.headers.get('content-encoding')).toBe(status === 304 ? null : 'gzip');
  });

  it('that does not get shorter has one form', async () => {
    const response = await get('tiny.js', { 'accept-encoding': 'gzip, br' });
    expect(await response.text()).toBe('tiny');
    expect([response.headers.get('vary'), response.headers.get('etag')]).toEqual([null, '"abcdef01"']);
  });
});
