import { Duplex } from 'node:stream';

import type { Milliseconds } from '#machines/kit/units.ts';

import { packetWalk, type PacketFault, type Walked } from './packet-walk.ts';

/**
 * Packets passed on per turn of the event loop; each costs MQTT.js some 35 µs at least. More than the burst of commands
 * that is carried out at once (machines/entities/limits.ts), so that the newest of each topic is found.
 */
const ROUND = 32;
/** Most bytes, and most chunks, that wait to be sent; a whole announcement has a tenth of that. */
const UNSENT_BYTES = 1024 * 1024;
const UNSENT_PIECES = 16_384;
/** How long one chunk may wait to be sent, in milliseconds. */
const STALLED_MS: Milliseconds = 20_000;

/** Why the connection was cut: a fault in the packets, or a broker that does not read. */
export type ThrottleFault = PacketFault | 'not-read';

interface Waiting {
  readonly bytes: Buffer;
  readonly packets: number;
}

/**
 * Between a broker's socket and MQTT.js, which processes all packets of one read without yielding to the rest of the
 * process. Passes on a few packets per turn of the event loop, none larger than `mostBytes`, and bounds what waits to
 * be sent. A fault ends the connection; `cut` is called before.
 */
class PacketThrottle extends Duplex {
  readonly #socket: Duplex;
  readonly #walk: (read: Uint8Array) => Walked;
  readonly #cut: (fault: ThrottleFault) => void;
  readonly #waiting: Waiting[] = [];
  #left = ROUND;
  #isDue = false;
  #hasEnded = false;
  #unsent = 0;
  #stalled: NodeJS.Timeout | undefined;

  constructor(socket: Duplex, mostBytes: number, cut: (fault: ThrottleFault) => void) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#walk = packetWalk(mostBytes, ROUND);
    this.#cut = cut;
    socket.on('data', (read: Buffer) => this.#take(read));
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#hand();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      // Packets that came before its end are still passed on.
      if (!this.#hasEnded) this.destroy();
    });
  }

  #fail(fault: ThrottleFault): void {
    if (this.destroyed) return;
    this.#cut(fault);
    this.destroy();
  }

  #take(read: Buffer): void {
    if (this.destroyed) return;
    const { fault, slices } = this.#walk(read);
    if (fault !== null) {
      this.#fail(fault);
      return;
    }
    let begin = 0;
    for (const { end, packets } of slices) {
      this.#waiting.push({ bytes: read.subarray(begin, end), packets });
      begin = end;
    }
    this.#hand();
  }

  /** Passes on the packets of this turn; the rest waits for the next one, and nothing more is read meanwhile. */
  #hand(): void {
    while (this.#left > 0 && this.#waiting.length > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#left -= next.packets;
      this.push(next.bytes);
    }
    if (!this.#isDue && this.#left < ROUND) {
      this.#isDue = true;
      setImmediate(() => {
        this.#isDue = false;
        this.#left = ROUND;
        if (!this.destroyed) this.#hand();
      });
    }
    if (this.#waiting.length > 0) this.#socket.pause();
    else if (this.#hasEnded) this.push(null);
    else if (this.readableLength < this.readableHighWaterMark) this.#socket.resume();
    else this.#socket.pause();
  }

  override _read(): void {
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  #send(bytes: Buffer, pieces: number, done: (error?: Error | null) => void): void {
    this.#stalled = setTimeout(() => this.#fail('not-read'), STALLED_MS);
    this.#socket.write(bytes, (error) => {
      clearTimeout(this.#stalled);
      this.#unsent -= pieces;
      done(error);
    });
  }

  #count(): void {
    this.#unsent += 1;
    // Checked only after it counts as waiting.
    if (this.#unsent > UNSENT_PIECES || this.writableLength > UNSENT_BYTES) this.#fail('not-read');
  }

  override write(...args: unknown[]): boolean {
    // The overloads of the stream are passed on unchanged.
    const more = (super.write as (...all: unknown[]) => boolean).apply(this, args);
    this.#count();
    return more;
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(bytes, 1, done);
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), chunks.length, done);
  }

  override _final(done: () => void): void {
    if (this.#socket.destroyed) done();
    else this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stalled);
    this.#socket.destroy();
    done(error);
  }
}

/** Throttles the packets of a socket that connects or is connected. */
export function throttlePackets(socket: Duplex, mostBytes: number, cut: (fault: ThrottleFault) => void): Duplex {
  return new PacketThrottle(socket, mostBytes, cut);
}
