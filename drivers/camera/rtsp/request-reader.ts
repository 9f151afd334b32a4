import type { StreamBounds } from './bounds.ts';
import { mayBeRequest, readHead, type RtspRequest } from './request.ts';
import { DOLLAR, FRAME_BYTES } from './rtp.ts';

/** What a connection received next. After `refused` and `foreign` it can no longer be followed. */
export type Received =
  | { readonly is: 'request'; readonly request: RtspRequest }
  /** An interleaved packet of the client, such as a receiver report: skipped, but a sign of life. */
  | { readonly is: 'packet' }
  | { readonly is: 'refused'; readonly status: 400 | 413 | 505; readonly sequence: number | null }
  | { readonly is: 'foreign' };

/** Reads requests from pieces of any size; nothing beyond its bounds is kept. */
export interface RequestReader {
  readonly push: (piece: Buffer) => void;
  /** The next one that is complete, in order; null until more bytes come. */
  readonly next: () => Received | null;
  /** True between the first byte of a head and its end. */
  readonly isInHead: () => boolean;
  /** Bytes that are kept. */
  readonly waiting: () => number;
}

const CR = 0x0d;
const LF = 0x0a;

const EMPTY = Buffer.alloc(0);

/** Index after the empty line that ends a head, looking from `from` on; -1 if there is none. */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

export function createRequestReader(bounds: Pick<StreamBounds, 'headBytes' | 'bodyBytes'>): RequestReader {
  let bytes: Buffer = EMPTY;
  /** Bytes of a body that are still to come. */
  let bodyLeft = 0;
  /** Bytes of a packet that are still to come; null outside of one. */
  let packetLeft: number | null = null;
  /** Up to here there is no end of a head. */
  let searched = 0;
  let isFirst = true;
  let ended: Received | null = null;

  const take = (length: number): void => {
    bytes = bytes.length <= length ? EMPTY : bytes.subarray(length);
    searched = 0;
  };
  const end = (received: Received): Received => {
    ended = received;
    bytes = EMPTY;
    return received;
  };
  const packet = (): Received | null => {
    if (packetLeft === null) {
      if (bytes.length < FRAME_BYTES) return null;
      packetLeft = bytes.readUInt16BE(2);
      take(FRAME_BYTES);
    }
    const taken = Math.min(packetLeft, bytes.length);
    take(taken);
    packetLeft -= taken;
    if (packetLeft > 0) return null;
    packetLeft = null;
    return { is: 'packet' };
  };
  const skipBody = (): void => {
    const taken = Math.min(bodyLeft, bytes.length);
    bodyLeft -= taken;
    if (taken > 0) take(taken);
  };
  const skipEmptyLines = (): void => {
    let at = 0;
    while (bytes[at] === CR || bytes[at] === LF) at += 1;
    if (at > 0) take(at);
  };
  const head = (): Received | null => {
    if (!mayBeRequest(bytes.toString('latin1', 0, Math.min(bytes.length, 21)))) return end({ is: 'foreign' });
    const from = Math.max(0, searched - 2);
    const after = endOfHead(bytes.subarray(0, bounds.headBytes), from);
    if (after < 0) {
      searched = bytes.length;
      return bytes.length >= bounds.headBytes ? end({ is: 'refused', status: 413, sequence: null }) : null;
    }
    const text = bytes.toString('latin1', 0, after).replace(/\r?\n\r?\n$/, '');
    take(after);
    const outcome = readHead(text, bounds.bodyBytes);
    if (outcome.is !== 'request') return end(outcome);
    isFirst = false;
    bodyLeft = outcome.bodyBytes;
    return { is: 'request', request: outcome.request };
  };

  return {
    push: (piece) => {
      if (ended !== null) return;
      bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
    },
    next: () => {
      if (ended !== null) return null;
      skipBody();
      if (bodyLeft > 0) return null;
      if (packetLeft !== null) return packet();
      skipEmptyLines();
      if (bytes.length === 0) return null;
      if (bytes[0] !== DOLLAR) return head();
      return isFirst ? end({ is: 'foreign' }) : packet();
    },
    waiting: () => bytes.length,
    isInHead: () => bytes.length > 0 && bytes[0] !== DOLLAR && packetLeft === null && bodyLeft === 0,
  };
}
