import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { errorCode } from '#drivers/kit/error-code.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';

/** Longest document that is read of an answer, in bytes: a restore may list every setting. */
const longestDocument = 4 * 1024 * 1024;

/** What is sent to the panel's own address. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** A text, or what a file is read from; its length is in the headers. */
  readonly body?: string | Readable;
  /** How long the connection may be silent, in milliseconds. */
  readonly silentMs: number;
}

/** The answer, or the code of why there is none. */
export type Answered =
  | { readonly ok: true; readonly response: IncomingMessage }
  | { readonly ok: false; readonly code: string };

function send(asked: ClientRequest, body: string | Readable | undefined): void {
  if (typeof body !== 'object') return void asked.end(body);
  // An answer may come before everything was sent: then the rest is of no use.
  body.once('error', (error) => asked.destroy(error));
  body.pipe(asked);
}

/** Sends a request to the agent on that port of this machine. */
export function askPanel(port: number, { method, path, headers, body, silentMs }: Sending): Promise<Answered> {
  return new Promise((resolve) => {
    const asked = request(
      { host: '127.0.0.1', port, method, path: `/api/v1/${path}`, headers, timeout: silentMs },
      (response) => resolve({ ok: true, response }),
    );
    asked.once('timeout', () => asked.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
    // Stays: a connection that is cut after the answer is no failure of it.
    asked.on('error', (error) => resolve({ ok: false, code: errorCode(error) }));
    send(asked, body);
  });
}

/** The JSON of an answer, which another program may have sent; undefined if it is none. */
export async function documentOf(response: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.byteLength;
      // Leaving the loop ends the connection.
      if (length > longestDocument) return undefined;
    }
  } catch {
    return undefined;
  }
  return foreignValue(Buffer.concat(pieces).toString('utf8'), jsonBounds.program);
}
