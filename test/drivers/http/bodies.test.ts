import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import type { HttpBindings } from '#machines/http/events.ts';
import { createClock } from '#test/fakes/kit-clock.ts';
import { dial, get, hangUp, statusesOf, syncing, type Client } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
afterEach(async () => {
  hangUp();
  await running?.stop();
  running = undefined;
});

const [one, other, third] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const block = 64 * 1024;
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const post = (path: string, length: number, part = length): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(part)}`;

/** Two blocks of one peer and three of all, on a stepped clock. */
async function serveFew(fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>) {
  const clock = createClock();
  const serving = (running = await serve({
    nameOf: (address) => ({ name: address, network: '' }),
    bounds: { bodyBytes: 3 * block, bodyBytesPerPeer: 2 * block },
    maxBodyBytes: (method) => (method === 'GET' ? 0 : 4 * block),
    clock: {
      now: clock.now,
      setTimeout: (callback, ms) => clock.clock.setTimeout(callback, ms),
      clearTimeout: (timer) => clock.clock.clearTimeout(timer as number),
    },
    fetch: (request, bindings) => (request.url.endsWith('/sync') ? new Response('') : fetch(request, bindings)),
  }));
  const sync = await syncing(serving, '127.0.0.9');
  return {
    /** Sends from an address what is read by then. */
    send: async (from: string, text: string): Promise<Client> => {
      const client = await dial(serving, from);
      client.socket.write(text);
      for (const _ of times(20)) await sync();
      return client;
    },
    sync,
    pass: async (ms: number): Promise<void> => {
      for (let gone = 0; gone < ms; gone += 1000) {
        clock.pass(Math.min(1000, ms - gone));
        await turn();
        await turn();
      }
      await sync();
    },
  };
}
const echo = async (request: Request): Promise<Response> => new Response(`${(await request.text()).length}`);
const answered = (client: Client, status: number): Promise<void> =>
  until(() => statusesOf(client).includes(status), `status ${status}, not ${client.seen().slice(0, 300)}`);

describe('bodies that are collected', () => {
  it('are refused beyond the room of their peer, in the error shape, and not read on', async () => {
    const { send } = await serveFew(echo);
    await send(one, post('/', 4 * block, 2 * block));
    const late = await send(one, post('/', 4 * block, block));
    await answered(late, 503);
    expect(late.seen()).toMatch(/\r\nRetry-After: 5\r\n/i);
    expect(late.seen()).toMatch(/\r\nConnection: close\r\n/i);
    expect(late.seen()).toContain('{"ok":false,"error":"too-many-uploads","message":"');
    await until(late.isClosed, 'the end');
  });

  it('are only counted once they come, and the small part of each never', async () => {
    const { send } = await serveFew(echo);
    for (const _ of times(8)) await send(one, post('/', 4 * block, 16 * 1024));
    await answered(await send(one, post('/', 2 * block)), 200);
    await send(one, post('/', 4 * block, 2 * block));
    await answered(await send(one, post('/', 16 * 1024)), 200);
  });

  it('are ended after 10 s without progress, and no sooner', async () => {
    const { send, pass } = await serveFew(echo);
    const silent = await send(one, post('/', 3 * block, 2 * block));
    const slow = await send(other, post('/', 16, 1));
    await pass(6000);
    slow.socket.write('x');
    await send(third, get('/sync'));
    await pass(3000);
    expect([statusesOf(silent), statusesOf(slow)]).toEqual([[], []]);
    await pass(2000);
    await answered(silent, 408);
    expect(silent.seen()).toContain('"request-timeout"');
    expect(statusesOf(slow)).toEqual([]);
    await answered(await send(one, post('/', 2 * block)), 200);
    await pass(8000);
    await answered(slow, 408);
  });

  it.each<[string, (send: (from: string, text: string) => Promise<Client>) => Promise<unknown>]>([
    ['was answered', async (send) => answered(await send(one, post('/', 2 * block)), 200)],
    ['was answered with a failure', async (send) => answered(await send(one, post('/throw', 2 * block)), 500)],
    [
      'was too large',
      async (send) => {
        const chunk = (size: number): string => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
        const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
        await send(one, `${head}${chunk(2 * block)}`).then((client) => {
          client.socket.write(chunk(3 * block));
          return until(() => statusesOf(client).some((status) => status === 413 || status === 503), 'a refusal');
        });
      },
    ],
    [
      'was broken off',
      async (send) => {
        const { socket, isClosed } = await send(one, post('/', 3 * block, 2 * block));
        socket.destroy();
        await until(isClosed, 'the end');
      },
    ],
  ])('give their room back: one %s', async (_, end) => {
    const { send, pass } = await serveFew((request) => {
      if (request.url.endsWith('/throw')) throw new Error('thrown');
      return echo(request);
    });
    await end(send);
    await pass(1000);
    await answered(await send(one, post('/', 2 * block)), 200);
  });

  it('give their room back: one whose sender left while its handler waited for the start of the agent', async () => {
    let waiting = 0;
    const { send, pass, sync } = await serveFew(async (request, { aside }) => {
      if (request.url.endsWith('/late')) {
        waiting += 1;
        await aside(new Promise<void>(() => {}));
      }
      return echo(request);
    });
    const { socket } = await send(one, post('/late', 2 * block));
    await until(() => waiting === 1, 'the handler');
    socket.destroy();
    for (const _ of times(5)) await sync();
    await pass(1000);
    await answered(await send(one, post('/', 2 * block)), 200);
  });

  it('hold their room until they are answered, and are answered one at a time, peer by peer', async () => {
    const begun: string[] = [];
    const held = new Map<string, () => void>();
    const { send, pass, sync } = await serveFew((request) => {
      const { pathname } = new URL(request.url);
      begun.push(pathname);
      return new Promise((resolve) => held.set(pathname, () => resolve(new Response(pathname))));
    });
    const size = block / 2;
    await send(one, post('/a1', size));
    const second = await send(one, post('/a2', size));
    const left = await send(other, post('/b1', size));
    expect(begun).toEqual(['/a1']);
    // All three blocks are taken; a peer with several gives one up for a peer with none.
    const last = await send(third, post('/c1', size));
    await answered(second, 503);
    // A small one waits for no large one.
    await send(one, post('/small', 10));
    expect(begun).toEqual(['/a1', '/small']);
    left.socket.destroy();
    for (const _ of times(20)) await sync();
    held.get('/a1')?.();
    for (let tries = 0; tries < 50 && !held.has('/c1'); tries += 1) await pass(100);
    expect(begun).toEqual(['/a1', '/small', '/c1']);
    held.get('/c1')?.();
    await answered(last, 200);
  });

  it('leave three quarters of the time to others: the next waits three times as long as the last took', async () => {
    const begun: string[] = [];
    const held = new Map<string, () => void>();
    const { send, pass, sync } = await serveFew((request) => {
      const { pathname } = new URL(request.url);
      begun.push(pathname);
      return new Promise((resolve) => held.set(pathname, () => resolve(new Response(pathname))));
    });
    const first = await send(one, post('/a', block / 2));
    await send(other, post('/b', block / 2));
    await pass(200);
    held.get('/a')?.();
    await answered(first, 200);
    for (const _ of times(20)) await sync();
    await pass(599);
    for (const _ of times(20)) await sync();
    expect(begun).toEqual(['/a']);
    await pass(1);
    for (const _ of times(20)) await sync();
    expect(begun).toEqual(['/a', '/b']);
  });

  it('arrive as they were sent, in pieces of any size', async () => {
    const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    const { send, sync } = await serveFew(
      async (request) => new Response(digest(new Uint8Array(await request.arrayBuffer()))),
    );
    const bytes = Buffer.from(times(2 * block + 5).map((index) => (index * 31) % 251));
    const client = await send(one, 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let from = 0, size = 1; from < bytes.length; from += size, size = (size * 7) % 9973) {
      const piece = bytes.subarray(from, from + size);
      client.socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
      await sync();
    }
    client.socket.write('0\r\n\r\n');
    await answered(client, 200);
    await until(() => client.seen().includes(digest(bytes)), 'the digest of what was sent');
  });
});
