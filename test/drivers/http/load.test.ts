import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request as ask } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { LOOPBACK, type PeerName } from '#machines/kit/peer-name.ts';
import { exchange } from '#test/network/wire.ts';
import { dial, get, hangUp, holding, statusesOf, syncing, type Client } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
afterEach(async () => {
  hangUp();
  await running?.stop();
  running = undefined;
});

/** Every address of the loopback range but the first is a machine of its own. */
const nameOf = (address: string): PeerName => ({ name: address === '127.0.0.1' ? LOOPBACK : address, network: '' });
const start = async (deps: Parameters<typeof serve>[0]): Promise<Serving> =>
  (running = await serve({ nameOf, ...deps }));
const neighbour = '127.0.0.2';
const other = '127.0.0.3';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const numbers = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('requests that come at once on one connection', () => {
  it('are answered one after the other, in order', async () => {
    let making = 0;
    let most = 0;
    const serving = await start({
      fetch: async (request) => {
        making += 1;
        most = Math.max(most, making);
        await turn();
        making -= 1;
        return new Response(`answer of ${new URL(request.url).pathname}.`);
      },
    });
    const client = await dial(serving, neighbour);
    client.socket.write(
      numbers(20)
        .map((index) => get(`/${index}`))
        .join(''),
    );
    await until(() => client.seen().includes('of /19.'), 'the last answer');
    expect(statusesOf(client)).toEqual(numbers(20).map(() => 200));
    expect([...client.seen().matchAll(/of \/(\d+)\./g)].map(([, index]) => Number(index))).toEqual(numbers(20));
    expect(most).toBe(1);
  });

  it('cost no more than the one being made once the connection is closed', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch });
    const client = await dial(serving, neighbour);
    client.socket.write(
      numbers(20)
        .map((index) => get(`/${index}`))
        .join(''),
    );
    await until(() => hold.begun.length > 0, 'the first');
    client.socket.destroy();
    const sync = await syncing(serving, other);
    for (const _ of numbers(5)) await sync();
    hold.release('/0');
    for (const _ of numbers(5)) await sync();
    expect(hold.begun).toEqual(['/0']);
  });

  it('end it where they are too many, and only one was made', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch });
    const client = await dial(serving, neighbour);
    client.socket.write(get('/burst').repeat(1000));
    await until(client.isClosed, 'the end of the connection');
    hold.release('/burst');
    expect(hold.begun).toEqual(['/burst']);
    expect(client.seen()).toBe('');
  });

  it('let their peer in again after a second only, and others at once', async () => {
    let shiftMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + shiftMs);
    const serving = await start({});
    const greedy = await dial(serving, neighbour);
    greedy.socket.write(get('/burst').repeat(1000));
    await until(greedy.isClosed, 'the end of the connection');
    const again = await dial(serving, neighbour);
    await until(again.isClosed, 'the end of the next one');
    expect(again.seen()).toBe('');
    const sync = await syncing(serving, other);
    await sync();
    shiftMs = 1000;
    const late = await syncing(serving, neighbour);
    await late();
    vi.restoreAllMocks();
  });

  it('are not even made into requests to the end of a burst', async () => {
    let made = 0;
    const count = (): void => void (made += 1);
    subscribe('http.server.request.start', count);
    const serving = await start({ fetch: holding().fetch });
    const client = await dial(serving, neighbour);
    client.socket.write(get('/burst').repeat(1000));
    await until(client.isClosed, 'the end of the connection');
    unsubscribe('http.server.request.start', count);
    expect(made).toBeLessThanOrEqual(33);
  });

  it('end with the first refusal where too many of the peer wait', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { waiting: 2 } });
    const client = await dial(serving, neighbour);
    client.socket.write(
      numbers(6)
        .map((index) => get(`/${index}`))
        .join(''),
    );
    for (const index of numbers(3)) {
      await until(() => hold.held().includes(`/${index}`), `the turn of ${index}`);
      hold.release(`/${index}`);
    }
    await until(client.isClosed, 'the end of the connection');
    expect(statusesOf(client)).toEqual([200, 200, 200, 503]);
    expect(client.seen()).toMatch(/503 .*^Connection: close\r$.*too-many-waiting/ims);
  });

  it('end it also where each is refused at once', async () => {
    const serving = await start({});
    const client = await dial(serving, neighbour);
    client.socket.write('GET / HTTP/1.1\r\nHost: example.org\r\n\r\n'.repeat(1000));
    await until(client.isClosed, 'the end of the connection');
  });

  it('have a body collected when it is their turn', async () => {
    const hold = holding();
    const bodies: string[] = [];
    const serving = await start({
      fetch: async (request) => {
        if (request.method === 'POST') bodies.push(await request.text());
        return hold.fetch(request);
      },
    });
    const client = await dial(serving, neighbour);
    client.socket.write(`${get('/first')}POST /second HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello`);
    await until(() => hold.begun.length === 1, 'the first');
    hold.release('/first');
    await until(() => hold.begun.length === 2, 'the second');
    expect(bodies).toEqual(['hello']);
    hold.release('/second');
    await until(() => client.seen().endsWith('of /second.'), 'its answer');
  });
});

describe('requests of one peer', () => {
  /** Sends one request on each of so many connections, each read before the next is sent. */
  const sendEach = async (serving: Serving, from: string, count: number): Promise<readonly Client[]> => {
    const sync = await syncing(serving, other);
    const sent: Client[] = [];
    for (const index of numbers(count)) {
      const client = await dial(serving, from);
      client.socket.write(get(`/${index}`));
      await sync();
      sent.push(client);
    }
    return sent;
  };

  it('wait in order beyond 8, and beyond 64 that wait are refused with the time to try again', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { connectionsPerPeer: 80 } });
    const sent = await sendEach(serving, neighbour, 73);
    await until(() => hold.begun.length === 8, 'eight');
    const last = sent.at(-1);
    await until(() => last?.seen().includes('too-many-waiting') === true, 'the refusal');
    expect(last?.seen()).toMatch(/^HTTP\/1\.1 503 /);
    expect(last?.seen()).toMatch(/^Retry-After: 1\r$/im);
    expect(sent.slice(0, 72).map(({ seen }) => seen())).toEqual(numbers(72).map(() => ''));
    for (const index of numbers(72)) {
      hold.release(`/${index}`);
      await until(() => sent[index]?.seen().endsWith(`of /${index}.`) === true, `the answer of ${index}`);
    }
    expect(hold.begun).toEqual(numbers(72).map((index) => `/${index}`));
    expect(hold.most()).toBe(8);
  });

  it('leave the machine itself its own 16, and other peers theirs', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch });
    await sendEach(serving, neighbour, 20);
    const own = await Promise.all(numbers(18).map(() => dial(serving)));
    own.forEach(({ socket }, index) => socket.write(get(`/own/${index}`)));
    await until(() => hold.begun.length === 8 + 16, 'those of the machine itself');
    const sync = await syncing(serving, '127.0.0.4');
    await sync();
    expect(hold.begun.filter((path) => path.startsWith('/own/'))).toHaveLength(16);
  });

  it('keep their place until their handler has ended, although they were hung up', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch });
    const sent = await sendEach(serving, neighbour, 8);
    for (const { socket } of sent) socket.destroy();
    const sync = await syncing(serving, other);
    const ninth = await dial(serving, neighbour);
    ninth.socket.write(get('/ninth'));
    for (const _ of numbers(5)) await sync();
    expect(hold.begun).not.toContain('/ninth');
    hold.release('/3');
    await until(() => hold.begun.includes('/ninth'), 'the ninth');
  });

  it('that wait are not made once they were hung up', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch });
    const sent = await sendEach(serving, neighbour, 11);
    const sync = await syncing(serving, other);
    for (const index of [8, 9]) sent[index]?.socket.destroy();
    for (const _ of numbers(5)) await sync();
    for (const index of [0, 1, 2]) hold.release(`/${index}`);
    await until(() => hold.begun.includes('/10'), 'the one that is still there');
    expect(hold.begun).toEqual([...numbers(8), 10].map((index) => `/${index}`));
  });

  it('whose bodies are still coming take no place', async () => {
    const serving = await start({});
    for (const client of await Promise.all(numbers(10).map(() => dial(serving, neighbour))))
      client.socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhe');
    await (
      await syncing(serving, neighbour)
    )();
  });

  it('that are live streams take no place', async () => {
    let streams = 0;
    const serving = await start({
      fetch: (request) => {
        if (!request.url.endsWith('/stream')) return new Response('');
        streams += 1;
        return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    for (const client of await Promise.all(numbers(20).map(() => dial(serving, neighbour))))
      client.socket.write(get('/stream'));
    await until(() => streams === 20, 'the streams');
    await (
      await syncing(serving, neighbour)
    )();
  });

  it('that wait for the start of the agent take no place, and are made eight at a time when it is there', async () => {
    const hold = holding();
    let starts = (): void => {};
    const started = new Promise<void>((resolve) => (starts = resolve));
    let waiting = 0;
    const serving = await start({
      fetch: async (request, { aside }) => {
        if (request.url.endsWith('/sync')) return new Response('');
        waiting += 1;
        await aside(started);
        return hold.fetch(request);
      },
    });
    const sent = await sendEach(serving, neighbour, 20);
    await until(() => waiting === 20, 'all of them waiting');
    await (
      await syncing(serving, neighbour)
    )();
    sent[19]?.socket.destroy();
    starts();
    await until(() => hold.begun.length === 8, 'the first eight');
    for (const index of numbers(19)) {
      await until(() => hold.held().length > 0, 'one that is being made');
      hold.release(hold.held()[0] ?? '');
      await until(() => sent.filter((one) => statusesOf(one).length > 0).length === index + 1, 'its answer');
    }
    expect(hold.most()).toBe(8);
    expect(hold.begun).not.toContain('/19');
  });

  it('that take long let those of others come between', async () => {
    let heavy = 0;
    const serving = await start({
      fetch: (request) => {
        if (request.url.endsWith('/sync')) return new Response('');
        heavy += 1;
        for (const last = performance.now() + 5; performance.now() < last;);
        return new Response('');
      },
    });
    const flood = await Promise.all(numbers(30).map(() => dial(serving, neighbour)));
    const sync = await syncing(serving, other);
    await sync();
    for (const { socket } of flood) socket.write(get('/heavy').repeat(2));
    await until(() => heavy > 0, 'the flood');
    const between: number[] = [];
    const made = (): number => heavy;
    while (made() < 45) {
      const before = made();
      await sync();
      between.push(made() - before);
    }
    await until(() => heavy === 60, 'the end of the flood');
    expect(between.length).toBeGreaterThan(8);
    expect(Math.max(...between)).toBeLessThanOrEqual(4);
    expect(flood.every((client) => statusesOf(client).every((status) => status === 200))).toBe(true);
  });
});

describe('connections', () => {
  it('of a new peer take the place of the one idle longest of the peer with most', async () => {
    const serving = await start({ bounds: { connections: 6, connectionsPerPeer: 4 } });
    const first: Client[] = [];
    for (const _ of numbers(4)) first.push(await dial(serving, neighbour));
    const second = [await dial(serving, other), await dial(serving, other)];
    const use = await syncing(serving, '127.0.0.1');
    await use();
    first[0]?.socket.write(get('/sync'));
    await until(() => first[0]?.seen() !== '', 'an answer');
    const third = await dial(serving, '127.0.0.4');
    await until(() => first[1]?.isClosed() === true, 'the end of the one idle longest');
    third.socket.write(get('/'));
    await until(() => statusesOf(third).length === 1, 'an answer for the newcomer');
    expect(first.map(({ isClosed }) => isClosed())).toEqual([false, true, false, false]);
    expect(second.some(({ isClosed }) => isClosed())).toBe(false);
  });

  it('of a peer who would have as many as the one with most take none from it that is in use', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { connections: 2 } });
    const used = [await dial(serving, neighbour), await dial(serving, other)];
    used.forEach(({ socket }, index) => socket.write(get(`/${index}`)));
    await until(() => hold.begun.length === 2, 'both');
    const third = await dial(serving, '127.0.0.4');
    await until(third.isClosed, 'the end of the newcomer');
    expect(used.some(({ isClosed }) => isClosed())).toBe(false);
  });

  it('of a browser that are in use are not cut for many addresses with a few each', async () => {
    const hold = holding();
    const serving = await start({ fetch: hold.fetch, bounds: { connections: 10 } });
    const browser = await Promise.all(numbers(6).map(() => dial(serving, neighbour)));
    const many = await Promise.all(numbers(4).map((index) => dial(serving, `127.0.1.${index + 1}`)));
    [...browser, ...many].forEach(({ socket }, index) => socket.write(get(`/${index}`)));
    await until(() => hold.begun.length === 10, 'all of them');
    for (const index of numbers(3)) await until((await dial(serving, `127.0.2.${index + 1}`)).isClosed, 'the end');
    expect([...browser, ...many].some(({ isClosed }) => isClosed())).toBe(false);
  });

  it('of the machine itself have places that nobody else can take, and take none from others', async () => {
    const serving = await start({ bounds: { connections: 2, connectionsPerPeer: 2, loopbackConnections: 2 } });
    const others = [await dial(serving, neighbour), await dial(serving, neighbour)];
    const own = [await dial(serving), await dial(serving)];
    for (const { socket } of [...others, ...own]) socket.write(get('/'));
    await until(() => [...others, ...own].every((client) => statusesOf(client).length === 1), 'all answers');
    const more = [await dial(serving), await dial(serving, neighbour)];
    await until(() => more.every(({ isClosed }) => isClosed()), 'the end of those beyond');
  });
});

describe('ten pages that are open at one address', () => {
  it('all work: the page, what belongs to it, and its live stream', async () => {
    const streams = new Set<number>();
    const serving = await start({
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/events') {
          streams.add(streams.size);
          return new Response(
            new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('event: status\n\n')) }),
            { headers: { 'content-type': 'text/event-stream' } },
          );
        }
        await turn();
        return new Response(pathname.repeat(2000), { headers: { 'content-type': 'text/html' } });
      },
    });
    const read = (agent: Agent, path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = ask(
          { agent, host: '127.0.0.1', port: serving.port, path, localAddress: neighbour },
          (response) => {
            // A live stream is there with its first piece.
            response.once('data', () => path === '/events' && resolve(response.statusCode ?? 0));
            response.on('end', () => resolve(response.statusCode ?? 0));
          },
        );
        asked.on('error', reject);
        asked.end();
      });
    // A browser opens six connections to one host.
    const browsers = numbers(10).map(() => new Agent({ keepAlive: true, maxSockets: 6 }));
    const page = (agent: Agent, index: number): Promise<readonly number[]> =>
      Promise.all([
        read(agent, '/events'),
        read(agent, '/'),
        ...numbers(12).map((asset) => read(agent, `/assets/${index}/${asset}`)),
        ...numbers(4).map((image) => read(agent, `/image/${index}/${image}.png`)),
      ]);
    const statuses = await Promise.all(browsers.map(page));
    for (const agent of browsers) agent.destroy();
    expect(new Set(statuses.flat())).toEqual(new Set([200]));
    expect(statuses.flat()).toHaveLength(180);
    expect(streams.size).toBe(10);
  });
});

it('a request that is refused for now says nothing of who asked', async () => {
  const hold = holding();
  const serving = await start({ fetch: hold.fetch, bounds: { making: 1, waiting: 0 } });
  const first = await dial(serving, neighbour);
  first.socket.write(get('/held'));
  await until(() => hold.begun.length === 1, 'the first');
  const second = await dial(serving, neighbour);
  second.socket.write('GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await until(second.isClosed, 'the refusal');
  expect(second.seen()).toMatch(/"error":"too-many-waiting"/);
  expect(second.seen()).not.toContain(neighbour);
  expect((await exchange(serving, 'GET /sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status).toBe(
    200,
  );
});
