import type { Socket } from 'node:net';

import type { Connection } from 'home-assistant-js-websocket';
import WebSocket from 'ws';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf, messagesOf } from '#drivers/kit/json-fields.ts';
import type { ExcessCode } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { messageJudge } from './message-judge.ts';

/** Longest wait for the connection and for being let in. */
const LET_IN_MS: Milliseconds = 10_000;
/** Largest message that is taken, in bytes: the entity registry of a large house is a few million. */
const MESSAGE_BYTES = 16 * 1024 * 1024;

/** How the library says that a message is larger, or in more parts, than it takes. */
const TOO_LARGE: ReadonlySet<string> = new Set(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_TOO_MANY_BUFFERED_PARTS']);

/** Close codes of an end that the other side chose (RFC 6455, 7.4.1); a process that is killed sends none. */
const IN_ORDER: ReadonlySet<number> = new Set([1000, 1001]);

/** An open socket that was let in, in the shape that the library takes. */
export interface LetIn {
  /** The library's own view of it. */
  readonly socket: ConstructorParameters<typeof Connection>[0];
  /** Address that it is connected to, and its family. */
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Bytes that have come so far: of whole messages, of parts of one, and of WebSocket pings. */
  readonly received: () => number;
  /** Bytes of the message that is being handed over. */
  readonly messageBytes: () => number;
}

/** Where and with what a socket is opened. */
export interface SocketInput {
  /** Origin of Home Assistant, `http://host:8123`. */
  readonly origin: string;
  readonly token: string;
  /** Certificates for https; undefined for the runtime's own. */
  readonly trust: string | undefined;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => Milliseconds;
  readonly onLetIn: (letIn: LetIn) => void;
  /** Whether an answer or event of this id is waited for; the library warns of any other on the console. */
  readonly expects: (id: number) => boolean;
  /** Called once, in the place of `onEnd`: more came than is read. */
  readonly onOverrun: (code: ExcessCode) => void;
  /**
   * Called once: `auth-invalid`, `no-answer` where nothing came, `not-let-in` where the connection was taken and the
   * sign-in not finished in time, `closed-in-order` by Home Assistant, `closed`, or the system's code.
   */
  readonly onEnd: (code: string) => void;
}

/** How Home Assistant begins what it sends; a large list is not read twice for its id. */
const HEAD = /^\{"id":\s*(\d+),/;

/** The id that a message is for; -1 for one that is for nobody. */
function idOf(text: string): number {
  const id = HEAD.exec(text)?.[1] ?? fieldsOf(messagesOf(text)[0])['id'];
  return id === undefined ? -1 : Number(id);
}

type Listener = (event: { readonly data?: string }) => void;

/** Opens the socket of Home Assistant and signs in; what follows is the library's. Returns how to end it. */
export function openSocket({
  origin,
  token,
  trust,
  elapsed,
  onLetIn,
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
  let isIn = false;
  let line: Socket | null = null;
  let messageBytes = 0;
  /** Whether the other side took the connection. */
  let isTaken = false;
  let remote = { address: '', family: 'ipv4' as 'ipv4' | 'ipv6' };
  const ws = new WebSocket(`${origin.replace(/^http/, 'ws')}/api/websocket`, {
    maxPayload: MESSAGE_BYTES,
    followRedirects: false,
    perMessageDeflate: false,
    ...(trust !== undefined && { ca: trust }),
    finishRequest: (request) => {
      request.once('socket', (socket) => {
        line = socket;
        socket.once('connect', () => {
          isTaken = true;
        });
      });
      request.end();
    },
  });

  const tell = (type: string, event: { readonly data?: string }): void => {
    for (const listener of listeners.get(type) ?? []) {
      try {
        listener(event);
      } catch {
        // The library reads a message without a guard: one that is no JSON is no message.
      }
    }
  };
  const stop = (report: () => void): void => {
    if (over) return;
    over = true;
    clearTimeout(letIn);
    ws.terminate();
    report();
    tell('close', {});
  };
  const end = (code: string): void => stop(() => onEnd(code));
  const overrun = (code: ExcessCode): void => stop(() => onOverrun(code));
  const letIn = setTimeout(() => end(isTaken ? 'not-let-in' : 'no-answer'), LET_IN_MS);

  const adapter = {
    OPEN: WebSocket.OPEN,
    get readyState() {
      return over ? WebSocket.CLOSED : ws.readyState;
    },
    haVersion: '',
    addEventListener: (type: string, listener: Listener) => listeners.get(type)?.add(listener),
    removeEventListener: (type: string, listener: Listener) => listeners.get(type)?.delete(listener),
    send: (text: string) => ws.send(text, () => {}),
    close: () => end('closed'),
  };
  const signIn = (text: string): void => {
    for (const message of messagesOf(text)) {
      if (over) return;
      if (message['type'] === 'auth_required') adapter.send(JSON.stringify({ type: 'auth', access_token: token }));
      else if (message['type'] === 'auth_invalid') end('auth-invalid');
      else if (message['type'] === 'auth_ok') {
        isIn = true;
        clearTimeout(letIn);
        // The library is written for a browser's WebSocket; of that it uses what stands here.
        const socket = adapter as unknown as LetIn['socket'];
        onLetIn({ socket, ...remote, received: () => line?.bytesRead ?? 0, messageBytes: () => messageBytes });
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
    // Binary frames carry sound; nothing here asks for any.
    if (isBinary) return;
    const text = raw.toString('utf8');
    if (!isIn) signIn(text);
    else if (expects(idOf(text))) {
      messageBytes = raw.length;
      tell('message', { data: text });
    }
  });
  // Each is answered, so that they count as messages.
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
