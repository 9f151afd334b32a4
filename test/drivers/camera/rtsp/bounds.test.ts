import { connect, createServer } from 'node:net';
import { once } from 'node:events';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { rtspServer } from '#drivers/camera/rtsp/server.ts';
import { isFact, runDriver } from '../../run-driver.ts';
import { readFilm, testHub } from './film.ts';
import { closeAll, connectTo, limits, open, overTcp, play, startServer, until } from './rig.ts';

afterEach(closeAll);

const named = (name: string) => () => ({ name, network: '' });

describe('places', () => {
  it('are 16 for clients in all, the machine itself included', async () => {
    const { port, url, film } = await startServer();
    film.show(1);
    for (let index = 0; index < 16; index += 1) await play(await connectTo(port), url);
    const late = await connectTo(port);
    const { status, headers } = await late.ask('DESCRIBE', url);
    expect({ status, token: headers.get('x-camera') }).toEqual({ status: 503, token: 'camera-busy' });
  });

  it('are 8 for the clients of another peer', async () => {
    const { port, url, film } = await startServer({ nameOf: named('192.0.2.1') });
    film.show(1);
    for (let index = 0; index < 8; index += 1) await play(await connectTo(port), url);
    expect((await (await connectTo(port)).ask('DESCRIBE', url)).status).toBe(503);
  });

  it('are 4 for its connections that do not play', async () => {
    const { port, url, film } = await startServer({ nameOf: named('192.0.2.1') });
    film.show(1);
    const clients = [];
    for (let index = 0; index < 4; index += 1) clients.push(await connectTo(port));
    for (const client of clients) await client.ask('OPTIONS', url);
    const fifth = await connectTo(port);
    await until('the fifth is closed', () => fifth.isClosed());
    const [first] = clients;
    if (first !== undefined) await play(first, url);
    expect((await (await connectTo(port)).ask('OPTIONS', url)).status).toBe(200);
  });

  it('are none for a peer of another network', async () => {
    const { port } = await startServer({ isLanPeer: () => false });
    const client = await connectTo(port);
    await until('it is closed', () => client.isClosed());
    expect(client.answers).toEqual([]);
  });
});

describe('times', () => {
  it('a connection that does not play ends after 15 s', async () => {
    const { port, url, clock } = await startServer();
    const client = await connectTo(port);
    await client.ask('OPTIONS', url);
    clock.now += 14_900;
    await client.ask('OPTIONS', url);
    clock.now += 100;
    await until('it ends', () => client.isClosed());
  });

  it('a lease ends 10 s after DESCRIBE without PLAY', async () => {
    const { port, url, clock, server } = await startServer();
    const client = await connectTo(port);
    await client.ask('DESCRIBE', url);
    clock.now += 10_000;
    await server.until(isFact('stream.left'));
    expect((await client.ask('SETUP', `${url}/trackID=0`, overTcp)).status).toBe(455);
  });

  it('a head may take 10 s, also while it plays', async () => {
    const { port, url, clock, film } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await play(client, url);
    clock.now += 30_000;
    expect((await client.ask('OPTIONS', url)).status).toBe(200);
    client.send('OPTIONS');
    await until('it arrived', () => client.socket.bytesWritten > 0 && client.socket.writableLength === 0);
    // The clock goes on until the piece has been read.
    const timer = setInterval(() => (clock.now += 1000), 5);
    open.push(() => clearInterval(timer));
    await until('it ends', () => client.isClosed());
  });
});

describe('the server wakes', () => {
  it('by pictures alone while all clients play, and by itself again when one comes or the camera ends', async () => {
    const bounds = { tickMs: 7, playingTickMs: 1000, waitingTickMs: 54_321 };
    const { port, url, clock, film, hub, server } = await startServer({ bounds });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    open.push(() => timers.mockRestore());
    /** The pauses of the server's own timers since the last look. */
    const pauses = (): readonly (number | undefined)[] => {
      const found = timers.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 7 || ms === 54_321);
      timers.mockClear();
      return found;
    };
    const isCalm = (): boolean => pauses().at(-1) === 54_321;
    film.show(1);
    const client = await connectTo(port);
    await play(client, url);
    await until('all play', isCalm);
    film.show(30);
    expect(pauses()).toEqual([]);
    clock.now += 1000;
    film.show(30);
    expect(pauses()).toEqual([54_321]);

    const second = await connectTo(port);
    await until('the server looks at it', () => pauses().includes(7));
    second.socket.destroy();
    await until('all play again', isCalm);
    hub.end();
    expect(pauses()).toEqual([7]);
    clock.now += 5000;
    await server.until(isFact('stream.left'));
    await until('it is closed', () => client.isClosed());
  });
});

describe('input', () => {
  it.each([
    ['a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])],
    ['HTTP', 'GET / HTTP/1.1\r\nHost: panel\r\n\r\n'],
    ['a packet before any request', Buffer.from([0x24, 0, 0, 1, 0])],
  ])('%s is closed without an answer', async (_, bytes) => {
    const { port } = await startServer();
    const client = await connectTo(port);
    client.send(bytes);
    await until('it is closed', () => client.isClosed());
    expect(client.answers).toEqual([]);
  });

  it('a head beyond 8 kB is refused', async () => {
    const { port } = await startServer();
    const client = await connectTo(port);
    client.send(`OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX: ${'x'.repeat(9000)}`);
    expect((await client.answer(0)).status).toBe(413);
    await until('it is closed', () => client.isClosed());
  });

  it('more than 20 requests in a second end the connection', async () => {
    const { port, url, clock } = await startServer();
    const client = await connectTo(port);
    for (let index = 0; index < 20; index += 1) await client.ask('OPTIONS', url);
    clock.now += 1000;
    for (let index = 0; index < 20; index += 1) await client.ask('OPTIONS', url);
    client.send('OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n');
    await until('it is closed', () => client.isClosed());
    expect(client.answers).toHaveLength(40);
  });

  it('more than 64 kB in a second end the connection', async () => {
    const { port, url, film } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await play(client, url);
    client.send(Buffer.concat([Buffer.from([0x24, 1, 0xff, 0xff]), Buffer.alloc(65_535)]));
    await until('it is closed', () => client.isClosed());
  });
});

describe('the port', () => {
  it('is tried again while it is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const deps = { hub: testHub(), elapsed: () => 0, limits, isLanPeer: () => true, addresses: ['127.0.0.1'] };
    const server = runDriver(rtspServer({ ...deps, bounds: { retryMs: 10 } }), { port });
    open.push(async () => {
      server.stop();
      await server.settled();
    });
    expect(await server.until(isFact('stream.blocked'))).toEqual({ type: 'stream.blocked', code: 'port-taken' });
    other.close();
    expect(await server.until(isFact('stream.listening'))).toEqual({ type: 'stream.listening', port });
    expect(server.facts).toHaveLength(2);
  });

  it('is closed within a second of the end, with all clients', async () => {
    const { port, url, film, server } = await startServer();
    film.show(1);
    const playing = await connectTo(port);
    await play(playing, url);
    const idle = await connectTo(port);
    await idle.ask('OPTIONS', url);
    const began = performance.now();
    server.stop();
    await server.settled();
    expect(performance.now() - began).toBeLessThan(1000);
    await until('both are closed', () => playing.isClosed() && idle.isClosed());
    const [error] = (await once(connect({ port, host: '127.0.0.1' }), 'error')) as [{ code?: string }];
    expect(error.code).toBe('ECONNREFUSED');
  });
});

describe('commands and captures', () => {
  it('stream.drop ends all clients, one that waits for the camera too', async () => {
    const { port, url, server } = await startServer({ admits: false });
    const client = await connectTo(port);
    const answer = client.ask('DESCRIBE', url);
    await server.until(isFact('stream.wanted'));
    const idle = await connectTo(port);
    await idle.ask('OPTIONS', url);
    server.tell({ type: 'stream.drop' });
    expect((await answer).headers.get('x-camera')).toBe('camera-stopping');
    await server.until(isFact('stream.left'));
    await until('it is closed', () => client.isClosed());
    expect(idle.isClosed()).toBe(false);
  });

  it('a client that leaves while it waits is told as left', async () => {
    const { port, url, server } = await startServer({ admits: false });
    const client = await connectTo(port);
    client.send(`DESCRIBE ${url} RTSP/1.0\r\nCSeq: 1\r\n\r\n`);
    await server.until(isFact('stream.wanted'));
    client.socket.destroy();
    await server.until(isFact('stream.left'));
  });

  it('clients go on with the next capture, by the same source and with times that go on', async () => {
    const { port, url, film, hub, clock, server } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await play(client, url);
    const packets = () => client.frames.filter(({ channel }) => channel === 0).map(({ packet }) => packet);
    await until('a picture', () => packets().length > 0);
    const before = packets().at(-1);
    hub.end();
    clock.now += 3000;
    const { format, units } = readFilm();
    hub.begin(format);
    const count = packets().length;
    // One that no key frame came before is not sent.
    const [key, next] = units;
    if (key === undefined || next === undefined || before === undefined) throw new Error('the film is too short');
    hub.publish(next);
    hub.publish({ ...key, timestampMs: 40 });
    await until('the key frame', () => packets().length > count);
    const [first] = packets().slice(count);
    expect((first?.[12] ?? 0) & 0x1f).toBe(7);
    expect(first?.readUInt32BE(8)).toBe(before.readUInt32BE(8));
    expect(((first?.readUInt32BE(4) ?? 0) - before.readUInt32BE(4) + 2 ** 32) % 2 ** 32).toBeGreaterThanOrEqual(
      3000 * 90,
    );
    expect(server.facts.some(({ type }) => type === 'stream.left')).toBe(false);
  });

  it('clients end if no capture follows within 5 s', async () => {
    const { port, url, film, hub, clock, server } = await startServer();
    film.show(1);
    const client = await connectTo(port);
    await play(client, url);
    hub.end();
    clock.now += 4900;
    expect((await client.ask('OPTIONS', url)).status).toBe(200);
    clock.now += 100;
    await server.until(isFact('stream.left'));
    await until('it is closed', () => client.isClosed());
  });
});
