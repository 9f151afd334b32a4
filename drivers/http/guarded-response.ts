import { ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

import type { EarlyAnswer, UploadedFile } from '#machines/http/events.ts';
import type { Connection, InFlight, Phase } from './in-flight.ts';
import { refusals, refusalText, securityHeaders } from './refusal.ts';

/** Target of a response whose request was not let in. */
const nothing: InFlight['target'] = { path: '', query: '' };

/** Alternating names and values: the only shape that Node writes without a copy for each response. */
const guards: readonly OutgoingHttpHeader[] = Object.entries(securityHeaders).flat();

/** The security headers, then the handler's, which replace those of the same name. */
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
 * Node's response with the security headers in every head. When a body fails on its way, it replaces the library's own
 * error response, which would carry the exception's text.
 */
export class GuardedResponse extends ServerResponse implements InFlight {
  via: Connection | null = null;
  phase: Phase = 'free';
  target = nothing;
  arrivedAt = -1;
  upload: UploadedFile | null = null;
  limit = 0;
  isAsking = false;
  work: Promise<void> | null = null;
  resume: (() => void) | null = null;
  /** The request's header lines as received. */
  rawHead: readonly string[] = [];
  /** Status that the handler chose; -1 before. A head with any other status is not the handler's. */
  decided = -1;
  /** Called when a body failed before its head was sent. */
  onBodyFailure: () => void = noop;
  /** Called when a live stream has written a piece. */
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
    // The callers are this folder and the library in front of the handler; both pass a record.
    return super.writeHead(status, guarded((headers ?? {}) as OutgoingHttpHeaders));
  }

  /** Answers at once, bypassing the library. */
  answerEarly({ status, head, text }: EarlyAnswer): void {
    super.writeHead(status, [...guards, ...head, 'Content-Length', Buffer.byteLength(text)]);
    super.end(text);
  }

  // The arguments are Node's own, passed on unchanged.
  override write(...args: unknown[]): boolean {
    const isWelcome = super.write(...(args as Parameters<ServerResponse['write']>));
    if (this.phase === 'apart') this.onPiece();
    return isWelcome;
  }

  // Passed on unchanged, as above.
  override end(...args: unknown[]): this {
    if (this.#replaced !== undefined) return super.end(this.#replaced);
    return super.end(...(args as Parameters<ServerResponse['end']>));
  }
}
