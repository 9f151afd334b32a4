import { randomInt } from 'node:crypto';

import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { AccessUnit, FrameHub, StreamFormat } from '../frames.ts';
import { goodbye, senderReport } from './control-packets.ts';
import type { Delivery } from './delivery.ts';
import type { Guard } from './guard.ts';
import { packetCount, packetise, type PacketisedUnit, packetMemory } from './packetise.ts';
import { createRtpClock } from './rtp-clock.ts';
import { UNITS_PER_MS } from './rtp.ts';

/** The first packet that a client gets, as `RTP-Info` names it. */
export interface FirstPacket {
  readonly sequence: number;
  readonly timestamp: number;
}

/** Passes the pictures of a hub on: each is packed once for all clients. */
export interface Relay {
  /** Reads the hub, unless it does already. */
  readonly open: () => void;
  readonly close: () => void;
  /** The format of the capture; null while there is none. */
  readonly format: () => StreamFormat | null;
  /** When the capture ended; null while there is one, or before the first. */
  readonly endedAt: () => Milliseconds | null;
  /**
   * Adds a client: calls `announce` with its first packet if that is known, then sends it the pictures since the newest
   * key frame.
   */
  readonly join: (delivery: Delivery, announce: (first: FirstPacket | null) => void) => void;
  /** Removes a client, which is told so if the server ends its stream. */
  readonly leave: (delivery: Delivery, isEnd: boolean) => void;
  /** Sends a sender report to all. */
  readonly report: () => void;
}

export interface RelayDeps {
  readonly hub: FrameHub;
  readonly elapsed: () => Milliseconds;
  /** Called when a capture begins or ends. */
  readonly onCapture: () => void;
  /** Called after each picture. */
  readonly onPicture: () => void;
  readonly guard: Guard;
  /** Time of day, for sender reports. */
  readonly now?: () => EpochMs;
}

const RANDOM_32 = 2 ** 32;
const SEQUENCES = 0x1_0000;

export function createRelay({ hub, elapsed, onCapture, onPicture, guard, now = Date.now }: RelayDeps): Relay {
  const source = randomInt(RANDOM_32);
  const clock = createRtpClock(randomInt(RANDOM_32), elapsed);
  const players = new Set<Delivery>();
  const memory = packetMemory();
  let format: StreamFormat | null = null;
  let endedAt: Milliseconds | null = null;
  let sequence = randomInt(SEQUENCES);
  let counts = { packets: 0, payloadBytes: 0 };
  let stop: (() => void) | null = null;

  const nalsOf = ({ nals, isKey }: AccessUnit): readonly Buffer[] =>
    isKey && format !== null ? [format.sps, format.pps, ...nals] : nals;

  const onUnit = (unit: AccessUnit): void => {
    const timestamp = clock.at(unit.timestampMs);
    if (players.size === 0) return;
    const packed = packetise(nalsOf(unit), { source, sequence, timestamp }, unit.isKey, memory.take);
    sequence = (sequence + packed.packets) % SEQUENCES;
    counts = {
      packets: counts.packets + packed.packets,
      payloadBytes: counts.payloadBytes + packed.payloadBytes,
    };
    let isRead = false;
    for (const player of players) {
      player.unit(packed);
      isRead ||= !player.isDone();
    }
    if (!isRead) memory.giveBack();
    onPicture();
  };

  /**
   * The pictures since the newest key frame, with the sequence numbers that they had, and times in steps of 1 ms before
   * the newest: a client that paces by them shows the newest at once, where the times as they were would keep it as far
   * behind as the key frame is old.
   */
  const replay = (mostBytes: number): readonly PacketisedUnit[] => {
    const group = hub.group();
    const newest = group.at(-1);
    const bytes = group.reduce((sum, { nals }) => nals.reduce((more, { length }) => more + length, sum), 0);
    if (newest === undefined || format === null || bytes > mostBytes) return [];
    const last = clock.at(newest.timestampMs);
    let next = sequence - group.reduce((sum, unit) => sum + packetCount(nalsOf(unit)), 0);
    return group.map((unit, index) => {
      const timestamp = (last - (group.length - 1 - index) * UNITS_PER_MS + RANDOM_32) % RANDOM_32;
      const packed = packetise(nalsOf(unit), { source, sequence: next & 0xffff, timestamp }, unit.isKey);
      next += packed.packets;
      return packed;
    });
  };
  const reportTo = (player: Delivery): void => player.control(senderReport(source, now(), clock.now(), counts));

  return {
    open: () => {
      if (stop !== null) return;
      stop = hub.read({
        onFormat: guard((begun) => {
          format = begun;
          endedAt = null;
          onCapture();
        }),
        onUnit: guard(onUnit),
        onEnd: guard(() => {
          format = null;
          endedAt = elapsed();
          clock.restart();
          for (const player of players) player.skipToKey();
          onCapture();
        }),
      });
      format = hub.format();
      endedAt = null;
      clock.restart();
    },
    close: () => {
      stop?.();
      stop = null;
      format = null;
    },
    format: () => format,
    endedAt: () => endedAt,
    join: (delivery, announce) => {
      const units = replay(delivery.burstBytes);
      const first = units[0]?.interleaved(0);
      announce(first === undefined ? null : { sequence: first.readUInt16BE(6), timestamp: first.readUInt32BE(8) });
      reportTo(delivery);
      if (units.length === 0) delivery.skipToKey();
      for (const unit of units) delivery.unit(unit);
      players.add(delivery);
    },
    leave: (delivery, isEnd) => {
      if (players.delete(delivery) && isEnd) delivery.control(goodbye(source, now(), clock.now(), counts));
    },
    report: () => {
      for (const player of players) reportTo(player);
    },
  };
}
