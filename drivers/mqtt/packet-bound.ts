import type { Socket } from 'node:net';

/** Bytes that a packet's remaining length may take (MQTT 3.1.1 2.2.3, MQTT 5 1.5.5). */
const LENGTH_BYTES = 4;

/**
 * Follows the packets of a broker through its reads, by their fixed headers alone: says of each read whether a packet
 * in it announces more than `most` bytes. What is announced in more bytes than a length may take is no packet, and too
 * large.
 */
export const packetBound = (most: number): ((read: Uint8Array) => boolean) => {
  /** Bytes that are still to come of the packet under way, beyond its fixed header. */
  let rest = 0;
  /** Bytes of the fixed header under way: none, or its type and those of the length so far. */
  let header = 0;
  let length = 0;
  return (read) => {
    for (let at = 0; at < read.length;) {
      if (rest > 0) {
        const passing = Math.min(rest, read.length - at);
        rest -= passing;
        at += passing;
      } else {
        const byte = read[at] ?? 0;
        at += 1;
        length = header === 0 ? 0 : length + (byte & 0x7f) * 0x80 ** (header - 1);
        header += 1;
        const goesOn = header === 1 || byte >= 0x80;
        if (length > most || (goesOn && header > LENGTH_BYTES)) return true;
        if (!goesOn) {
          rest = length;
          header = 0;
        }
      }
    }
    return false;
  };
};

/**
 * The same socket, cut as soon as a packet larger than `most` bytes is announced: a parser would keep all of it in
 * memory until its end. `cut` is called before.
 */
export const boundPackets = (socket: Socket, most: number, cut: () => void): Socket => {
  const isTooLarge = packetBound(most);
  return socket.on('data', (read: Buffer) => {
    if (socket.destroyed || !isTooLarge(read)) return;
    cut();
    socket.destroy();
  });
};
