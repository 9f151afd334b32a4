import { connect } from 'node:net';

/** A running server and the addresses of it that the table uses. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
  /** An ordinary GET that answers 200. */
  readonly plain: string;
  /** An active GET. */
  readonly active: string;
  /** Where a POST with a JSON body is taken, and a body that changes nothing. */
  readonly write: { readonly path: string; readonly body: string };
  /** A name in `http_allowed_hosts`, when one is set. */
  readonly allowedHost?: string;
}

/**
 * What a row expects: let through to routing, or refused with this code; an answer to HEAD is only `refused`, it has no
 * body.
 */
export type Expected =
  | 'admitted'
  | 'refused'
  | 'peer-not-local'
  | 'host-not-allowed'
  | 'cross-origin-refused'
  | 'bad-request';

/** One request, byte for byte, and what becomes of it. */
export interface Row {
  readonly name: string;
  readonly expected: Expected;
  readonly bytes: (endpoint: Endpoint) => string;
}

/** One response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly text: string;
}

/** Takes a response apart that was read until the connection closed. */
export function parseResponse(text: string): WireResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), text };
}

/**
 * Sends bytes on a connection of its own and reads until the server closes it; the request must ask for `Connection:
 * close`.
 */
export const exchange = (
  endpoint: Pick<Endpoint, 'address' | 'port'>,
  bytes: string,
  withinMs = 5000,
): Promise<WireResponse> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: endpoint.address, port: endpoint.port });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`no end of the answer within ${withinMs} ms; so far: ${Buffer.concat(chunks).toString('latin1')}`),
      );
    }, withinMs);
    socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseResponse(Buffer.concat(chunks).toString('latin1')));
    });
  });

/** The verdict that a response carries, in the words of the table. */
export function verdictOf(response: WireResponse): Expected | `status ${number}` {
  const code = /"error":"([a-z-]+)"/.exec(response.body)?.[1];
  if (
    response.status === 403 &&
    (code === 'peer-not-local' || code === 'host-not-allowed' || code === 'cross-origin-refused')
  )
    return code;
  if (response.status === 400 && code === 'bad-request') return 'bad-request';
  if (response.status === 403) return response.body === '' ? 'refused' : 'status 403';
  return response.status === 0 ? 'status 0' : 'admitted';
}

/** Headers that every response carries. */
export const securityHeaderNames = [
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
] as const;
