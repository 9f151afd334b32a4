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

/** Gives memory for that many bytes, never the same twice. */
export type TakeMemory = (bytes: number) => Buffer;

/** Memory of which units are parts: memory of each one's own, 17 kB, would be collected one by one. */
export function packetMemory(): TakeMemory {
  let slab = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (bytes > SLAB_BYTES / MOST_SHARE) return Buffer.allocUnsafeSlow(bytes);
    if (used + bytes > slab.length) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      used = 0;
    }
    used += bytes;
    return slab.subarray(used - bytes, used);
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
  length <= PAYLOAD_BYTES ? 1 : Math.ceil((length - 1) / (PAYLOAD_BYTES - FRAGMENT_BYTES));

/** Number of packets that units take. */
export const packetCount = (nals: readonly Buffer[]): number => nals.reduce((sum, nal) => sum + fragmentsOf(nal), 0);

/** Bytes of payload of a NAL unit: a fragment repeats its first byte in two. */
function payloadOf(nal: Buffer): number {
  const fragments = fragmentsOf(nal);
  return fragments === 1 ? nal.length : nal.length - 1 + fragments * FRAGMENT_BYTES;
}

/** Copies with another channel in each frame. */
function onChannel(buffer: Buffer, starts: readonly number[], channel: number): Buffer {
  const copy = Buffer.from(buffer);
  for (const at of starts) copy[at + 1] = channel;
  return copy;
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

  const begin = (length: number): void => {
    starts.push(at);
    buffer.writeUInt16BE(DOLLAR << 8, at);
    buffer.writeUInt16BE(RTP_BYTES + length, at + 2);
    buffer[at + 4] = VERSION;
    buffer[at + 5] = PAYLOAD_TYPE | (starts.length === packets ? MARKER : 0);
    buffer.writeUInt16BE((head.sequence + starts.length - 1) & 0xffff, at + 6);
    buffer.writeUInt32BE(head.timestamp, at + 8);
    buffer.writeUInt32BE(head.source, at + 12);
    at += FRAME_BYTES + RTP_BYTES;
  };
  const single = (nal: Buffer): void => {
    begin(nal.length);
    at += nal.copy(buffer, at);
  };
  const fragments = (nal: Buffer): void => {
    const indicator = ((nal[0] ?? 0) & 0xe0) | FRAGMENT_TYPE;
    const type = (nal[0] ?? 0) & 0x1f;
    for (let from = 1; from < nal.length; from += PAYLOAD_BYTES - FRAGMENT_BYTES) {
      const to = Math.min(nal.length, from + PAYLOAD_BYTES - FRAGMENT_BYTES);
      begin(FRAGMENT_BYTES + to - from);
      buffer[at] = indicator;
      buffer[at + 1] = type | (from === 1 ? START : 0) | (to === nal.length ? END : 0);
      at += FRAGMENT_BYTES;
      at += nal.copy(buffer, at, from, to);
    }
  };
  for (const nal of nals) (fragmentsOf(nal) === 1 ? single : fragments)(nal);

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
