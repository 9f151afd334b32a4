import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { sealedBy } from '#drivers/companion/sealed.ts';
import type { SessionFact } from '#machines/companion/events.ts';
import { channels, SOCKET_PATH } from '#machines/companion/wire.ts';
import { isFact } from '#test/drivers/run-driver.ts';
import { amount } from '#test/fakes/amount.ts';
import {
  type CompanionClient,
  connectCompanion,
  Ended,
  greet,
  homeClient,
  type Line,
  openLine,
  pairCompanion,
  prove,
} from '#test/fakes/companion-client.ts';
import { initiate } from '#test/fakes/noise-initiator.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { pairedKey, servePanel, type ServedPanel } from './served.ts';

const key = pairedKey(1);
let panel: ServedPanel;
/** A session that has to live through all of it. */
let live: CompanionClient;
const sockets: Socket[] = [];
async function begin(deps: Parameters<typeof servePanel>[0] = {}): Promise<void> {
  panel = await servePanel({ ...deps, nameOf: (address) => ({ name: address, network: '' }) });
  live = await connectCompanion({ port: panel.port, key, from: '127.0.0.2' });
  await live.set('screen', null);
}
beforeEach(() => begin());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // No other got in, nothing else was carried out, and the live session answers.
  expect((await live.set('screen', null)).ok).toBe(true);
  expect(panel.received.every(({ session }) => session === 1)).toBe(true);
  expect([...panel.opened]).toEqual([1]);
  expect(panel.driver.facts.filter(({ type }) => type === 'session.opened')).toHaveLength(1);
  expect(panel.driver.crashed()).toBeUndefined();
  await panel.stop();
});

const lineOf = (): Promise<Line> => openLine({ port: panel.port });
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => 'in',
    (reason: unknown) => reason,
  );
  return error instanceof Ended ? [error.refused?.code ?? null, error.closeCode] : error;
}

describe('one with a wrong key', () => {
  it('is refused without a word', async () => {
    const line = await lineOf();
    const { prologue } = await greet(line, {}, key.keyId);
    expect(await outcomeOf(prove(line, prologue, pairedKey(2).key))).toEqual([null, 1008]);
  });

  it('is refused if it was revoked, also between the proof and the first message', async () => {
    const line = await lineOf();
    const second = pairedKey(2);
    panel.driver.tell({ type: 'sessions.keys', keys: [key, second] });
    const { prologue } = await greet(line, {}, second.keyId);
    const sealed = await prove(line, prologue, second.key);
    panel.driver.tell({ type: 'sessions.keys', keys: [key] });
    line.socket.send(sealed.seal(channels.json, Buffer.from('{"type":"phase","phase":"running"}')));
    expect(await line.closed).toBe(1008);
    expect(await outcomeOf(connectCompanion({ port: panel.port, key: second }))).toEqual(['unknown-key', 1008]);
  });

  it('is refused with the right key and another greeting than the panel saw', async () => {
    const line = await lineOf();
    const { prologue } = await greet(line, {}, key.keyId);
    const changed = Buffer.from(prologue);
    changed[40] = (changed[40] ?? 0) ^ 1;
    expect(await outcomeOf(prove(line, changed, key.key))).toEqual([null, 1008]);
  });
});

describe('one who recorded a connection', () => {
  it('gets nowhere with all that Home Assistant sent, and replaces nothing', async () => {
    const recorded: Buffer[] = [];
    const line = await lineOf();
    const { hello, prologue } = await greet(line, {}, key.keyId);
    const initiation = initiate({ psk: Buffer.from(key.key, 'hex'), prologue });
    recorded.push(initiation.message);
    line.socket.send(initiation.message);
    const finished = initiation.finish((await line.next()).bytes);
    if (finished === null) throw new Error('not proved');
    recorded.push(sealedBy(finished.transport).seal(channels.json, Buffer.from('{"type":"phase","phase":"running"}')));
    line.socket.terminate();

    const again = await lineOf();
    expect((await greet(again, {}, key.keyId)).hello).toEqual(hello);
    const [first = Buffer.alloc(0), phase = Buffer.alloc(0)] = recorded;
    again.socket.send(first);
    expect((await again.next()).bytes).toHaveLength(48);
    again.socket.send(phase);
    expect(await again.closed).toBe(1008);
  });
});

describe('one in between', () => {
  it('that changes a bit of a sealed frame ends that session, and no command is carried out', async () => {
    const second = pairedKey(2);
    panel.driver.tell({ type: 'sessions.keys', keys: [key, second] });
    const line = await lineOf();
    const { prologue } = await greet(line, {}, second.keyId);
    const sealed = await prove(line, prologue, second.key);
    const frame = sealed.seal(channels.json, Buffer.from('{"type":"phase","phase":"running"}'));
    frame[5] = (frame[5] ?? 0) ^ 1;
    line.socket.send(frame);
    expect(await line.closed).toBe(1008);
  });

  it('at a pairing makes the two ends see different digits', async () => {
    // To the panel it is a Home Assistant of its own; the real one is on another pairing, with it.
    const ofAttacker = await pairCompanion({ port: panel.port });
    const other = await servePanel({ keys: [] });
    const ofHome = await pairCompanion({ port: other.port });
    const wanted = await panel.driver.until(isFact<SessionFact, 'pairing.wanted'>('pairing.wanted'));
    expect(ofAttacker.agreed.digits).toBe(wanted.digits);
    expect(ofHome.agreed.digits).not.toBe(wanted.digits);
    ofAttacker.cut();
    ofHome.cut();
    await other.stop();
  });
});

describe('a page in a browser', () => {
  it.each([
    [{ Origin: 'http://evil.example' }],
    [{ Origin: 'null' }],
    [{ Referer: 'http://127.0.0.1/' }],
    [{ 'Sec-Fetch-Site': 'same-origin' }],
  ])('is refused before the upgrade: %j', async (headers) => {
    const work = openLine({ port: panel.port, headers });
    await expect(work).rejects.toThrow('Unexpected server response: 403');
  });
});

describe('one who knows no measure', () => {
  it('is refused beyond 4 connections a peer and 16 in all, and gets a place back', async () => {
    const lines: Line[] = [];
    for (let index = 0; index < 16; index += 1)
      lines.push(await openLine({ port: panel.port, from: `127.0.0.${10 + Math.floor(index / 4)}` }));
    expect(await outcomeOf(openLine({ port: panel.port, from: '127.0.0.10' }).then((line) => greet(line, {})))).toEqual(
      ['too-many', 1008],
    );
    expect(await outcomeOf(openLine({ port: panel.port, from: '127.0.0.99' }).then((line) => greet(line, {})))).toEqual(
      ['too-many', 1008],
    );
    lines[0]?.socket.terminate();
    const again = async (): Promise<string> =>
      String(await outcomeOf(openLine({ port: panel.port, from: '127.0.0.99' }).then((line) => greet(line, {}))));
    await expect.poll(again).toBe('in');
  });

  it('is refused beyond 5 handshakes a second', async () => {
    await panel.stop();
    await begin({ limits: { handshakesPerSecond: 5, unprovenOfPeer: 100, unproven: 100 } });
    const attempt = () => outcomeOf(openLine({ port: panel.port, from: '127.0.0.9' }).then((line) => greet(line, {})));
    for (let index = 0; index < 5; index += 1) expect(await attempt()).toBe('in');
    expect(await attempt()).toEqual(['too-many', 1008]);
    panel.clock.pass(1_100);
    expect(await attempt()).toBe('in');
  });

  it('is cut when it sends pings or large frames instead of a proof', async () => {
    const [pinging, large] = [await lineOf(), await lineOf()];
    for (let sent = 0; sent < 2000; sent += 1) pinging.socket.ping('x'.repeat(100));
    expect(await pinging.closed).toBe(1006);
    large.socket.send('x'.repeat(5000));
    expect(await large.closed).toBe(1009);
  });

  it('leaves no more behind than it may while it connects in a flood', async () => {
    const flood = amount(300, 3000);
    const before = process.memoryUsage().heapUsed;
    let over = 0;
    for (let index = 0; index < flood; index += 1) {
      const socket = connect(panel.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('close', () => (over += 1)).resume();
      socket.write(
        `GET ${SOCKET_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
    }
    // Those that the kernel kept waiting come in meanwhile.
    const allOver = async (): Promise<number> => {
      expect((await live.set('screen', null)).ok).toBe(true);
      panel.clock.pass(5_000, 100);
      return over;
    };
    await expect.poll(allOver, { timeout: 45_000 }).toBe(flood);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64_000_000);
  });
});

/** A text or frame with something wrong with it. */
function mutated(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  return pick<() => Buffer>(random, [
    () => (copy.writeUInt8((copy[at] ?? 0) ^ (1 << random(8)), at), copy),
    () => copy.subarray(0, at),
    () => Buffer.concat([copy, copy.subarray(at)]),
    () =>
      Buffer.concat([
        copy.subarray(0, at),
        Buffer.from(pick(random, ['"', '{', '[[[[', '\u0000', '1e999', '\\u'])),
        copy.subarray(at),
      ]),
    () =>
      Buffer.from(
        copy.toString('latin1').replaceAll(/[0-9a-f]{16}/g, () => 'f'.repeat(random(40))),
        'latin1',
      ),
    () => Buffer.from('['.repeat(random(2000))),
    () => Buffer.alloc(random(4000), random(256)),
  ])();
}

describe('mutated greetings and frames', () => {
  /** Whatever comes of it, the connection ends, or waits until its time is over. */
  const attack = async (random: Random): Promise<void> => {
    const line = await openLine({ port: panel.port, from: `127.0.1.${1 + random(200)}` });
    const frames: readonly (readonly [Buffer, boolean])[] = [
      [
        Buffer.from(
          JSON.stringify({
            type: 'hello',
            protocol: [1, 1],
            client: homeClient,
            ...(random(2) === 0 && { key_id: key.keyId }),
          }),
        ),
        false,
      ],
      [Buffer.from(JSON.stringify({ type: 'pair', commit: 'ab'.repeat(32) })), false],
      [Buffer.alloc(48, random(256)), true],
      [Buffer.from(JSON.stringify({ type: 'reveal', key: 'ab'.repeat(32), nonce: 'cd'.repeat(16) })), false],
    ];
    const wrong = random(frames.length);
    for (const [index, [bytes, binary]] of frames.entries()) {
      if (line.socket.readyState !== WebSocket.OPEN) break;
      const isWrong = index === wrong || random(3) === 0;
      line.socket.send(isWrong ? mutated(random, bytes) : bytes, { binary: random(20) === 0 ? !binary : binary });
    }
    line.socket.close();
    await line.closed;
  };

  it('get in nowhere', async () => {
    const random = sequence(39);
    const rounds = amount(1000, 10_000);
    const before = process.memoryUsage().heapUsed;
    for (let done = 0; done < rounds; done += 4) await Promise.all([0, 1, 2, 3].map(() => attack(random)));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(128_000_000);
    expect(panel.driver.facts.map(({ type }) => type)).not.toContain('pairing.wanted');
  });

  it('of raw bytes end their connection', async () => {
    const random = sequence(40);
    const head = Buffer.from(
      `GET ${SOCKET_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    for (let done = 0; done < amount(100, 1000); done += 1) {
      const socket = connect({ port: panel.port, host: '127.0.0.1', localAddress: `127.0.1.${1 + random(200)}` });
      sockets.push(socket);
      const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
      socket.on('error', () => {}).resume();
      socket.end(
        random(2) === 0 ? mutated(random, head) : Buffer.concat([head, mutated(random, Buffer.alloc(200, 0x81))]),
      );
      await closed;
    }
  });
});
