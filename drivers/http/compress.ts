import type { IncomingMessage } from 'node:http';
import { gzip, type InputType } from 'node:zlib';

import { codingFor, isCompressible, shortestCoded } from '#machines/kit/content-coding.ts';
import type { WholeBody } from './body.ts';

/** zlib's level: for a page of 40 kB, 4 saves all but 2 % of what 6 saves, in two thirds of its time. */
const level = 4;

/** Responses compressed at a time, about 300 kB of memory each; one more is sent uncompressed, which is cheaper. */
const mostAtOnce = 8;

const AcceptEncoding = 'Accept-Encoding';

const zipped = (body: InputType): Promise<Buffer<ArrayBuffer> | null> =>
  new Promise((resolve) => gzip(body, { level }, (failure, result) => resolve(failure === null ? result : null)));

/**
 * Compresses a response with gzip if the client accepts it and it pays: complete texts of 1 kB and more, on zlib's
 * threads. A response with an entity tag or a coding has chosen its form itself; streams never get here.
 *
 * No page or document contains a secret (stored ones are never sent, and there are no tokens against forgery), so its
 * length reveals none. The traffic can be read anyway: it is HTTP without TLS.
 */
export function createCompressor(): (
  response: Response,
  body: WholeBody,
  request: IncomingMessage,
) => Response | Promise<Response> {
  let running = 0;
  return (response, body, request) => {
    // A HEAD has no body to judge by, but must send the `Vary` of its GET.
    if (body === null ? request.method !== 'HEAD' : body.length < shortestCoded) return response;
    const { headers } = response;
    if (headers.has('etag') || headers.has('content-encoding')) return response;
    if (!isCompressible(headers.get('content-type') ?? '')) return response;
    headers.append('Vary', AcceptEncoding);
    if (body === null || codingFor(request.headers['accept-encoding']?.toString(), ['gzip']) === null) return response;
    if (running >= mostAtOnce) return response;
    running += 1;
    return zipped(body).then((short) => {
      running -= 1;
      if (short === null) return response;
      headers.set('Content-Encoding', 'gzip');
      return new Response(short, { status: response.status, headers });
    });
  };
}
