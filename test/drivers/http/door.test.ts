import { afterEach, describe, expect, it } from 'vitest';

import type { Door, Upgrade } from '#drivers/http/door.ts';
import { exchange, type WireResponse } from '#test/network/wire.ts';
import { dial, get, hangUp, statusesOf } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

let running: Serving | undefined;
afterEach(async () => {
  hangUp();
  await running?.stop();
  running = undefined;
});

const PATH = '/door';

/** A door that keeps what it takes, and says hello. */
function hall(isOpen = true): Door & { readonly taken: Upgrade[] } {
  const taken: Upgrade[] = [];
  return {
    path: PATH,
    taken,
    take: (upgrade) => {
      if (!isOpen) return false;
      taken.push(upgrade);
      upgrade.socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\nhello');
      return true;
    },
  };
}

async function start(deps: Parameters<typeof serve>[0] = {}) {
  const door = hall();
  running = await serve({ door, ...deps });
  return { serving: running, door };
}

function errorOf(response: WireResponse): unknown {
  const body: unknown = JSON.parse(response.body);
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
}
const asking = (path = PATH, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', ...headers, '', ''].join(
    '\r\n',
  );
const once = (path: string, ...headers: readonly string[]): string =>
  asking(path, ...headers).replace('Connection: Upgrade', 'Connection: Upgrade, close');

describe('the door', () => {
  it('takes over the connection of an admitted request, with what came behind it', async () => {
    const { serving, door } = await start();
    const client = await dial(serving, '127.0.0.5');
    client.socket.write(`${asking(`${PATH}?x=1`)}behind`);
    await until(() => client.seen().endsWith('hello'), 'hello');
    expect(door.taken.map(({ head, address }) => [head.toString(), address])).toEqual([['behind', '127.0.0.5']]);
    const [taken] = door.taken;
    taken?.socket.on('data', (bytes: Buffer) => taken.socket.write(`<${bytes.toString()}>`));
    client.socket.write('more');
    await until(() => client.seen().endsWith('<more>'), 'an echo');
  });

  it('takes one over that had answers before', async () => {
    const { serving, door } = await start();
    const client = await dial(serving);
    client.socket.write(get('/first'));
    await until(() => client.seen().endsWith('fine'), 'an answer');
    client.socket.write(asking());
    await until(() => client.seen().endsWith('hello'), 'hello');
    expect(door.taken).toHaveLength(1);
  });

  it.each([
    ['Origin: http://localhost', 'cross-origin-refused'],
    ['ORIGIN: null', 'cross-origin-refused'],
    ['Referer: http://localhost/', 'cross-origin-refused'],
    ['Sec-Fetch-Site: none', 'cross-origin-refused'],
    ['Sec-Fetch-Mode: websocket', 'cross-origin-refused'],
    ['sec-fetch-anything: x', 'cross-origin-refused'],
    ['Host: localhost', 'host-not-allowed'],
  ])('refuses a request with %j', async (header, error) => {
    const { serving, door } = await start();
    const response = await exchange(serving, once(PATH, header));
    expect([response.status, errorOf(response)]).toEqual([403, error]);
    expect(door.taken).toEqual([]);
  });

  it('refuses another host, as every request', async () => {
    const { serving, door } = await start();
    const response = await exchange(serving, once(PATH).replace('Host: localhost', 'Host: evil.example'));
    expect(errorOf(response)).toBe('host-not-allowed');
    expect(door.taken).toEqual([]);
  });

  it.each([
    ['another path', once('/other')],
    ['another spelling of the path', once('/x/../door')],
    ['a longer path', once('/door/')],
    ['another method', once(PATH).replace('GET', 'POST')],
  ])('answers a WebSocket elsewhere as before: %s', async (_, bytes) => {
    const { serving, door } = await start();
    const response = await exchange(serving, bytes);
    expect([response.status, errorOf(response)]).toEqual([400, 'no-websocket']);
    expect(door.taken).toEqual([]);
  });

  it('says that nothing serves it at present', async () => {
    const { serving } = await start({ door: hall(false) });
    const response = await exchange(serving, once(PATH));
    expect([response.status, errorOf(response), response.headers['retry-after']]).toEqual([503, 'restarting', '2']);
  });

  it('cuts a connection that is still owed a response', async () => {
    const { serving, door } = await start({ fetch: () => new Promise(() => {}) });
    const client = await dial(serving);
    client.socket.write(get('/slow') + asking());
    await until(client.isClosed, 'cut');
    expect([client.seen(), door.taken.length]).toEqual(['', 0]);
  });

  it('refuses CONNECT as before', async () => {
    const { serving, door } = await start();
    const response = await exchange(
      serving,
      `CONNECT ${PATH} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(door.taken).toEqual([]);
  });
});

describe('an upgrade to HTTP/2', () => {
  const h2c = (path: string, ...more: readonly string[]): string =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
      ...more,
      '',
      '',
    ].join('\r\n');

  it.each(['/', PATH])('is an ordinary request at %s', async (path) => {
    const { serving, door } = await start();
    const client = await dial(serving);
    // In turn: Node drops what is sent behind such a request before its answer, with or without a door.
    for (const [index, request] of [h2c(path), h2c('/second'), get('/third')].entries()) {
      client.socket.write(request);
      await until(() => statusesOf(client).length === index + 1, 'an answer');
    }
    expect(statusesOf(client)).toEqual([200, 200, 200]);
    expect(door.taken).toEqual([]);
  });

  it('keeps its body', async () => {
    const { serving } = await start({ fetch: async (request) => new Response(`got ${await request.text()}`) });
    const client = await dial(serving);
    client.socket.write(`${h2c('/write', 'Content-Length: 4').replace('GET', 'POST')}body`);
    await until(() => client.seen().endsWith('got body'), 'an answer');
    client.socket.write(get('/next'));
    await until(() => statusesOf(client).length === 2, 'two answers');
  });
});

describe('a connection that was taken over', () => {
  const takenBy = async (serving: Serving, from = '127.0.0.5') => {
    const client = await dial(serving, from);
    client.socket.write(asking());
    await until(() => client.seen().endsWith('hello'), 'hello');
    return client;
  };

  it('counts for its peer, until it ends', async () => {
    const { serving, door } = await start({
      bounds: { connectionsPerPeer: 2 },
      nameOf: (name) => ({ name, network: '' }),
    });
    await takenBy(serving);
    await takenBy(serving);
    const third = await dial(serving, '127.0.0.5');
    await until(third.isClosed, 'refused');
    expect((await dial(serving, '127.0.0.6')).isClosed()).toBe(false);
    door.taken[0]?.socket.destroy();
    const fourth = await takenBy(serving);
    expect(fourth.isClosed()).toBe(false);
  });

  it('makes no room for newcomers', async () => {
    const { serving } = await start({ bounds: { connections: 2 }, nameOf: (name) => ({ name, network: '' }) });
    const kept = await takenBy(serving);
    const idle = await dial(serving, '127.0.0.6');
    const newcomer = await dial(serving, '127.0.0.7');
    await until(idle.isClosed, 'the idle one is evicted');
    newcomer.socket.write(get('/'));
    await until(() => statusesOf(newcomer).length === 1, 'an answer');
    expect(kept.isClosed()).toBe(false);
  });

  it('ends with the listener, after what was written on it', async () => {
    const { serving, door } = await start();
    const client = await takenBy(serving);
    door.taken[0]?.socket.write('bye');
    await serving.stop();
    await until(client.isClosed, 'closed');
    expect(client.seen().endsWith('bye')).toBe(true);
  });

  it('is cut when the listener stops and its peer reads nothing', async () => {
    const { serving, door } = await start({ bounds: { drainMs: 50 } });
    const client = await dial(serving, '127.0.0.5', false);
    client.socket.write(asking());
    await until(() => door.taken.length === 1, 'taken');
    door.taken[0]?.socket.write(Buffer.alloc(32 * 1024 * 1024));
    await serving.stop();
    expect(door.taken[0]?.socket.destroyed).toBe(true);
  });

  it('is cut when the listener stops while it waits for the start', async () => {
    const { serving, door } = await start({ whenLoaded: () => new Promise(() => {}) });
    const client = await dial(serving);
    client.socket.write(asking());
    await dial(serving, '127.0.0.9');
    await serving.stop();
    await until(client.isClosed, 'closed');
    expect(door.taken).toEqual([]);
  });
});
