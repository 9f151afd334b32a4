import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openAssets } from '#bin/assets.ts';
import { readBundles } from '#bin/build-facts.ts';
import { exchange, type WireResponse } from '#test/network/wire.ts';
import { type LiveAgent, startLive, until } from './live-agent.ts';

const folder = fileURLToPath(new URL('../../dist', import.meta.url));
const assets = openAssets(`${folder}/assets.pack`);
const page = 'Accept: text/html\r\n';

describe('what a running agent sends to a client that takes gzip', () => {
  let live: LiveAgent;
  let port: number;
  beforeAll(async () => {
    live = await startLive({
      assets,
      bundles: readBundles(`${folder}/pages.json`),
      inspect: true,
    });
    port = Number(new URL(live.url).port);
  });
  afterAll(() => live.close());

  const ask = (path: string, accepted: string, more = ''): Promise<WireResponse> =>
    exchange(
      { address: '127.0.0.1', port },
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${accepted}\r\n${more}Connection: close\r\n\r\n`,
    );
  const sizes = async (path: string, accepted: string, more = '') => {
    const { status, headers, body } = await ask(path, accepted, more);
    const bytes = Buffer.from(body, 'latin1');
    expect([path, status, headers['content-length']]).toEqual([path, 200, String(bytes.length)]);
    expect(headers['content-encoding']).toBe(accepted);
    return { sent: bytes.length, whole: (accepted === 'gzip' ? gunzipSync : brotliDecompressSync)(bytes) };
  };

  it.each([
    ['/', page, 13_000],
    ['/configure', page, 12_000],
    ['/configure/mqtt', page, 12_000],
    ['/profiles', page, 10_000],
    ['/snippets', page, 8_000],
    ['/api/v1/openapi.json', '', 86_000],
    ['/api/v1/status', '', 7_000],
    ['/api/v1/diag', '', 4_000],
    ['/api/v1/config/schema', '', 6_000],
    ['/api/v1/profiles/schema', '', 8_000],
    ['/api/v1/profiles/template', '', 6_000],
  ])('%s is a small part of itself', async (path, more, most) => {
    const { sent, whole } = await sizes(path, 'gzip', more);
    expect(sent).toBeLessThan(most);
    expect(sent).toBeLessThan(whole.length * 0.6);
  });

  it('every asset, made shorter when it was built', async () => {
    // An archive is compressed as it is.
    const names = [...assets.keys()].filter((name) => !name.endsWith('.zip'));
    expect(names).toContain('app.js');
    let [plain, gzip, br] = [0, 0, 0];
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- sizes are summed
      const [first, second] = [await sizes(`/assets/${name}`, 'gzip'), await sizes(`/assets/${name}`, 'br')];
      expect(second.whole.equals(first.whole), name).toBe(true);
      plain += first.whole.length;
      gzip += first.sent;
      br += second.sent;
    }
    expect(gzip).toBeLessThan(plain * 0.4);
    expect(br).toBeLessThan(gzip);
    expect(await ask('/assets/app.js.gz', 'gzip')).toMatchObject({ status: 404 });
  });

  it.each(['/health', '/api/v1/health', '/nothing/here'])('%s is too small', async (path) => {
    const { headers } = await ask(path, 'gzip');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each(['/api/v1/events', '/api/v1/events?full=1', '/api/v1/logs/stream', '/api/v1/dev/stream'])(
    '%s is never compressed, and its first event comes at once',
    async (path) => {
      for (const accepted of ['gzip', 'br, gzip', '*', 'identity;q=0, gzip']) {
        const socket = connect(port, '127.0.0.1');
        let seen = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk));
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAccept-Encoding: ${accepted}\r\n\r\n`,
        );
        // oxlint-disable-next-line no-await-in-loop -- streams have few places
        await until(`an event on ${path}`, () => /^data: \{/m.test(seen));
        socket.destroy();
        expect(seen).toMatch(/^HTTP\/1\.1 200 /);
        expect(seen).not.toMatch(/^(?:content-encoding|vary|content-length):/im);
      }
    },
  );
});
