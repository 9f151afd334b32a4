import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { type GeneralProblem, generalProblems } from '#machines/kit/problem-codes.ts';

/** On every response; a handler may replace one by setting the header itself (a page with a separate policy). */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Refusals send no referrer: their address may be that of a callback with a code. */
const ofRefusals = { ...securityHeaders, 'referrer-policy': 'no-referrer' };

/** A refusal by the listener itself, in the error shape of the API. */
export interface Refusal {
  readonly status: number;
  readonly error: GeneralProblem;
  readonly message: string;
  /** Seconds after which the same request may succeed, for the header `Retry-After`. */
  readonly retryAfter?: number;
}

const refuseWith = (error: GeneralProblem, message: string): Refusal => ({
  status: generalProblems[error],
  error,
  message,
});

/** Refusals of requests that never reach the routes, and of a failure in them. */
export const refusals = {
  tooLarge: refuseWith('request-too-large', 'The body of this request is larger than this address accepts. Send less.'),
  headTooLarge: refuseWith(
    'head-too-large',
    'The head of this request is larger than 16 KiB. Send fewer or shorter headers.',
  ),
  tooSlow: refuseWith('request-timeout', 'The request did not arrive in time. Send it again.'),
  malformed: refuseWith('bad-request', 'This is not a valid HTTP request.'),
  noUpgrade: refuseWith(
    'no-websocket',
    'This panel offers no WebSocket here. Use plain HTTP; live values come from the event stream.',
  ),
  notForPages: refuseWith(
    'cross-origin-refused',
    'A page in a browser sent this request. This address is for Home Assistant alone.',
  ),
  notServing: {
    ...refuseWith('restarting', 'This part of the panel is starting or stopping. Try again in a few seconds.'),
    retryAfter: 2,
  },
  expectation: refuseWith(
    'expectation-failed',
    'The Expect header of this request asks for something unknown. Leave it out.',
  ),
  tooManyWaiting: {
    ...refuseWith(
      'too-many-waiting',
      'Too many requests from your address are waiting for this panel. Send fewer at a time, and this one again in a second.',
    ),
    retryAfter: 1,
  },
  tooManyUploads: {
    ...refuseWith(
      'too-many-uploads',
      'This panel is receiving as many large requests as it has room for. Send this one again in a few seconds.',
    ),
    retryAfter: 5,
  },
  uploadBusy: refuseWith(
    'upload-busy',
    'This panel is receiving another file, or is still working on it. Send this one once that is done.',
  ),
  noSpace: refuseWith(
    'no-space',
    'The disk of this panel has too little free space for this file. Free some, then send it again.',
  ),
  internal: refuseWith('internal', 'Something went wrong inside the panel. Try again; if it persists, check the log.'),
} as const satisfies Readonly<Record<string, Refusal>>;

/** Body of a refusal, as JSON. */
export const refusalText = ({ error, message }: Refusal): string => JSON.stringify({ ok: false, error, message });

/** How much of an unwanted body is read and discarded, and how long its sender has to read the response. */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 1000;

/** Writes a whole response as text, for connections whose request could not be read; it closes the connection. */
export function writeRaw(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = refusalText(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    ...Object.entries(ofRefusals).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...(refusal.retryAfter === undefined ? [] : [`Retry-After: ${refusal.retryAfter}`]),
  ];
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(deadline));
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Answers with a refusal; `isLast` ends the connection. If a body is still arriving the connection is closed, but only
 * after a bounded part of it was read: closing with unread bytes resets the connection, and the response may be lost
 * (RFC 9112, section 9.6). Without `reads` nothing more is read. The sender gets a second to see the response.
 */
export function answerRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refusal: Refusal,
  { isLast = false, reads = true }: { readonly isLast?: boolean; readonly reads?: boolean } = {},
): void {
  const body = refusalText(refusal);
  const unread =
    !incoming.complete &&
    (incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined);
  outgoing.writeHead(refusal.status, {
    'Cache-Control': 'no-store',
    'Referrer-Policy': ofRefusals['referrer-policy'],
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(refusal.retryAfter === undefined ? {} : { 'Retry-After': String(refusal.retryAfter) }),
    ...(unread || isLast ? { Connection: 'close' } : {}),
  });
  if (!unread) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  let seen = 0;
  const finish = (): void => {
    clearTimeout(timer);
    outgoing.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  if (!reads) {
    incoming.pause();
    incoming.once('close', finish);
    return;
  }
  incoming.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    // On a fast network that is sent before the response is read: its sender waits for the rest of the time.
    if (seen > LINGER_BYTES) incoming.pause();
  });
  incoming.once('end', finish);
  incoming.once('close', finish);
  incoming.once('error', finish);
  incoming.resume();
}
