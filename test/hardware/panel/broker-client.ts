import { once } from 'node:events';
import { connect } from 'node:net';

/** A client of a broker, subscribed to everything, at MQTT 3.1.1. */
export interface BrokerClient {
  /** Resolves once the broker has it. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly end: () => void;
}

/** Kinds of packets, the first byte of each without its flags. */
const kind = { connected: 0x20, message: 0x30, published: 0x40, subscribed: 0x90 } as const;

/** A length as MQTT writes it, seven bits a byte. */
function lengthOf(size: number): readonly number[] {
  const rest = Math.floor(size / 128);
  return rest === 0 ? [size] : [(size % 128) + 128, ...lengthOf(rest)];
}
function text(words: string): Buffer {
  const bytes = Buffer.from(words);
  return Buffer.from([bytes.length >> 8, bytes.length & 255, ...bytes]);
}
function packet(first: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.from([first, ...lengthOf(body.length), ...body]);
}

/** The first whole packet of what came, and what comes after it; null where it is not whole yet. */
function firstPacket(bytes: Buffer): { readonly first: number; readonly body: Buffer; readonly rest: Buffer } | null {
  let size = 0;
  for (let index = 1; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    size += (byte & 127) * 128 ** (index - 1);
    if (byte < 128) {
      const end = index + 1 + size;
      if (bytes.length < end) return null;
      return { first: bytes[0] ?? 0, body: bytes.subarray(index + 1, end), rest: bytes.subarray(end) };
    }
  }
  return null;
}

/**
 * Connects to a broker and receives every message. Written here, since the programs of mosquitto take an emulated
 * processor a second for each message, and the agent's own library several until it has started.
 */
export async function connectClient(
  port: number,
  onMessage: (topic: string, payload: string) => void,
): Promise<BrokerClient> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  /** What waits for an answer, by the kind and the number of it. */
  const awaited = new Map<string, () => void>();
  const answer = (first: number, id: number): Promise<void> =>
    new Promise((resolve) => {
      awaited.set(`${first} ${id}`, resolve);
    });
  const take = (first: number, body: Buffer): void => {
    if ((first & 0xf0) !== kind.message) {
      awaited.get(`${first} ${first === kind.connected ? 0 : body.readUInt16BE(0)}`)?.();
      return;
    }
    // Subscribed with quality 0: a message has no number.
    const end = 2 + body.readUInt16BE(0);
    onMessage(body.toString('utf8', 2, end), body.toString('utf8', end));
  };
  let came = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    came = Buffer.concat([came, chunk]);
    for (let next = firstPacket(came); next !== null; next = firstPacket(came)) {
      came = Buffer.from(next.rest);
      take(next.first, next.body);
    }
  });
  const connected = answer(kind.connected, 0);
  // Level 4, a clean session, no keeping alive.
  socket.write(packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text('guest-case')));
  await connected;
  const subscribed = answer(kind.subscribed, 1);
  socket.write(packet(0x82, Buffer.from([0, 1]), text('#'), Buffer.from([0])));
  await subscribed;
  let last = 1;
  return {
    publish: async (topic, payload) => {
      last += 1;
      const acknowledged = answer(kind.published, last);
      const id = Buffer.from([last >> 8, last & 255]);
      socket.write(packet(0x32, text(topic), id, Buffer.from(payload)));
      await acknowledged;
    },
    end: () => socket.destroy(),
  };
}
