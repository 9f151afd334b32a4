import { ServerResponse } from 'node:http';

import { refusals, refusalText, securityHeaders } from './refusal.ts';

/**
 * Node's response with the security headers in every head, and without the words that the library in front of the handler
 * finds for itself when a body fails on its way: those carry the exception's text.
 */
export class GuardedResponse extends ServerResponse {
  /** Address of the other end. */
  peer = '';
  /** The request's head as it came over the wire. */
  rawHead: readonly string[] = [];
  /** Status that the handler decided on; -1 before it did. A head with another one is not the handler's. */
  decided = -1;
  /** Hears that a body failed before its head was sent. */
  onBodyFailure: () => void = () => {};
  #replaced: string | undefined;

  // Node's declaration has an overload with a reason phrase; nothing here sends one.
  override writeHead(status: number, headers?: unknown): this {
    const head: Record<string, string | number | string[]> = { ...securityHeaders };
    if (this.decided !== -1 && status !== this.decided) {
      this.#replaced = refusalText(refusals.internal);
      this.onBodyFailure();
      return super.writeHead(500, { ...head, 'cache-control': 'no-store', 'content-type': 'application/json', 'content-length': Buffer.byteLength(this.#replaced) });
    }
    if (typeof headers === 'object' && headers !== null) {
      const own = headers as Readonly<typeof head>;
      for (const name in own) {
        const value = own[name];
        if (value !== undefined) head[name.toLowerCase()] = value;
      }
    }
    return super.writeHead(status, head);
  }

  // The arguments are Node's own, passed on as they are.
  override end(...args: unknown[]): this {
    if (this.#replaced !== undefined) return super.end(this.#replaced);
    return super.end(...(args as Parameters<ServerResponse['end']>));
  }
}
