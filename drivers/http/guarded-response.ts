import { ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

import type { EarlyAnswer } from '#machines/http/events.ts';
import type { Connection, InFlight, Phase } from './in-flight.ts';
import { refusals, refusalText, securityHeaders } from './refusal.ts';

/** What a response is for that was not let in. */
const nothing: InFlight['target'] = { path: '', query: '' };

/** Names and values by turns: the one shape that Node writes as it is, without a copy for each response. */
const guards: readonly OutgoingHttpHeader[] = Object.entries(securityHeaders).flat();

/** The handler's headers behind the security headers, of which they replace those that they name. */
function guarded(own: OutgoingHttpHeaders): OutgoingHttpHeader[] {
  const named: OutgoingHttpHeader[] = [];
  let replaces = false;
  for (const key in own) {
    const value = own[key];
    if (value === undefined) continue;
    const name = key.toLowerCase();
    replaces ||= Object.hasOwn(securityHeaders, name);
    named.push(name, value);
  }
  if (!replaces) return [...guards, ...named];
  const names = new Set(named.filter((_, index) => index % 2 === 0));
  const kept = Object.entries(securityHeaders).filter(([name]) => !names.has(name));
  return [...kept.flat(), ...named];
}

function noop(): void {}

/**
 * Node's response with the security headers in every head, and without the words that the library in front of the
 * handler finds for itself when a body fails on its way: those carry the exception's text.
 */
export class GuardedResponse extends ServerResponse implements InFlight {
  via: Connection | null = null;
  phase: Phase = 'free';
  target = nothing;
  limit = 0;
  isAsking = false;
  work: Promise<void> | null = null;
  resume: (() => void) | null = null;
  /** The request's head as it came over the wire. */
  rawHead: readonly string[] = [];
  /** Status that the handler decided on; -1 before it did. A head with another one is not the handler's. */
  decided = -1;
  /** Hears that a body failed before its head was sent. */
  onBodyFailure: () => void = noop;
  /** Hears that a live stream has written a piece. */
  onPiece: () => void = noop;
  #replaced: string | undefined;

  // Node's declaration has an overload with a reason phrase; nothing here sends one.
  override writeHead(status: number, headers?: unknown): this {
    if (this.decided !== -1 && status !== this.decided) {
      this.#replaced = refusalText(refusals.internal);
      this.onBodyFailure();
      const length = Buffer.byteLength(this.#replaced);
      return super.writeHead(500, [
        ...guards,
        'cache-control',
        'no-store',
        'content-type',
        'application/json',
        'content-length',
        length,
      ]);
    }
    // The callers are this room and the library in front of the handler; both give a record.
    return super.writeHead(status, guarded((headers ?? {}) as OutgoingHttpHeaders));
  }

  /** Answers at once, past the library in front. */
  answerEarly({ status, head, text }: EarlyAnswer): void {
    super.writeHead(status, [...guards, ...head, 'Content-Length', Buffer.byteLength(text)]);
    super.end(text);
  }

  // The arguments are Node's own, passed on as they are.
  override write(...args: unknown[]): boolean {
    const isWelcome = super.write(...(args as Parameters<ServerResponse['write']>));
    if (this.phase === 'apart') this.onPiece();
    return isWelcome;
  }

  // The same.
  override end(...args: unknown[]): this {
    if (this.#replaced !== undefined) return super.end(this.#replaced);
    return super.end(...(args as Parameters<ServerResponse['end']>));
  }
}
