import type { IncomingMessage } from 'node:http';

/** True if a request has a body (RFC 9112, section 6.3). */
export const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || (incoming.headers['content-length'] ?? '0') !== '0';

/** True if the announced length alone exceeds the limit in bytes; chunked bodies announce none. */
export const announcesTooMuch = (incoming: IncomingMessage, limit: number): boolean =>
  Number(incoming.headers['content-length'] ?? 0) > limit;

/**
 * Symbol under which the library keeps `[status, body, headers]` of a response that it can send in one piece; undefined
 * if it does not.
 */
const pieceKey = (): symbol | undefined =>
  Object.getOwnPropertySymbols(new Response('')).find((symbol) => symbol.description === 'cache');

/** A complete body; null for a response without one. */
export type WholeBody = string | Uint8Array<ArrayBuffer> | null;

const isWhole = (body: unknown): body is WholeBody =>
  body === null || typeof body === 'string' || body instanceof Uint8Array;

/**
 * Reads the complete body of a response without leaving the library's fast path; undefined for a stream. Create it
 * after the library has replaced `Response`.
 */
export function wholeBodyReader(): (response: Response) => WholeBody | undefined {
  const key = pieceKey();
  return (response) => {
    const piece: unknown = key === undefined ? undefined : Reflect.get(response, key);
    if (!Array.isArray(piece)) return undefined;
    const body: unknown = piece[1];
    return isWhole(body) ? body : undefined;
  };
}

/** True if a response lasts as long as its viewer: an event stream, or a series of pictures. */
export const isLive = (response: Response): boolean =>
  /^(?:text\/event-stream|multipart\/)/.test(response.headers.get('content-type') ?? '');

/** True if a stream is a file to be saved, with its length in its head. */
export const isFile = (response: Response): boolean =>
  response.headers.get('content-disposition')?.startsWith('attachment') === true;

/**
 * A live response that ends when its source fails; the library would write the exception to the console. Other bodies
 * are left alone, because touching them leaves the library's fast path.
 */
export function endOnFailure(response: Response, onFailure: (error: unknown) => void): Response {
  const source: ReadableStream<Uint8Array> | null = response.body;
  if (source === null) return response;
  const reader = source.getReader();
  // The other end has left: anything the source still yields or throws is not a failure.
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (left) return;
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (left) return;
        onFailure(error);
        controller.close();
      }
    },
    cancel: (reason) => {
      left = true;
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
