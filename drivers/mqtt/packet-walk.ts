/** Most bytes of a packet's remaining length (MQTT 3.1.1 2.2.3, MQTT 5 1.5.5). */
const LENGTH_BYTES = 4;
/** Packet types, in the upper half of the first byte (MQTT 2.2.1). */
const PUBLISH = 3;
const PINGRESP = 13;
/** Most ping responses in one read; only one ping is in flight at a time. */
const PINGS = 8;

/** Why the connection to a broker is cut. */
export type PacketFault =
  /** It announced a packet that is too large. */
  | 'packet-too-large'
  /**
   * It sends with QoS 2 or 3, which no subscription asked for (MQTT.js would keep such a message until its release), or
   * answers pings that were never sent.
   */
  | 'protocol-error';

/** A part of a chunk: where it ends, and how many packets begin in it. */
interface Slice {
  readonly end: number;
  readonly packets: number;
}

/** Result for one chunk of a broker's bytes. */
export interface Walked {
  readonly fault: PacketFault | null;
  /** The chunk in parts of at most `mostPackets`, in order; all of it unless there is a fault. */
  readonly slices: readonly Slice[];
}

/**
 * Finds the packets in a broker's chunks by their fixed headers. A remaining length in too many bytes counts as a
 * packet that is too large.
 */
export function packetWalk(mostBytes: number, mostPackets: number): (read: Uint8Array) => Walked {
  /** Bytes missing of the current packet, after its fixed header. */
  let rest = 0;
  /** Bytes read of the current fixed header: none, or its type and the length so far. */
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
