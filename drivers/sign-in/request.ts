import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import { errorCode } from '#drivers/kit/error-code.ts';

/** Longest wait for a whole answer, in milliseconds. */
const ANSWER_MS = 10_000;
/** Largest answer that is read, in bytes; a token answer has under 2 kB. */
const ANSWER_BYTES = 64 * 1024;
/** Code of an answer that is larger. */
export const TOO_LARGE = 'answer-too-large';

/** One request to Home Assistant. */
export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON, in the place of a form. */
  readonly json?: object;
  readonly bearer?: string;
  /** Certificates to trust instead of the runtime's. */
  readonly trust: string | undefined;
  readonly signal: AbortSignal;
  readonly withinMs?: number;
  /** How its host name is looked up; as the system does when absent. */
  readonly lookup?: LookupFunction;
}

/** What came back: status and text, or the code of what went wrong. */
export type HttpAnswer =
  | { readonly status: number; readonly text: string }
  | { readonly status: null; readonly code: string };

/** Sends one request and reads its answer, both bounded; redirects are answers like others. Never rejects. */
export const askHomeAssistant = ({
  url,
  method,
  form,
  json,
  bearer,
  trust,
  signal,
  withinMs = ANSWER_MS,
  lookup,
}: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve) => {
    const body =
      json !== undefined ? JSON.stringify(json) : form !== undefined ? new URLSearchParams(form).toString() : undefined;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (bearer !== undefined) headers['authorization'] = `Bearer ${bearer}`;
    if (body !== undefined) {
      headers['content-type'] = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    let request: ClientRequest | undefined;
    const finish = (answer: HttpAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      request?.destroy();
    };
    const timer = setTimeout(() => finish({ status: null, code: 'ETIMEDOUT' }), withinMs);
    const read = (incoming: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_BYTES) finish({ status: null, code: TOO_LARGE });
        else chunks.push(chunk);
      });
      incoming.on('end', () =>
        finish({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
      incoming.on('error', (error) => finish({ status: null, code: errorCode(error) }));
    };
    try {
      // A connection of its own: a kept one may have been closed by a Home Assistant that restarted.
      const options = { method, headers, signal, agent: false as const, ...(lookup !== undefined && { lookup }) };
      request = url.startsWith('https:')
        ? requestHttps(url, { ...options, ...(trust !== undefined && { ca: trust }) }, read)
        : requestHttp(url, options, read);
    } catch (error) {
      finish({ status: null, code: errorCode(error) });
      return;
    }
    // Also after the answer: a destroyed request may still report an error.
    request.on('error', (error) => finish({ status: null, code: errorCode(error) }));
    request.end(body);
  });
