import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

import type { StallClock } from '#drivers/http/stalled.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { WireRules } from './rules.ts';

/** How long the other end has to answer a close. */
export const CLOSING_MS: Milliseconds = 1000;
/** Greetings that a connection may send without having proved anything, in bytes of the largest. */
const MOST_GREETINGS = 16;
/** Bytes that may wait for one that has proved nothing: a few answers. */
const UNPROVEN_UNSENT = 65_536;

/** Close codes of RFC 6455, 7.4.1. */
export const closeCodes = { inOrder: 1000, refused: 1008, tooLarge: 1009 } as const;

/** A frame as it came. */
type FrameHandler = (bytes: Buffer, isText: boolean) => void;

/** One WebSocket, with its times and bounds. */
export interface Line {
  /** Called with each frame from now on. */
  readonly handle: (handler: FrameHandler) => void;
  /** Calls back if that much time passes before the next `within`; null only ends the wait. */
  readonly within: (ms: Milliseconds | null, late?: () => void) => void;
  readonly sendText: (text: string) => void;
  readonly sendFrame: (frame: Buffer, taken?: () => void) => void;
  /** Bytes that the kernel has not taken. */
  readonly buffered: () => number;
  /** From now on messages may be large, and many. */
  readonly trust: () => void;
  /** Ends it with a code, within a second; nothing that arrives counts any more. */
  readonly close: (code: number) => void;
  readonly cut: () => void;
}

export interface LineInput {
  readonly ws: WebSocket;
  readonly socket: Socket;
  readonly rules: Pick<WireRules, 'limits' | 'times'>;
  readonly clock: StallClock;
  /** Called once, when the connection is gone. */
  readonly onGone: () => void;
  /** The driver's own. */
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
}

/** Watches over one WebSocket: pings it, and ends it when nothing is heard from the other end. */
export function createLine({ ws, socket, rules: { limits, times }, clock, onGone, guard }: LineInput): Line {
  let handler: FrameHandler = () => {};
  let isOver = false;
  let isTrusted = false;
  let received = 0;
  let heardAt = clock.now();
  let pingedAt = heardAt;
  let waiting: unknown = null;
  const cut = (): void => {
    isOver = true;
    ws.terminate();
  };
  const close = (code: number): void => {
    if (isOver) return;
    isOver = true;
    clock.clearTimeout(waiting);
    waiting = clock.setTimeout(() => ws.terminate(), CLOSING_MS);
    ws.close(code);
  };
  /** Looks when the next ping is due, or the silence too long. */
  const watch = guard(() => {
    const now = clock.now();
    if (now - heardAt >= times.silence) return cut();
    if (now - pingedAt >= times.ping) {
      pingedAt = now;
      if (!isOver) ws.ping();
    }
    const next = Math.min(heardAt + times.silence, pingedAt + times.ping) - now;
    watching = clock.setTimeout(watch, next);
  });
  let watching: unknown = clock.setTimeout(watch, Math.min(times.ping, times.silence));

  // Besides the library's own listener: it does not tell of bytes that are no message yet.
  socket.on('data', (bytes: Buffer) => {
    heardAt = clock.now();
    received += bytes.length;
    if (!isTrusted && received > limits.greetingBytes * MOST_GREETINGS) cut();
  });
  ws.on('message', (raw, isBinary) => {
    if (isOver) return;
    // By its default the library gives one buffer.
    const bytes = raw as Buffer;
    if (!isTrusted && bytes.length > limits.greetingBytes) close(closeCodes.tooLarge);
    else guard(handler)(bytes, !isBinary);
  });
  ws.on('ping', (payload) => {
    // One that sends pings and reads no pong must not fill the memory.
    if (ws.bufferedAmount > (isTrusted ? limits.unsentBytes : UNPROVEN_UNSENT)) cut();
    else if (!isOver) ws.pong(payload);
  });
  // The library closes by itself what breaks its rules.
  ws.on('error', () => {});
  ws.once('close', () => {
    isOver = true;
    clock.clearTimeout(waiting);
    clock.clearTimeout(watching);
    onGone();
  });
  return {
    handle: (next) => {
      handler = next;
    },
    within: (ms, late) => {
      if (isOver) return;
      clock.clearTimeout(waiting);
      waiting = ms === null || late === undefined ? null : clock.setTimeout(guard(late), ms);
    },
    sendText: (text) => {
      if (!isOver) ws.send(text);
    },
    sendFrame: (frame, taken) => {
      if (!isOver) ws.send(frame, { binary: true }, taken);
    },
    buffered: () => ws.bufferedAmount,
    trust: () => {
      isTrusted = true;
    },
    close,
    cut,
  };
}
