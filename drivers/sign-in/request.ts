import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import { errorCode } from '#drivers/kit/error-code.ts';

/** Limit for a whole answer, in milliseconds. */
const ANSWER_MS = 10_000;
/** Largest answer that is read, in bytes; a token answer has under 2 kB. */
const ANSWER_BYTES = 64 * 1024;
export const TOO_LARGE = 'answer-too-large';

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON instead of a form. */
  readonly json?: object;
  readonly bearer?: string;
  /** Certificates to trust instead of the runtime's. */
  readonly trust: string | undefined;
  readonly signal: AbortSignal;
  readonly withinMs?: number;
  /** Resolves the host name; the system's resolver when absent. */
  readonly lookup?: LookupFunction;
}

/** Status and text of an answer, or the code of the failure. */
export type HttpAnswer =
  | { readonly status: number; readonly text: string }
  | { readonly status: null; readonly code: string };

/** Sends one request and reads its answer, both bounded; a redirect is an answer like any other. Never rejects. */
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
      // Not a kept connection: Home Assistant may have closed it in a restart.
      const options = { method, headers, signal, agent: false as const, ...(lookup !== undefined && { lookup }) };
      request = url.startsWith('https:')
        ? requestHttps(url, { ...options, ...(trust !== undefined && { ca: trust }) }, read)
        : requestHttp(url, options, read);
    } catch (error) {
      finish({ status: null, code: errorCode(error) });
      return;
    }
    // A destroyed request may still report an error, also after the answer.
    request.on('error', (error) => finish({ status: null, code: errorCode(error) }));
    request.end(body);
  });
