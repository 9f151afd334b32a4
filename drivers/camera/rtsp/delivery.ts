import type { Socket } from 'node:net';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { StreamBounds } from './bounds.ts';
import type { PacketisedUnit } from './packetise.ts';
import { DOLLAR } from './rtp.ts';
import type { UdpPair } from './udp-pair.ts';

/** The way of pictures to one client that plays. */
export interface Delivery {
  readonly unit: (unit: PacketisedUnit) => void;
  /** A packet of RTCP. */
  readonly control: (packet: Buffer) => void;
  /** Sends nothing before the next key frame: what comes between belongs to pictures that the client does not have. */
  readonly skipToKey: () => void;
  /** Most bytes that may be sent at once. */
  readonly burstBytes: number;
  /** True if it reads no unit any more that it was given. */
  readonly isDone: () => boolean;
  /** True if the client has taken nothing for too long; to be asked regularly. */
  readonly isStalled: (now: Milliseconds) => boolean;
}

type TcpBounds = Pick<StreamBounds, 'queuedBytes' | 'resumeBytes' | 'stalledMs'>;

/** A frame of RTCP on a channel of a TCP connection. */
function framed(channel: number, packet: Buffer): Buffer {
  const head = Buffer.from([DOLLAR, channel, 0, 0]);
  head.writeUInt16BE(packet.length, 2);
  return Buffer.concat([head, packet]);
}

/** Over the client's own connection. A slow client skips to a key frame, and no other client waits for it. */
export function tcpDelivery(
  socket: Pick<Socket, 'write' | 'writableLength' | 'bytesWritten' | 'destroyed'>,
  [data, control]: readonly [number, number],
  bounds: TcpBounds,
): Delivery {
  let isSkipping = false;
  let taken = -1;
  let takenAt: Milliseconds | null = null;
  return {
    unit: (unit) => {
      if (socket.writableLength > bounds.queuedBytes) isSkipping = true;
      if (isSkipping && (!unit.isKey || socket.writableLength > bounds.resumeBytes)) return;
      isSkipping = false;
      socket.write(unit.interleaved(data));
    },
    control: (packet) => {
      if (!socket.destroyed && socket.writableLength <= bounds.queuedBytes) socket.write(framed(control, packet));
    },
    skipToKey: () => {
      isSkipping = true;
    },
    burstBytes: bounds.queuedBytes,
    // Written at once: the system has a copy.
    isDone: () => socket.writableLength === 0,
    isStalled: (now) => {
      // `bytesWritten` counts what waits as well.
      const sent = socket.bytesWritten - socket.writableLength;
      if (takenAt === null || sent !== taken || socket.writableLength === 0) {
        taken = sent;
        takenAt = now;
      }
      return now - takenAt >= bounds.stalledMs;
    },
  };
}

/** To two ports of the client's own address. */
export function udpDelivery(
  pair: UdpPair,
  address: string,
  [data, control]: readonly [number, number],
  burstBytes: number,
): Delivery {
  let isSkipping = false;
  return {
    unit: (unit) => {
      if (isSkipping && !unit.isKey) return;
      isSkipping = false;
      unit.each((packet) => pair.send('data', packet, { address, port: data }));
    },
    control: (packet) => pair.send('control', packet, { address, port: control }),
    skipToKey: () => {
      isSkipping = true;
    },
    burstBytes,
    isDone: () => false,
    isStalled: () => false,
  };
}
