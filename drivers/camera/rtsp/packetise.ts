import { DOLLAR, FRAME_BYTES, PAYLOAD_TYPE, VERSION } from './rtp.ts';

/** Largest payload of a packet in bytes: with all headers, IPv6's among them, below an Ethernet frame's 1500. */
export const PAYLOAD_BYTES = 1400;
const RTP_BYTES = 12;
/** Indicator and header of a fragment (RFC 6184, section 5.8). */
const FRAGMENT_BYTES = 2;
const FRAGMENT_TYPE = 28;
const MARKER = 0x80;
const START = 0x80;
const END = 0x40;

/** Bytes of memory that several units share; a larger share of it is memory of its own. */
const SLAB_BYTES = 512 * 1024;
const MOST_SHARE = 4;

/** Gives memory for that many bytes. */
export type TakeMemory = (bytes: number) => Buffer;

export interface PacketMemory {
  /** Gives memory that no one else has. */
  readonly take: TakeMemory;
  /** The memory that was taken last may be given again: no one reads it any more. */
  readonly giveBack: () => void;
}

/**
 * Memory of which units are parts: memory of each one's own, 17 kB, would be collected one by one. While each is given
 * back, it is the same few pages, which stay in the caches.
 */
export function packetMemory(): PacketMemory {
  let slab = Buffer.alloc(0);
  let used = 0;
  let last = 0;
  return {
    take: (bytes) => {
      last = used;
      if (bytes > SLAB_BYTES / MOST_SHARE) return Buffer.allocUnsafeSlow(bytes);
      if (used + bytes > slab.length) {
        slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
        last = 0;
      }
      used = last + bytes;
      return slab.subarray(last, used);
    },
    giveBack: () => {
      used = last;
    },
  };
}

export interface PacketHead {
  readonly source: number;
  /** Of the first packet. */
  readonly sequence: number;
  readonly timestamp: number;
}

/** The packets of one access unit, in the form of a TCP connection: built once for all clients. */
export interface PacketisedUnit {
  readonly isKey: boolean;
  readonly packets: number;
  /** Bytes of payload, as sender reports count them. */
  readonly payloadBytes: number;
  /** All packets, each behind its frame, for a channel. */
  readonly interleaved: (channel: number) => Buffer;
  /** Calls with each packet without its frame. */
  readonly each: (send: (packet: Buffer) => void) => void;
}

const fragmentsOf = ({ length }: Buffer): number =>
  length <= PAYLOAD_BYTES ? Math.min(1, length) : Math.ceil((length - 1) / (PAYLOAD_BYTES - FRAGMENT_BYTES));

/** Number of packets that units take. */
export const packetCount = (nals: readonly Buffer[]): number => nals.reduce((sum, nal) => sum + fragmentsOf(nal), 0);

/** Bytes of payload of a NAL unit: a fragment repeats its first byte in two. */
function payloadOf(nal: Buffer): number {
  const fragments = fragmentsOf(nal);
  return fragments <= 1 ? nal.length : nal.length - 1 + fragments * FRAGMENT_BYTES;
}

/** Copies with another channel in each frame. */
function onChannel(buffer: Buffer, starts: readonly number[], channel: number): Buffer {
  const copy = Buffer.from(buffer);
  for (const at of starts) copy[at + 1] = channel;
  return copy;
}

/**
 * Writes the frame of a packet of that many bytes and its RTP header (RFC 3550, section 5.1), without the marker; the
 * place after it. Byte by byte: at 15 pictures a second V8 does not inline Buffer's own methods.
 */
function writeHead(buffer: Buffer, start: number, length: number, { source, sequence, timestamp }: PacketHead): number {
  buffer[start] = DOLLAR;
  buffer[start + 1] = 0;
  buffer[start + 2] = length >>> 8;
  buffer[start + 3] = length;
  buffer[start + 4] = VERSION;
  buffer[start + 5] = PAYLOAD_TYPE;
  buffer[start + 6] = sequence >>> 8;
  buffer[start + 7] = sequence;
  buffer[start + 8] = timestamp >>> 24;
  buffer[start + 9] = timestamp >>> 16;
  buffer[start + 10] = timestamp >>> 8;
  buffer[start + 11] = timestamp;
  buffer[start + 12] = source >>> 24;
  buffer[start + 13] = source >>> 16;
  buffer[start + 14] = source >>> 8;
  buffer[start + 15] = source;
  return start + FRAME_BYTES + RTP_BYTES;
}

/** Packs NAL units as single packets or fragments (RFC 6184, packetization-mode 1); the last packet has the marker. */
export function packetise(
  nals: readonly Buffer[],
  head: PacketHead,
  isKey: boolean,
  take: TakeMemory = (bytes) => Buffer.allocUnsafe(bytes),
): PacketisedUnit {
  const packets = packetCount(nals);
  const payloadBytes = nals.reduce((sum, nal) => sum + payloadOf(nal), 0);
  const buffer = take(payloadBytes + packets * (FRAME_BYTES + RTP_BYTES));
  const starts: number[] = [];
  let at = 0;
  for (const nal of nals) {
    const isWhole = fragmentsOf(nal) <= 1;
    const first = nal[0] ?? 0;
    const step = isWhole ? nal.length : PAYLOAD_BYTES - FRAGMENT_BYTES;
    // Copied to the end of its packets, and moved to the front in parts: cheaper than a view of each part.
    const copied = at + payloadOf(nal) + fragmentsOf(nal) * (FRAME_BYTES + RTP_BYTES) - nal.length;
    buffer.set(nal, copied);
    for (let from = isWhole ? 0 : 1; from < nal.length; from += step) {
      const to = Math.min(nal.length, from + step);
      const length = RTP_BYTES + (isWhole ? 0 : FRAGMENT_BYTES) + to - from;
      const { source, sequence, timestamp } = head;
      starts.push(at);
      at = writeHead(buffer, at, length, { source, sequence: sequence + starts.length - 1, timestamp });
      if (!isWhole) {
        buffer[at] = (first & 0xe0) | FRAGMENT_TYPE;
        buffer[at + 1] = (first & 0x1f) | (from === 1 ? START : 0) | (to === nal.length ? END : 0);
        at += FRAGMENT_BYTES;
        buffer.copyWithin(at, copied + from, copied + to);
      }
      at += to - from;
    }
  }
  const lastStart = starts.at(-1);
  if (lastStart !== undefined) buffer[lastStart + 5] = PAYLOAD_TYPE | MARKER;

  const byChannel = new Map<number, Buffer>([[0, buffer]]);
  return {
    isKey,
    packets,
    payloadBytes,
    interleaved: (channel) => {
      const known = byChannel.get(channel);
      if (known !== undefined) return known;
      const made = onChannel(buffer, starts, channel);
      byChannel.set(channel, made);
      return made;
    },
    each: (send) => {
      starts.forEach((start, index) => send(buffer.subarray(start + FRAME_BYTES, starts[index + 1] ?? buffer.length)));
    },
  };
}
