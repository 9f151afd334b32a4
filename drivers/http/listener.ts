import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';

import { errorCode, UNKNOWN_CODE } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  Admission,
  AdmissionPolicy,
  HttpBindings,
  HttpEvent,
  HttpFact,
  PreRouting,
  Target,
} from '#machines/http/events.ts';
import { announcesTooMuch, calmStream, collectBody, hasBody, wholeBodyReader } from './body.ts';
import { listenerBounds, type ListenerBounds } from './bounds.ts';
import { createCompressor } from './compress.ts';
import { boundPerPeer, createFlights, peerOf } from './connections.ts';
import { GuardedResponse } from './guarded-response.ts';
import { ownPrefixes } from './own-prefixes.ts';
import { answerRefusal, refusals, refusalText, writeRaw, type Refusal } from './refusal.ts';

/** What the listener works with; the port comes with each start. */
export interface ListenerDeps {
  /** The finished handler. The `Request` it sees has a constant host, so nothing can take an origin from its URL. */
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  /** The decisions made on the raw request, before any library interprets it. */
  readonly checks: PreRouting;
  /** Names of `http_allowed_hosts` as they are now: lower case, without a final dot. */
  readonly allowedHosts: () => readonly string[];
  readonly activeGets: AdmissionPolicy['activeGets'];
  /** Largest body in bytes that an address accepts, 0 for none. Bodies are collected before the handler runs. */
  readonly maxBodyBytes: (method: string, path: string) => number;
  /** Hears the code or class name of what a handler threw; for the log. */
  readonly onHandlerFailure?: (code: string) => void;
  readonly bounds?: Partial<ListenerBounds>;
  /** Addresses to try in turn: the second one where the machine has no such address or family. */
  readonly addresses?: readonly string[];
  /** Ranges of the panel's own interfaces in CIDR spelling. */
  readonly ownPrefixes?: () => readonly string[];
}

/** Host of every URL that the handler sees (RFC 2606: never resolves). */
export const CONSTANT_HOST = 'panel.invalid';

/** Errors of listen() that say the machine lacks the address family, not that the port is taken. */
const NO_SUCH_FAMILY = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EPROTONOSUPPORT', 'EINVAL']);
const NOT_NOW = new Set(['EADDRINUSE', 'EACCES']);

/** The code of what was thrown, else the name of its class; for the log. */
const failureOf = (error: unknown): string => {
  const code = errorCode(error);
  return code === UNKNOWN_CODE && error instanceof Error ? error.name : code;
};

const listen = (
  server: Server,
  port: number,
  host: string,
): Promise<{ readonly port: number } | { readonly code: string; readonly error: unknown }> =>
  new Promise((resolve) => {
    const refused = (error: Error): void => resolve({ code: errorCode(error), error });
    server.once('error', refused);
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', refused);
      // A server that listens on TCP has an AddressInfo; the other shapes belong to pipes.
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });

const isWebSocket = (upgrade: string): boolean =>
  upgrade
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('websocket');

const withoutHost = (rawHeaders: readonly string[]): string[] => {
  const kept = ['host', CONSTANT_HOST];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
};

const handler = (deps: ListenerDeps, judge: (incoming: IncomingMessage) => Admission) => {
  const onBodyFailure = (): void => deps.onHandlerFailure?.('ResponseBody');
  const onStreamFailure = (error: unknown): void => deps.onHandlerFailure?.(failureOf(error));
  const failed = (error: unknown): Response => {
    // The library's own word for a target that is no URL; everything else is the handler's failure.
    const refusal = error instanceof RequestError ? refusals.malformed : refusals.internal;
    if (refusal === refusals.internal) deps.onHandlerFailure?.(failureOf(error));
    return new Response(refusalText(refusal), {
      status: refusal.status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  };
  const answer = getRequestListener(
    (request, { outgoing }) => {
      // The server makes no other responses.
      const guarded = outgoing as GuardedResponse;
      const decide = (response: Response): Response | Promise<Response> => {
        guarded.decided = response.status;
        const body = wholeBody(response);
        return body === undefined ? calmStream(response, onStreamFailure) : compressed(response, body, guarded.req);
      };
      try {
        const response = deps.fetch(request, { peer: guarded.peer, incoming: { rawHeaders: guarded.rawHead } });
        return response instanceof Promise ? response.then(decide).catch(failed) : decide(response);
      } catch (error) {
        return failed(error);
      }
    },
    { hostname: CONSTANT_HOST, errorHandler: failed },
  );
  const wholeBody = wholeBodyReader();
  const compressed = createCompressor();
  const pass = (incoming: IncomingMessage, outgoing: GuardedResponse, { path, query }: Target): Promise<void> => {
    outgoing.peer = peerOf(incoming.socket);
    outgoing.rawHead = incoming.rawHeaders;
    outgoing.onBodyFailure = onBodyFailure;
    incoming.url = query === '' ? path : `${path}?${query}`;
    incoming.headers.host = CONSTANT_HOST;
    incoming.rawHeaders = withoutHost(incoming.rawHeaders);
    return answer(incoming, outgoing);
  };
  const receive = async (
    incoming: IncomingMessage,
    outgoing: GuardedResponse,
    target: Target,
    limit: number,
  ): Promise<void> => {
    const body = await collectBody(incoming, limit);
    if (body === 'too-large') return answerRefusal(incoming, outgoing, refusals.tooLarge);
    if (body === 'gone') return;
    // The library takes a body collected before it from this field.
    Object.assign(incoming, { rawBody: body });
    await pass(incoming, outgoing, target);
  };

  return (
    incoming: IncomingMessage,
    outgoing: GuardedResponse,
    expects?: 'continue' | 'unknown',
  ): void | Promise<void> => {
    const admission = judge(incoming);
    if (!admission.admitted) return answerRefusal(incoming, outgoing, admission);
    if (expects === 'unknown') return answerRefusal(incoming, outgoing, refusals.expectation);
    if (incoming.headers.upgrade !== undefined && isWebSocket(incoming.headers.upgrade))
      return answerRefusal(incoming, outgoing, refusals.noUpgrade);
    if (!hasBody(incoming)) return pass(incoming, outgoing, admission.target);
    const limit = deps.maxBodyBytes(incoming.method ?? '', admission.target.path);
    if (announcesTooMuch(incoming, limit)) return answerRefusal(incoming, outgoing, refusals.tooLarge);
    if (expects === 'continue') outgoing.writeContinue();
    return receive(incoming, outgoing, admission.target, limit);
  };
};

const refusalOf = (code: string): Refusal =>
  code === 'HPE_HEADER_OVERFLOW'
    ? refusals.headTooLarge
    : code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? refusals.tooSlow
      : refusals.malformed;

/**
 * The web server: Node's own, with the pre-routing checks made on the raw request before any library interprets it.
 * What is admitted goes to the handler with a constant host and its target in origin-form.
 */
export const httpListener = (deps: ListenerDeps) =>
  fromDriver<HttpEvent, { readonly port: number }, HttpFact>(async ({ input, send, guard, signal }) => {
    const bounds = { ...listenerBounds, ...deps.bounds };
    const prefixes = deps.ownPrefixes ?? ownPrefixes;
    const flights = createFlights();
    // Looked up only for the few requests that need them.
    const policy: AdmissionPolicy = {
      get ownPrefixes() {
        return prefixes();
      },
      get allowedHosts() {
        return deps.allowedHosts();
      },
      activeGets: deps.activeGets,
    };
    const judge = (incoming: IncomingMessage): Admission =>
      deps.checks.admit(
        {
          method: incoming.method ?? '',
          rawTarget: incoming.url ?? '',
          rawHeaders: incoming.rawHeaders,
          peerAddress: peerOf(incoming.socket),
        },
        policy,
      );
    const handle = handler(deps, judge);
    const accept = (expects?: 'continue' | 'unknown') =>
      guard((incoming: IncomingMessage, outgoing: GuardedResponse) => {
        flights.add(incoming.socket, outgoing);
        return handle(incoming, outgoing, expects);
      });

    const server = createServer({
      maxHeaderSize: bounds.headBytes,
      headersTimeout: bounds.headMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: bounds.checkMs,
      requireHostHeader: false,
      ServerResponse: GuardedResponse,
    });
    // Bounded in bytes; Node's bound in lines would drop what comes after it, a Host too.
    server.maxHeadersCount = 0;
    server.maxConnections = bounds.connections;
    server.on('connection', boundPerPeer(bounds.connectionsPerPeer));
    server.on('request', accept());
    server.on('checkContinue', accept('continue'));
    server.on('checkExpectation', accept('unknown'));
    server.on(
      'connect',
      guard((incoming: IncomingMessage, socket: Duplex) => {
        socket.on('error', () => socket.destroy());
        const admission = judge(incoming);
        writeRaw(socket, admission.admitted ? refusals.malformed : admission);
      }),
    );
    const refused = new WeakSet<Duplex>();
    server.on(
      'clientError',
      guard((error: Error, socket: Duplex) => {
        // What still comes in after the first error is broken too, and is read away until the answer has left.
        if (refused.has(socket)) return;
        refused.add(socket);
        // The server's sockets are net.Sockets; the event is typed wider for TLS.
        const peer = socket as IncomingMessage['socket'];
        const code = errorCode(error);
        if (code === 'ECONNRESET' || !flights.isQuiet(peer) || !deps.checks.isLanPeer(peerOf(peer), prefixes()))
          peer.destroy();
        else writeRaw(peer, refusalOf(code));
      }),
    );

    const close = async (): Promise<void> => {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      flights.endStreams();
      flights.whenNone(() => server.closeAllConnections());
      const deadline = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      await closed;
      clearTimeout(deadline);
    };

    for (const [index, host] of (deps.addresses ?? ['::', '0.0.0.0']).entries()) {
      const outcome = await listen(server, input.port, host);
      if (signal.aborted) return close;
      if ('port' in outcome) {
        server.on(
          'error',
          guard((error: Error) => send({ type: 'http.lost', code: errorCode(error) })),
        );
        send({ type: 'http.listening', port: outcome.port, family: index === 0 ? 'dual' : 'ipv4' });
        return close;
      }
      if (NOT_NOW.has(outcome.code)) return send({ type: 'http.taken', code: outcome.code });
      if (!NO_SUCH_FAMILY.has(outcome.code)) throw new Error('http-listen-failed', { cause: outcome.error });
    }
    return send({ type: 'http.taken', code: 'EADDRNOTAVAIL' });
  });
