/** Bytes that a packet's remaining length may take (MQTT 3.1.1 2.2.3, MQTT 5 1.5.5). */
const LENGTH_BYTES = 4;
/** Types of packets, in the upper half of their first byte (MQTT 2.2.1). */
const PUBLISH = 3;
const PINGRESP = 13;
/** Most answers to pings in one read: one ping is under way at a time. */
const PINGS = 8;

/** Why a broker is not listened to any longer. */
export type PacketFault =
  /** It announced a packet of more bytes than are taken. */
  | 'packet-too-large'
  /**
   * It sends with QoS 2 or 3, which nothing was subscribed with (MQTT.js would keep such a message until its release),
   * or answers pings that nobody sent.
   */
  | 'protocol-error';

/** A part of a read: where it ends, and how many packets begin in it. */
interface Slice {
  readonly end: number;
  readonly packets: number;
}

/** What is found in one read of a broker's bytes. */
export interface Walked {
  readonly fault: PacketFault | null;
  /** The read in parts of at most so many packets, in order; all of it where there is no fault. */
  readonly slices: readonly Slice[];
}

/**
 * Follows the packets of a broker through its reads, by their fixed headers alone. What is announced in more bytes than
 * a length may take is no packet, and too large.
 */
export function packetWalk(mostBytes: number, mostPackets: number): (read: Uint8Array) => Walked {
  /** Bytes that are still to come of the packet under way, beyond its fixed header. */
  let rest = 0;
  /** Bytes of the fixed header under way: none, or its type and those of the length so far. */
  let header = 0;
  let length = 0;
  return (read) => {
    const slices: Slice[] = [];
    let packets = 0;
    let pings = 0;
    for (let at = 0; at < read.length;) {
      if (rest > 0) {
        const passing = Math.min(rest, read.length - at);
        rest -= passing;
        at += passing;
      } else {
        const byte = read[at] ?? 0;
        if (header === 0) {
          if (packets === mostPackets) {
            slices.push({ end: at, packets });
            packets = 0;
          }
          packets += 1;
          if (byte >> 4 === PINGRESP) pings += 1;
          const isUnasked = byte >> 4 === PUBLISH && (byte & 0b100) !== 0;
          if (isUnasked || pings > PINGS) return { fault: 'protocol-error', slices };
        }
        at += 1;
        length = header === 0 ? 0 : length + (byte & 0x7f) * 0x80 ** (header - 1);
        header += 1;
        const goesOn = header === 1 || byte >= 0x80;
        if (length > mostBytes || (goesOn && header > LENGTH_BYTES)) return { fault: 'packet-too-large', slices };
        if (!goesOn) {
          rest = length;
          header = 0;
        }
      }
    }
    return { fault: null, slices: [...slices, { end: read.length, packets }] };
  };
}
