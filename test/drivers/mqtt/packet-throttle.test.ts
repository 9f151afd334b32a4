import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { throttlePackets } from '#drivers/mqtt/packet-throttle.ts';
import { packetWalk } from '#drivers/mqtt/packet-walk.ts';
import { desiredBroker } from '#machines/mqtt/desired-broker.ts';
import type { DesiredFact, PasswordCommand } from '#machines/mqtt/events.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { linkSnapshot } from '#machines/mqtt/phase.ts';
import { freePort, until } from '#test/broker/mosquitto.ts';

const MOST = 128 * 1024;
const PUBLISH = 0x30;

/** The fixed header of a packet of so many bytes. */
function headerOf(length: number, type = PUBLISH): readonly number[] {
  const bytes = [type];
  for (let left = length; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 128);
    if (left < 128) return bytes;
  }
}
const packet = (length: number): Buffer => Buffer.concat([Buffer.from(headerOf(length)), Buffer.alloc(length, 0xff)]);

/** At which read of so many bytes each a fault of a stream is found, and which; -1 for none. */
function foundAt(stream: Buffer, size: number): readonly [number, string | null] {
  const walk = packetWalk(MOST, 32);
  for (let at = 0; at < stream.length; at += size) {
    const { fault } = walk(stream.subarray(at, at + size));
    if (fault !== null) return [Math.floor(at / size), fault];
  }
  return [-1, null];
}

describe('the bound on packets', () => {
  const small = Buffer.concat([packet(0), packet(127), packet(128), packet(16_383), packet(16_384), packet(0)]);
  it.each([
    ['packets of every size below it', small, false],
    ['the largest that is taken', packet(MOST), false],
    ['many of the largest in a row', Buffer.concat([packet(MOST), packet(MOST), packet(2)]), false],
    ['one byte more', Buffer.from(headerOf(MOST + 1)), true],
    ['a publish of 200,000,000 bytes', Buffer.from(headerOf(200_000_000)), true],
    ['the largest that a length can say', Buffer.from(headerOf(268_435_455)), true],
    ['one behind packets that are taken', Buffer.concat([small, Buffer.from(headerOf(MOST + 1))]), true],
    ['another kind of packet', Buffer.from(headerOf(MOST + 1, 0x90)), true],
    ['a length that never ends', Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x80]), true],
    ['a length that begins and goes no further', Buffer.from([PUBLISH, 0xff, 0xff]), false],
  ])('holds for %s, however it is cut', (_, stream, tooLarge) => {
    const sizes = stream.length > 100_000 ? [stream.length, 65_536, 997] : [stream.length, 64, 7, 3, 2, 1];
    for (const size of sizes)
      expect(foundAt(stream, size)[1], `reads of ${size} bytes`).toBe(tooLarge ? 'packet-too-large' : null);
  });

  it('is seen at the header: what was announced need not come', () => {
    expect(foundAt(Buffer.from(headerOf(200_000_000)), 1)[0]).toBeLessThan(5);
  });

  it.each([0x34, 0x35, 0x3c, 0x36])('holds for a message that was sent with what nothing asked for: %i', (type) => {
    const stream = Buffer.concat([small, Buffer.from(headerOf(20, type)), Buffer.alloc(20)]);
    for (const size of [stream.length, 64, 7, 1]) expect(foundAt(stream, size)[1]).toBe('protocol-error');
  });

  it('holds for answers to pings that nobody sent', () => {
    const pings = Buffer.alloc(64 * 1024, Buffer.from([0xd0, 0]));
    expect(foundAt(pings, 4096)).toEqual([0, 'protocol-error']);
    // As a connection of years has them.
    expect(foundAt(pings, 2)).toEqual([-1, null]);
  });

  it.each([0x30, 0x31, 0x32, 0x33, 0x3b, 0xd0, 0x62])('does not hold for %i', (type) => {
    expect(foundAt(Buffer.concat([Buffer.from(headerOf(2, type)), Buffer.alloc(2)]), 1)).toEqual([-1, null]);
  });

  it('is found in parts of 32 packets, however the stream is cut, and none of its bytes is left out', () => {
    const stream = Buffer.concat(Array.from({ length: 500 }, (_, at) => packet(at % 40)));
    for (const size of [stream.length, 4096, 100, 1]) {
      const walk = packetWalk(MOST, 32);
      let seen = 0;
      for (let at = 0; at < stream.length; at += size) {
        const read = stream.subarray(at, at + size);
        const { slices } = walk(read);
        expect(slices.at(-1)?.end).toBe(read.length);
        expect(slices.map(({ end }) => end)).toEqual(slices.map(({ end }) => end).toSorted((a, b) => a - b));
        for (const { packets } of slices) {
          expect(packets).toBeLessThanOrEqual(32);
          seen += packets;
        }
      }
      expect(seen).toBe(500);
    }
  });
});

describe('the throttle in front of a broker', () => {
  const open: (() => void)[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const close of open.splice(0).toReversed()) close();
  });

  /** A throttle that is connected to a server, which is told of its connection. */
  const throttleTo = async (serve: (socket: Socket) => void) => {
    const port = await freePort();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      open.push(() => socket.destroy());
      serve(socket);
    });
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
    const faults: string[] = [];
    const throttled = throttlePackets(connect(port, '127.0.0.1'), MOST, (fault) => faults.push(fault));
    throttled.on('error', () => {});
    open.push(
      () => server.close(),
      () => void throttled.destroy(),
    );
    return { throttled, faults };
  };

  it('hands on 32 packets in a turn of the event loop at most, and all of them', async () => {
    // Acknowledgements of nothing.
    const flood = Buffer.alloc(64 * 1024, Buffer.from([0x40, 2, 0, 1]));
    const { throttled, faults } = await throttleTo((socket) => void socket.end(flood));
    let [turn, bytes, most] = [0, 0, 0];
    const count = (): void => {
      most = Math.max(most, turn);
      turn = 0;
      if (!throttled.destroyed) setImmediate(count);
    };
    setImmediate(count);
    throttled.on('data', (read: Buffer) => {
      turn += read.length / 4;
      bytes += read.length;
    });
    await new Promise((resolve) => throttled.once('close', resolve));
    expect([bytes, faults]).toEqual([flood.length, []]);
    expect(most).toBeLessThanOrEqual(64);
  });

  it('passes everything on in both ways, however slowly it is read', async () => {
    const sent = Buffer.concat(Array.from({ length: 3000 }, (_, at) => packet(at % 300)));
    const { throttled } = await throttleTo((socket) => {
      socket.pipe(socket);
    });
    const heard: Buffer[] = [];
    throttled.end(sent);
    for await (const read of throttled) {
      heard.push(read as Buffer);
      if (heard.length % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Buffer.concat(heard).equals(sent)).toBe(true);
  });

  describe('cuts a connection where what is sent is not read', () => {
    /** A throttle in front of a socket that takes nothing after its first piece. */
    const deaf = () => {
      const faults: string[] = [];
      const throttled = throttlePackets(new Duplex({ read: () => {}, write: () => {} }), MOST, (fault) =>
        faults.push(fault),
      );
      return { throttled, faults };
    };

    it.each([
      ['bytes', 64 * 1024, 17],
      ['pieces', 4, 16_385],
    ])('for too many %s', (_, size, most) => {
      const { throttled, faults } = deaf();
      for (let at = 0; at < most - 1; at += 1) throttled.write(Buffer.alloc(size));
      expect(faults).toEqual([]);
      throttled.write(Buffer.alloc(size));
      expect(faults).toEqual(['not-read']);
      expect(throttled.destroyed).toBe(true);
    });

    it('for too long', () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { throttled, faults } = deaf();
      throttled.write('x');
      vi.advanceTimersByTime(19_999);
      expect(faults).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(faults).toEqual(['not-read']);
    });
  });
});

describe('a broker that fills the memory', () => {
  const open: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  const ANNOUNCED = 200_000_000;
  const chunk = Buffer.alloc(64 * 1024);

  /** Says CONNACK to everybody, then sends one packet for as long as it is taken. */
  const greedyBroker = async () => {
    const taken: number[] = [];
    const sockets = new Set<Socket>();
    const serve = (socket: Socket): void => {
      sockets.add(socket);
      const nth = taken.push(0) - 1;
      let sent = 0;
      const pour = (): void => {
        while (sent < ANNOUNCED && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(chunk, () => void (taken[nth] = sent))) return void socket.once('drain', pour);
        }
      };
      socket.once('data', (request: Buffer) => {
        // CONNECT names its protocol version behind the name "MQTT" of its variable header.
        const version = request[request.indexOf('MQTT') + 4];
        socket.write(Buffer.from(version === 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]));
        socket.write(Buffer.from(headerOf(ANNOUNCED)));
        pour();
      });
      socket.on('error', () => {});
      socket.on('close', () => void sockets.delete(socket));
    };
    const port = await freePort();
    const server = createServer(serve);
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
    open.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    });
    return { port, taken };
  };

  it('is cut while its packet arrives, named by a code, and tried again with ever longer pauses', async () => {
    const { port, taken } = await greedyBroker();
    const before = process.memoryUsage().rss;
    const link = createActor(
      mqttMachine.provide({
        actors: {
          desired: fromDriver<PasswordCommand, undefined, DesiredFact>(() => {}),
          connection: brokerClient({ readPassword: async () => null, now: () => 1, messages: createMessageExchange() }),
        },
      }),
    );
    let most = 0;
    link.subscribe(() => {
      most = Math.max(most, process.memoryUsage().rss);
    });
    link.start();
    open.push(() => void link.stop());
    link.send({
      type: 'broker.desired',
      broker: desiredBroker({
        broker: `mqtt://127.0.0.1:${port}`,
        user: '',
        passwordSet: false,
        passwordRevision: 0,
        passwordMark: null,
        addressFamily: 'Automatic',
        panelId: 'hall',
        installId: 'a'.repeat(32),
        revision: 1,
        found: { outcome: 'none', host: null, name: null },
      }),
    });
    await until('a third attempt', () => link.getSnapshot().context.attempt >= 3);
    expect(link.getSnapshot().context.failure).toBe('packet-too-large');
    expect(linkSnapshot(link.getSnapshot())).toMatchObject({ failure: 'packet-too-large' });
    // What the kernel buffers on the way was sent, and never taken by the agent.
    for (const bytes of taken) expect(bytes).toBeLessThan(ANNOUNCED / 8);
    expect(Math.max(most, process.memoryUsage().rss) - before).toBeLessThan(64 * 1024 * 1024);
  });
});
