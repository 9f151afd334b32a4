import { createServer, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { packetBound } from '#drivers/mqtt/packet-bound.ts';
import { desiredBroker } from '#machines/mqtt/desired-broker.ts';
import type { DesiredFact, PasswordCommand } from '#machines/mqtt/events.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { shownLink } from '#machines/mqtt/phase.ts';
import { freePort, until } from '#test/broker/mosquitto.ts';

const MOST = 128 * 1024;
const PUBLISH = 0x30;

/** The fixed header of a packet of so many bytes. */
const headerOf = (length: number, type = PUBLISH): readonly number[] => {
  const bytes = [type];
  for (let left = length; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 128);
    if (left < 128) return bytes;
  }
};
const packet = (length: number): Buffer => Buffer.concat([Buffer.from(headerOf(length)), Buffer.alloc(length, 0xff)]);

/** At which read of so many bytes each a stream is found too large; -1 for none. */
const foundAt = (stream: Buffer, size: number): number => {
  const isTooLarge = packetBound(MOST);
  for (let at = 0; at < stream.length; at += size)
    if (isTooLarge(stream.subarray(at, at + size))) return Math.floor(at / size);
  return -1;
};

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
    for (const size of sizes) expect(foundAt(stream, size) >= 0, `reads of ${size} bytes`).toBe(tooLarge);
  });

  it('is seen at the header: what was announced need not come', () => {
    expect(foundAt(Buffer.from(headerOf(200_000_000)), 1)).toBeLessThan(5);
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
      socket.once('data', (connect: Buffer) => {
        // CONNECT names its protocol version behind the name "MQTT" of its variable header.
        const version = connect[connect.indexOf('MQTT') + 4];
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
          connection: brokerClient({ readPassword: async () => null, now: () => 1 }),
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
        passwordMark: null,
        passwordRevision: 0,
        addressFamily: 'Automatic',
        panelId: 'hall',
        installId: 'a'.repeat(32),
        found: { outcome: 'none', host: null, name: null },
      }),
    });
    await until('a third attempt', () => link.getSnapshot().context.attempt >= 3);
    expect(link.getSnapshot().context.failure).toBe('packet-too-large');
    expect(shownLink(link.getSnapshot())).toMatchObject({ failure: 'packet-too-large' });
    // What the kernel buffers on the way was sent, and never taken by the agent.
    for (const bytes of taken) expect(bytes).toBeLessThan(ANNOUNCED / 8);
    expect(Math.max(most, process.memoryUsage().rss) - before).toBeLessThan(64 * 1024 * 1024);
  });
});
