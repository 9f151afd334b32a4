import { RtpPacket } from 'rtp.js/packets';
import { afterEach, describe, expect, it } from 'vitest';

import { streamBounds } from '#drivers/camera/rtsp/bounds.ts';
import { type Delivery, tcpDelivery } from '#drivers/camera/rtsp/delivery.ts';
import { packetCount, packetise, packetMemory, PAYLOAD_BYTES } from '#drivers/camera/rtsp/packetise.ts';
import { createRelay } from '#drivers/camera/rtsp/relay.ts';
import { isFact } from '../../run-driver.ts';
import { projector, readFilm, testHub } from './film.ts';
import { depacketise, viewOf } from './packets.ts';
import { closeAll, connectTo, play, startServer, until } from './rig.ts';

afterEach(closeAll);

function nal(length: number, type = 1): Buffer {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
  bytes[0] = 0x60 | type;
  return bytes;
}

/** Compared as bytes: element by element takes seconds. */
const same = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
  some.length === others.length && some.every((one, at) => one.equals(others[at] ?? Buffer.alloc(0)));

describe('an access unit', () => {
  it.each([1, 2, PAYLOAD_BYTES - 1, PAYLOAD_BYTES, PAYLOAD_BYTES + 1, 2797, 2798, 70_000])(
    'of %i bytes is packed and read again',
    (length) => {
      const nals = [nal(20, 7), nal(4, 8), nal(length, 5)];
      const head = { source: 0xfedcba98, sequence: 0xfffe, timestamp: 0xffffffff };
      const unit = packetise(nals, head, true);
      const packets: Buffer[] = [];
      unit.each((packet) => packets.push(packet));
      expect(packets).toHaveLength(packetCount(nals));
      expect(Math.max(...packets.map((packet) => packet.length))).toBeLessThanOrEqual(12 + PAYLOAD_BYTES);
      const read = packets.map((packet) => new RtpPacket(viewOf(packet)));
      expect(same(depacketise(read), nals)).toBe(true);
      read.forEach((packet, index) => {
        expect(packet.getMarker()).toBe(index === read.length - 1);
        expect(packet.getSequenceNumber()).toBe((0xfffe + index) & 0xffff);
        expect([packet.getSsrc(), packet.getTimestamp()]).toEqual([head.source, head.timestamp]);
      });
      expect(unit.payloadBytes).toBe(read.reduce((sum, packet) => sum + packet.getPayload().byteLength, 0));
    },
  );

  it('shares its memory with others, and keeps its bytes', () => {
    const { take } = packetMemory();
    const made = Array.from({ length: 40 }, (_, index) => {
      const nals = [nal(17_000 + index, 1)];
      return { nals, unit: packetise(nals, { source: 1, sequence: index * 20, timestamp: index }, false, take) };
    });
    for (const { nals, unit } of made) {
      const packets: Buffer[] = [];
      unit.each((packet) => packets.push(packet));
      expect(same(depacketise(packets.map((packet) => new RtpPacket(viewOf(packet)))), nals)).toBe(true);
    }
    // One piece of 512 kB takes 29 of them.
    expect(new Set(made.map(({ unit }) => unit.interleaved(0).buffer)).size).toBe(2);
    expect([take(200_000), take(200_000)].map(({ buffer }) => buffer.byteLength)).toEqual([200_000, 200_000]);
  });

  it('leaves no byte of its memory unwritten, whatever its parts', () => {
    const take = (bytes: number) => Buffer.alloc(bytes, 0xee);
    const parts = [nal(3), nal(2 * PAYLOAD_BYTES)];
    const nals = [nal(0), ...parts, nal(0)];
    const unit = packetise(nals, { source: 1, sequence: 1, timestamp: 1 }, true, take);
    const packets: Buffer[] = [];
    unit.each((packet) => packets.push(packet));
    expect(same(depacketise(packets.map((packet) => new RtpPacket(viewOf(packet)))), parts)).toBe(true);
    expect(packets).toHaveLength(packetCount(nals));
    expect(unit.interleaved(0)).toHaveLength(packets.reduce((sum, { length }) => sum + 4 + length, 0));
  });

  it('is one buffer for all clients of a channel', () => {
    const unit = packetise([nal(3000)], { source: 1, sequence: 1, timestamp: 1 }, false);
    expect(unit.interleaved(0)).toBe(unit.interleaved(0));
    const other = unit.interleaved(6);
    expect(unit.interleaved(6)).toBe(other);
    for (let at = 0; at < other.length; at += 4 + other.readUInt16BE(at + 2))
      expect([other[at], other[at + 1]]).toEqual([0x24, 6]);
  });
});

describe('memory', () => {
  it('that is given back is given again, the one that was taken before it is not', () => {
    const { take, giveBack } = packetMemory();
    const first = take(1000);
    const second = take(1000);
    giveBack();
    const third = take(500);
    const [at, begins] = [first.byteOffset, second.byteOffset];
    expect([begins - at, third.byteOffset - begins, third.buffer === first.buffer]).toEqual([1000, 0, true]);
    take(200_000);
    giveBack();
    expect(take(10).byteOffset).toBe(begins + 500);
    giveBack();
    giveBack();
    expect(take(10).byteOffset).toBe(begins + 500);
  });

  it('is not written again while a client still reads it', () => {
    const hub = testHub();
    const read: Buffer[] = [];
    let isSlow = true;
    const guard = <Args extends unknown[], Result>(call: (...args: Args) => Result) => call;
    const relay = createRelay({ hub, elapsed: () => 0, guard, onCapture: () => {}, onPicture: () => {} });
    const delivery = (isDone: () => boolean): Delivery => ({
      unit: (unit) => void read.push(unit.interleaved(0)),
      control: () => {},
      skipToKey: () => {},
      burstBytes: 0,
      isDone,
      isStalled: () => false,
    });
    relay.open();
    hub.begin(readFilm().format);
    relay.join(
      delivery(() => true),
      () => {},
    );
    relay.join(
      delivery(() => !isSlow),
      () => {},
    );
    const film = projector(hub);
    const placesOf = (count: number): Set<number> => {
      read.length = 0;
      film.show(count);
      return new Set(read.map(({ byteOffset }) => byteOffset));
    };
    expect(placesOf(5).size).toBe(5);
    const [slow, before] = [[...read], read.map((bytes) => bytes.toString('hex'))];
    isSlow = false;
    expect(placesOf(5).size).toBe(1);
    expect(slow.map((bytes) => bytes.toString('hex'))).toEqual(before);
  });
});

describe('a slow client', () => {
  const unit = (isKey: boolean) => packetise([nal(100)], { source: 1, sequence: 1, timestamp: 1 }, isKey);
  const socket = { written: 0, writableLength: 0, bytesWritten: 0, destroyed: false, write: () => true };
  const start = () => {
    const fake = { ...socket, writes: 0, write: () => ((fake.writes += 1), true) };
    return { fake, delivery: tcpDelivery(fake, [0, 1], streamBounds) };
  };

  it('skips to a key frame once its queue is half empty', () => {
    const { fake, delivery } = start();
    delivery.unit(unit(false));
    fake.writableLength = streamBounds.queuedBytes + 1;
    delivery.unit(unit(false));
    delivery.control(Buffer.alloc(8));
    fake.writableLength = streamBounds.resumeBytes + 1;
    delivery.unit(unit(true));
    fake.writableLength = streamBounds.resumeBytes;
    delivery.unit(unit(false));
    expect(fake.writes).toBe(1);
    delivery.unit(unit(true));
    delivery.unit(unit(false));
    expect(fake.writes).toBe(3);
  });

  it('reads what it was given until its queue is empty', () => {
    const { fake, delivery } = start();
    delivery.unit(unit(true));
    expect(delivery.isDone()).toBe(true);
    fake.writableLength = 1;
    expect(delivery.isDone()).toBe(false);
  });

  it('is stalled if nothing leaves its queue for 10 s', () => {
    const { fake, delivery } = start();
    expect(delivery.isStalled(0)).toBe(false);
    Object.assign(fake, { writableLength: 500, bytesWritten: 1000 });
    expect(delivery.isStalled(1000)).toBe(false);
    // More is queued, nothing is taken.
    Object.assign(fake, { writableLength: 700, bytesWritten: 1200 });
    expect(delivery.isStalled(10_999)).toBe(false);
    expect(delivery.isStalled(11_000)).toBe(true);
    fake.writableLength = 600;
    expect(delivery.isStalled(12_000)).toBe(false);
  });

  it('is closed after 10 s without drain, while another loses nothing', async () => {
    const { film, port, url, clock, server } = await startServer({
      bounds: { queuedBytes: 20_000, resumeBytes: 10_000 },
    });
    film.show(1);
    const slow = await connectTo(port);
    await play(slow, url);
    const other = await connectTo(port);
    await play(other, url);
    const pictures = () =>
      new Set(other.frames.filter(({ channel }) => channel === 0).map(({ packet }) => packet.readUInt32BE(4)));
    slow.socket.pause();
    let shown = 1;
    // The kernel takes some megabytes for a reader that reads nothing; 1,800 pictures are 5 MB.
    for (let round = 0; round < 40; round += 1) {
      film.show(45);
      shown += 45;
      await until('the other has all', () => pictures().size === shown);
    }
    const timer = setInterval(() => (clock.now += 1000), 5);
    const left = await server.until(isFact('stream.left'));
    clearInterval(timer);
    expect(left.client).toBe(1);
    expect(other.isClosed()).toBe(false);
  });
});
