import type { Socket } from 'node:net';

import type { Connection } from 'home-assistant-js-websocket';
import WebSocket from 'ws';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf, messagesOf } from '#drivers/kit/json-fields.ts';
import type { ExcessCode } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { batchedReading } from './batched-reading.ts';
import { messageJudge } from './message-judge.ts';

/** Longest wait for the connection and the sign-in. */
const SIGN_IN_MS: Milliseconds = 10_000;
/** Largest accepted message in bytes: the entity registry of a large house has a few million. */
const MESSAGE_BYTES = 16 * 1024 * 1024;

/** An option of the socket below: paused, it reads once more, and not up to 16 KiB, with a wake-up for each message. */
const noReadAhead = { highWaterMark: 1 } as const;

/** Codes of `ws` for a message that is too large or in too many parts. */
const TOO_LARGE: ReadonlySet<string> = new Set(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_TOO_MANY_BUFFERED_PARTS']);

/** Close codes of an orderly end by the other side (RFC 6455, 7.4.1); a killed process sends none. */
const IN_ORDER: ReadonlySet<number> = new Set([1000, 1001]);

/** An open, signed-in socket, in the shape that the library accepts. */
export interface SignedIn {
  /** The library's own view of it. */
  readonly socket: ConstructorParameters<typeof Connection>[0];
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Bytes received so far, those of partial messages and WebSocket pings included. */
  readonly received: () => number;
  /** Size in bytes of the message being delivered. */
  readonly messageBytes: () => number;
  readonly sendBinary: (frame: Buffer) => void;
  /** While it is true, messages are read at once, also in a flood. */
  readonly hurry: (isHurried: boolean) => void;
}

export interface SocketInput {
  /** Origin of Home Assistant, `http://host:8123`. */
  readonly origin: string;
  readonly token: string;
  /** Trusted certificates for https as PEM; undefined for the runtime's own. */
  readonly trust: string | undefined;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly onSignedIn: (signInTimer: SignedIn) => void;
  /** True if an answer or event with this id is expected; the library logs a warning on the console for any other. */
  readonly expects: (id: number) => boolean;
  /** Called once, instead of `onEnd`, if more arrived than is accepted. */
  readonly onOverrun: (code: ExcessCode) => void;
  /**
   * Called once: `auth-invalid`, `no-answer` if nothing came, `not-let-in` if the connection was accepted but the
   * sign-in did not finish in time, `closed-in-order` by Home Assistant, `closed`, or the system's code.
   */
  readonly onEnd: (code: string) => void;
}

/** How Home Assistant's messages begin; saves parsing a large list twice for its id. */
const HEAD = /^\{"id":\s*(\d+),/;

/** The id of the command that a message answers; -1 if it has none. */
function idOf(text: string): number {
  const id = HEAD.exec(text)?.[1] ?? fieldsOf(messagesOf(text)[0])['id'];
  return id === undefined ? -1 : Number(id);
}

type Listener = (event: { readonly data?: string }) => void;

/** Opens the socket of Home Assistant and signs in, then hands it to the library. Returns the function that ends it. */
export function openSocket({
  origin,
  token,
  trust,
  elapsed,
  onSignedIn,
  expects,
  onOverrun,
  onEnd,
}: SocketInput): () => void {
  const judge = messageJudge(elapsed);
  const listeners = new Map([
    ['message', new Set<Listener>()],
    ['close', new Set<Listener>()],
  ]);
  let over = false;
  let isSignedIn = false;
  let line: Socket | null = null;
  let messageBytes = 0;
  /** True once the other side accepted the connection. */
  let isAccepted = false;
  let remote = { address: '', family: 'ipv4' as 'ipv4' | 'ipv6' };
  const ws = new WebSocket(`${origin.replace(/^http/, 'ws')}/api/websocket`, {
    maxPayload: MESSAGE_BYTES,
    followRedirects: false,
    perMessageDeflate: false,
    ...noReadAhead,
    ...(trust !== undefined && { ca: trust }),
    finishRequest: (request) => {
      request.once('socket', (socket) => {
        line = socket;
        socket.once('connect', () => {
          isAccepted = true;
        });
      });
      request.end();
    },
  });

  const reading = batchedReading(ws, elapsed);
  const tell = (type: string, event: { readonly data?: string }): void => {
    for (const listener of listeners.get(type) ?? []) {
      try {
        listener(event);
      } catch {
        // The library parses without a guard: a message that is not JSON is dropped.
      }
    }
  };
  const stop = (report: () => void): void => {
    if (over) return;
    over = true;
    clearTimeout(signInTimer);
    reading.end();
    ws.terminate();
    report();
    tell('close', {});
  };
  const end = (code: string): void => stop(() => onEnd(code));
  const overrun = (code: ExcessCode): void => stop(() => onOverrun(code));
  const signInTimer = setTimeout(() => end(isAccepted ? 'not-let-in' : 'no-answer'), SIGN_IN_MS);

  const adapter = {
    OPEN: WebSocket.OPEN,
    get readyState() {
      return over ? WebSocket.CLOSED : ws.readyState;
    },
    haVersion: '',
    addEventListener: (type: string, listener: Listener) => listeners.get(type)?.add(listener),
    removeEventListener: (type: string, listener: Listener) => listeners.get(type)?.delete(listener),
    send: (text: string) => {
      ws.send(text, () => {});
      if (isSignedIn) reading.sent(idOf(text));
    },
    close: () => end('closed'),
  };
  const signIn = (text: string): void => {
    for (const message of messagesOf(text)) {
      if (over) return;
      if (message['type'] === 'auth_required') adapter.send(JSON.stringify({ type: 'auth', access_token: token }));
      else if (message['type'] === 'auth_invalid') end('auth-invalid');
      else if (message['type'] === 'auth_ok') {
        isSignedIn = true;
        clearTimeout(signInTimer);
        // The library expects a browser's WebSocket, of which it uses only these members.
        const socket = adapter as unknown as SignedIn['socket'];
        onSignedIn({
          socket,
          ...remote,
          received: () => line?.bytesRead ?? 0,
          messageBytes: () => messageBytes,
          sendBinary: (frame) => ws.send(frame, () => {}),
          hurry: reading.hurry,
        });
      }
    }
  };

  ws.on('upgrade', ({ socket }) => {
    remote = { address: socket.remoteAddress ?? '', family: socket.remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4' };
  });
  ws.on('message', (raw: Buffer, isBinary) => {
    if (over) return;
    const excess = judge(raw, !isBinary);
    if (excess !== null) {
      overrun(excess);
      return;
    }
    // Binary frames carry sound, which nothing here asks for.
    if (isBinary) return;
    const text = raw.toString('utf8');
    if (!isSignedIn) {
      signIn(text);
      return;
    }
    const id = idOf(text);
    reading.came(id, raw.length);
    if (!expects(id)) return;
    messageBytes = raw.length;
    tell('message', { data: text });
  });
  // Each ping is answered, so it counts as a message.
  ws.on('ping', (data: Buffer) => {
    const excess = over ? null : judge(data, false);
    if (excess !== null) overrun(excess);
  });
  ws.on('error', (error) => {
    const code = errorCode(error);
    if (TOO_LARGE.has(code)) overrun('message-too-large');
    else end(code);
  });
  ws.on('close', (code) => end(IN_ORDER.has(code) ? 'closed-in-order' : 'closed'));
  return () => end('closed');
}
