import type { Readable, Writable } from 'node:stream';

import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { at, numberAt, parsed, textAt } from './json-fields.ts';

/** Why a call of the DevTools protocol has no result. */
export type CallRefusal =
  | 'timeout'
  | 'closed'
  /** The page's process crashed; calls in flight are never answered (measured with Chromium 156). */
  | 'crashed'
  /** The browser answered with an error. */
  | 'refused';

/** Without a session the call goes to the browser itself. */
interface CallOptions {
  readonly session?: string;
  /** 5 s by default. */
  readonly withinMs?: Milliseconds;
}

/** An event that the browser reports unasked. */
export interface DevToolsEvent {
  readonly method: string;
  readonly params: unknown;
  /** Null for the browser itself. */
  readonly session: string | null;
}

export interface DevTools {
  readonly call: (method: string, params?: object, options?: CallOptions) => Promise<Result<unknown, CallRefusal>>;
  /** Refuses all calls in flight of a session, which will never be answered. */
  readonly dropSession: (session: string) => void;
  /** Refuses all calls, now and later. */
  readonly close: () => void;
}

/** Most bytes of one message; a screenshot of a 4K display is far below. */
const MESSAGE_BYTES = 48 * 1024 * 1024;
/** Longest wait for an answer by default. */
const ANSWER_MS: Milliseconds = 5000;
const NUL = 0;

interface Pending {
  readonly session: string | null;
  readonly settle: (result: Result<unknown, CallRefusal>) => void;
}

/** The protocol over the two ends of a browser's pipe; `broken` is called once if a message is too long. */
export function devTools(
  toBrowser: Writable,
  fromBrowser: Readable,
  onEvent: (event: DevToolsEvent) => void,
  broken: () => void,
): DevTools {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed = false;
  let parts: Buffer[] = [];
  let held = 0;

  const refuseAll = (reason: CallRefusal, session?: string): void => {
    for (const [id, call] of pending) {
      if (session !== undefined && call.session !== session) continue;
      pending.delete(id);
      call.settle(refuse(reason, 'The browser gave no answer.'));
    }
  };
  const close = (): void => {
    closed = true;
    parts = [];
    refuseAll('closed');
  };

  const take = (message: unknown): void => {
    if (closed) return;
    const id = numberAt(message, 'id');
    if (id === null) {
      const method = textAt(200, message, 'method');
      if (method !== null)
        onEvent({ method, params: at(message, 'params'), session: textAt(200, message, 'sessionId') });
      return;
    }
    const call = pending.get(id);
    pending.delete(id);
    const failure = textAt(200, message, 'error', 'message');
    call?.settle(failure === null ? ok(at(message, 'result')) : refuse('refused', failure));
  };

  fromBrowser.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NUL); end >= 0; end = rest.indexOf(NUL)) {
      const text = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8');
      parts = [];
      held = 0;
      rest = rest.subarray(end + 1);
      take(parsed(text));
    }
    if (closed || rest.length === 0) return;
    parts.push(rest);
    held += rest.length;
    if (held <= MESSAGE_BYTES) return;
    close();
    broken();
  });
  // The exit of the process reports its end; a pipe that breaks before must not throw.
  fromBrowser.on('error', () => {});
  toBrowser.on('error', () => {});

  return {
    call: (method, params = {}, options = {}) =>
      new Promise((resolve) => {
        if (closed || !toBrowser.writable) {
          resolve(refuse('closed', 'The browser is gone.'));
          return;
        }
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => {
          pending.delete(id);
          resolve(refuse('timeout', 'The browser did not answer in time.'));
        }, options.withinMs ?? ANSWER_MS);
        pending.set(id, {
          session: options.session ?? null,
          settle: (result) => {
            clearTimeout(timer);
            resolve(result);
          },
        });
        const session = options.session !== undefined && { sessionId: options.session };
        toBrowser.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
      }),
    dropSession: (session) => refuseAll('crashed', session),
    close,
  };
}
