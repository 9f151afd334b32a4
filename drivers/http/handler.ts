import type { IncomingMessage } from 'node:http';

import { errorCode, UNKNOWN_CODE } from '#drivers/kit/error-code.ts';
import type { Admission, EarlyAnswer, HttpBindings } from '#machines/http/events.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { once } from '#machines/kit/once.ts';
import { announcesTooMuch, endOnFailure, hasBody, isFile, isLive, wholeBodyReader } from './body.ts';
import type { ListenerBounds } from './bounds.ts';
import { createCompressor } from './compress.ts';
import type { Connections } from './connections.ts';
import { asksForWebSocket, type Door } from './door.ts';
import { createDownloads } from './downloads.ts';
import type { Connection, InFlight } from './in-flight.ts';
import type { GuardedResponse } from './guarded-response.ts';
import { createPipeline } from './pipeline.ts';
import { createReception, type UploadDeps } from './reception.ts';
import { answerRefusal, refusals, refusalText } from './refusal.ts';
import type { StallClock } from './stalled.ts';
import { createScheduler } from './scheduler.ts';

const library = chunk(() => import('./library.ts'));

export interface HandlerDeps {
  /** The routes. The `Request` they see has a constant host, so nothing can take an origin from its URL. */
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  /**
   * The answer to a method and path that needs no routes, or a promise of it; null if the routes answer. The library is
   * loaded at the first request that needs it, which saves 40 ms at the start.
   */
  readonly early?: (method: string, path: string) => EarlyAnswer | Promise<EarlyAnswer> | null;
  /** Largest body in bytes that a path accepts, 0 for none. Bodies are received before the routes run. */
  readonly maxBodyBytes: (method: string, path: string) => number;
  /** Where bodies go that their paths receive into files; absent if there are none. */
  readonly uploads?: UploadDeps;
  /** Where a WebSocket begins; absent if there is none. */
  readonly door?: Door;
  /** Called with the code or class name of an error that the routes threw, or that a file met, for the log. */
  readonly onHandlerFailure?: (code: string) => void;
}

export interface HandlerScope {
  readonly bounds: ListenerBounds;
  readonly connections: Connections;
  readonly judge: (incoming: IncomingMessage, peerAddress: string) => Admission;
  /** Called when a live stream has written a piece. */
  readonly onPiece: () => void;
  /** Measures for how long the sender of a body is silent. */
  readonly clock: StallClock;
  /** The driver's own: an error in a wrapped function crashes it. */
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
}

/** Answers requests: refuses them, or makes their responses in turn. */
export interface Handler {
  readonly arrive: (incoming: IncomingMessage, outgoing: GuardedResponse, expects?: 'continue' | 'unknown') => void;
  /** Called when a connection has left: nothing more is made for it. */
  readonly drop: (connection: Connection) => void;
  /** Resolves when no body is held. */
  readonly stop: () => Promise<void>;
}

/** Host of every URL that the routes see (RFC 2606: never resolves). */
const CONSTANT_HOST = 'panel.invalid';

/** Code of an error, else the name of its class, for the log. */
function failureOf(error: unknown): string {
  const code = errorCode(error);
  return code === UNKNOWN_CODE && error instanceof Error ? error.name : code;
}

function withoutHost(rawHeaders: readonly string[]): string[] {
  const kept = ['host', CONSTANT_HOST];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
}

/**
 * The library's listener around the routes: catches failures, compresses, and lets live responses leave their place.
 */
async function createAnswer(
  deps: HandlerDeps,
  most: Pick<ListenerBounds, 'downloads'>,
  leave: (inFlight: InFlight) => void,
  bindingsOf: (inFlight: InFlight) => HttpBindings,
) {
  const { getRequestListener, RequestError } = await library();
  const onStreamFailure = (error: unknown): void => deps.onHandlerFailure?.(failureOf(error));
  const failed = (error: unknown): Response => {
    // The library throws this for a target that is no URL; anything else is a failure of the routes.
    const refusal = error instanceof RequestError ? refusals.malformed : refusals.internal;
    if (refusal === refusals.internal) deps.onHandlerFailure?.(failureOf(error));
    return new Response(refusalText(refusal), {
      status: refusal.status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  };
  const answer = getRequestListener(
    (request, { outgoing }) => {
      // The server creates no other responses.
      const guarded = outgoing as GuardedResponse;
      const decide = (response: Response): Response | Promise<Response> => {
        guarded.decided = response.status;
        const body = wholeBody(response);
        if (body !== undefined) return compressed(response, body, guarded.req);
        if (isLive(response)) {
          // Streams are bounded by the number of viewers instead.
          leave(guarded);
          return endOnFailure(response, onStreamFailure);
        }
        if (!isFile(response)) return response;
        leave(guarded);
        downloads.add(guarded);
        return endOnFailure(response, (error) => {
          onStreamFailure(error);
          // It has promised a length: only a connection that breaks off says that this is not all.
          guarded.destroy();
        });
      };
      try {
        const response = deps.fetch(request, bindingsOf(guarded));
        return response instanceof Promise ? response.then(decide).catch(failed) : decide(response);
      } catch (error) {
        return failed(error);
      }
    },
    { hostname: CONSTANT_HOST, errorHandler: failed },
  );
  const wholeBody = wholeBodyReader();
  const downloads = createDownloads(most.downloads);
  const compressed = createCompressor();
  return answer;
}

/**
 * Answers the requests of one server in turn: a body is received once its request is first on its connection, and the
 * response is made once its peer has a free place.
 */
export function createHandler(
  deps: HandlerDeps,
  { bounds, connections, judge, onPiece, clock, guard }: HandlerScope,
): Handler {
  const reception = createReception(deps, { bounds, guard, clock });
  const onBodyFailure = (): void => deps.onHandlerFailure?.('ResponseBody');
  const crash = guard((error: unknown) => {
    throw error;
  });
  /** The answer that needs no routes. A failure here repeats in the routes, which report it. */
  const earlyFor = (inFlight: InFlight): EarlyAnswer | Promise<EarlyAnswer> | null => {
    try {
      return deps.early?.(inFlight.req.method ?? '', inFlight.target.path) ?? null;
    } catch {
      return null;
    }
  };
  const done = Promise.resolve();
  const answerEarly = (inFlight: InFlight, early: EarlyAnswer | Promise<EarlyAnswer>): Promise<void> => {
    if (early instanceof Promise) return aside(inFlight, early).then((known) => inFlight.answerEarly(known));
    inFlight.answerEarly(early);
    return done;
  };
  const answer = once(() =>
    createAnswer(deps, bounds, scheduler.leave, (inFlight) => ({
      peer: inFlight.via?.address ?? '',
      incoming: { rawHeaders: inFlight.rawHead },
      aside: (wait) => aside(inFlight, wait),
      upload: inFlight.upload,
    })),
  );
  let loaded: Awaited<ReturnType<typeof answer>> | null = null;
  const load = async (incoming: IncomingMessage, inFlight: InFlight): Promise<void> => {
    loaded = await answer();
    return loaded(incoming, inFlight);
  };
  const route = (inFlight: InFlight): Promise<void> => {
    const incoming = inFlight.req;
    const { path, query } = inFlight.target;
    incoming.url = query === '' ? path : `${path}?${query}`;
    incoming.headers.host = CONSTANT_HOST;
    incoming.rawHeaders = withoutHost(incoming.rawHeaders);
    return loaded === null ? load(incoming, inFlight) : loaded(incoming, inFlight);
  };
  const make = (inFlight: InFlight): void => {
    const early = earlyFor(inFlight);
    const work = early === null ? route(inFlight) : answerEarly(inFlight, early);
    inFlight.work = work;
    work.catch(crash);
    if (inFlight.limit === 0) return;
    const release = (): void => reception.release(inFlight);
    work.then(release, release);
  };
  const scheduler = createScheduler({
    bounds,
    connected: connections.connected,
    make,
    onIdle: connections.forget,
    guard,
  });
  const aside = async <T>(inFlight: InFlight, wait: Promise<T>): Promise<T> => {
    scheduler.leave(inFlight);
    const value = await wait;
    await scheduler.rejoin(inFlight);
    return value;
  };
  const enqueue = (inFlight: InFlight): void => {
    if (!scheduler.take(inFlight)) answerRefusal(inFlight.req, inFlight, refusals.tooManyWaiting);
  };
  const receive = async (inFlight: InFlight): Promise<void> => {
    if (await reception.receive(inFlight)) enqueue(inFlight);
  };
  const start = guard((inFlight: InFlight) => {
    if (hasBody(inFlight.req)) receive(inFlight).catch(crash);
    else enqueue(inFlight);
  });
  const pipeline = createPipeline({ bounds, connections, scheduler, start });

  return {
    drop: pipeline.drop,
    stop: reception.stop,
    arrive: (incoming, outgoing, expects) => {
      outgoing.arrivedAt = clock.now();
      const connection = connections.of(incoming.socket);
      // The rest of a read whose connection was ended meanwhile.
      if (connection === undefined || !incoming.socket.writable) return;
      if (!pipeline.enter(connection, outgoing)) return;
      const admission = judge(incoming, connection.address);
      if (!admission.admitted) return answerRefusal(incoming, outgoing, admission);
      if (expects === 'unknown') return answerRefusal(incoming, outgoing, refusals.expectation);
      if (asksForWebSocket(incoming)) return answerRefusal(incoming, outgoing, refusals.noUpgrade);
      const { target } = admission;
      if (hasBody(incoming)) {
        outgoing.limit = deps.maxBodyBytes(incoming.method ?? '', target.path);
        if (announcesTooMuch(incoming, outgoing.limit)) return answerRefusal(incoming, outgoing, refusals.tooLarge);
        outgoing.isAsking = expects === 'continue';
      }
      outgoing.target = target;
      outgoing.rawHead = incoming.rawHeaders;
      outgoing.onBodyFailure = onBodyFailure;
      outgoing.onPiece = onPiece;
      if (!pipeline.join(outgoing)) answerRefusal(incoming, outgoing, refusals.tooManyWaiting, { isLast: true });
    },
  };
}
