import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { homeLook, type LookOptions } from '#drivers/home-probe/look.ts';
import type { HomeOutcome, HomeProbeEvent, HomeProbeFact, HomeTarget } from '#machines/home-probe/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port of the loopback, with the requests that it got. */
async function serve(answer: Answering) {
  const heard: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url ?? '', headers: request.headers });
    response.on('error', () => {});
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  open.push(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  // A listening TCP server has an address of this form.
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function look(origin: string, options: Partial<LookOptions> = {}, isSaved = true): Promise<HomeOutcome> {
  const driver = runDriver<HomeProbeEvent, HomeProbeFact, HomeTarget>(
    homeLook({ trust: async () => undefined, ...options }),
    { origin, isSaved },
  );
  open.push(async () => driver.stop());
  const { outcome } = await driver.until(isFact<HomeProbeFact, 'probe.ended'>('probe.ended'));
  return outcome;
}

const manifest = { name: 'Home Assistant', short_name: 'Home Assistant', start_url: '/?homescreen=1', icons: [] };
const saying =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_, response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

describe('a look at an address', () => {
  it('knows Home Assistant, and sends no credential', async () => {
    const { origin, heard } = await serve(saying(200, manifest));
    expect(await look(origin)).toEqual({ status: 'answered' });
    expect(heard.map(({ url }) => url)).toEqual(['/manifest.json']);
    expect(Object.keys(heard[0]?.headers ?? {}).filter((name) => /auth|cookie|token/.test(name))).toEqual([]);
  });

  it.each<[string, Answering, string]>([
    ['another server', saying(404, 'Not found'), 'not-home-assistant'],
    ['another app', saying(200, { ...manifest, name: 'Router', short_name: 'Router' }), 'not-home-assistant'],
    ['a list', saying(200, []), 'not-home-assistant'],
    ['no JSON', saying(200, '<html>'), 'not-home-assistant'],
    ['a redirect', saying(302, '', { location: 'http://127.0.0.1:1/' }), 'elsewhere'],
    [
      'an endless answer',
      (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
        };
        response.on('drain', more);
        more();
      },
      'not-home-assistant',
    ],
    ['a silent server', () => {}, 'unreachable'],
    ['one that hangs up', (request) => void request.socket.destroy(), 'unreachable'],
  ])('tells %s apart, in bounded time', async (_, answer, error) => {
    const { origin } = await serve(answer);
    expect(await look(origin, { withinMs: 700 })).toMatchObject({ status: 'failed', error });
  });

  it('says where nothing listens, and which name is not known', async () => {
    const { origin } = await serve(saying(200, manifest));
    await open.splice(0)[0]?.();
    expect(await look(origin)).toMatchObject({ error: 'unreachable', code: 'ECONNREFUSED' });
    const unknown: LookupFunction = (_, __, callback) =>
      callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '', 0);
    expect(await look('http://home.invalid:8123', { lookup: unknown })).toMatchObject({ error: 'unresolvable' });
  });

  it('does not connect to the panel itself or its link, unless it is the address in the settings', async () => {
    const { origin, heard } = await serve(saying(200, manifest));
    const port = new URL(origin).port;
    const local = { status: 'failed', error: 'local-address', code: 'local-address' };
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '169.254.1.1', '[fe80::1]'];
    for (const host of hosts) expect(await look(`http://${host}:${port}`, {}, false), host).toEqual(local);
    const own: LookupFunction = (_, __, callback) =>
      callback(null, [
        { address: '192.0.2.7', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await look(`http://home.test:${port}`, { lookup: own }, false)).toEqual(local);
    expect(heard).toEqual([]);
    expect(await look(`http://localhost:${port}`)).toEqual({ status: 'answered' });
  });

  it('follows no redirect', async () => {
    const target = await serve(saying(200, manifest));
    const { origin } = await serve(saying(301, '', { location: `${target.origin}/manifest.json` }));
    expect(await look(origin)).toMatchObject({ error: 'elsewhere' });
    expect(target.heard).toEqual([]);
  });
});
