import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener, RequestError } from '@hono/node-server';

import { fromDriver, type DriverLogic } from '#drivers/kit/from-driver.ts';
import { admit, type Admission, type AdmissionPolicy } from '#machines/http/admission.ts';
import type { HttpBindings, HttpEvent, HttpFact } from '#machines/http/events.ts';
import { isLanPeer, plainAddress } from '#machines/http/lan-peer.ts';
import { announcesTooMuch, calmStream, collectBody, hasBody } from './body.ts';
import { listenerBounds, type ListenerBounds } from './bounds.ts';
import { boundPerPeer, createFlights } from './connections.ts';
import { ownPrefixes } from './own-prefixes.ts';
import { answerRefusal, refusals, refusalText, securityHeaders, writeRaw, type Refusal } from './refusal.ts';

/** What the listener works with; the port comes with each start. */
export interface ListenerDeps {
  /** The finished handler. The `Request` it sees has a constant host, so nothing can take an origin from its URL. */
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
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

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

const listen = (server: Server, port: number, host: string): Promise<{ readonly port: number } | { readonly code: string; readonly error: unknown }> =>
  new Promise((resolve) => {
    const refused = (error: Error): void => resolve({ code: codeOf(error), error });
    server.once('error', refused);
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', refused);
      // A server that listens on TCP has an AddressInfo; the other shapes belong to pipes.
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });

const isWebSocket = (incoming: IncomingMessage): boolean => (incoming.headers.upgrade ?? '').toLowerCase().split(/[\s,]+/).includes('websocket');

const handler = (deps: ListenerDeps, judge: (incoming: IncomingMessage) => Admission, track: (incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
  const failed = (error: unknown): Response => {
    // The library's own word for a target that is no URL; everything else is the handler's failure.
    const refusal = error instanceof RequestError ? refusals.malformed : refusals.internal;
    if (refusal === refusals.internal) deps.onHandlerFailure?.(codeOf(error));
    return new Response(refusalText(refusal), { status: refusal.status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  };
  const heads = new WeakMap<IncomingMessage, readonly string[]>();
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      // Only HTTP/1 servers call this listener.
      const raw = incoming as IncomingMessage;
      const noteStatus = (response: Response): Response => {
        keepLibraryQuiet(outgoing as ServerResponse, response.status, deps);
        return calmStream(response, (error) => deps.onHandlerFailure?.(codeOf(error)));
      };
      const bindings: HttpBindings = { peer: plainAddress(raw.socket.remoteAddress ?? ''), incoming: { rawHeaders: heads.get(raw) ?? [] } };
      try {
        const response = deps.fetch(request, bindings);
        return response instanceof Promise ? response.then(noteStatus).catch(failed) : noteStatus(response);
      } catch (error) {
        return failed(error);
      }
    },
    { hostname: CONSTANT_HOST, errorHandler: failed },
  );

  return async (incoming: IncomingMessage, outgoing: ServerResponse, expects?: 'continue' | 'unknown'): Promise<void> => {
    track(incoming, outgoing);
    for (const [name, value] of securityHeaders) outgoing.setHeader(name, value);
    const admission = judge(incoming);
    if (!admission.admitted) return answerRefusal(incoming, outgoing, admission);
    if (expects === 'unknown') return answerRefusal(incoming, outgoing, refusals.expectation);
    if (isWebSocket(incoming)) return answerRefusal(incoming, outgoing, refusals.noUpgrade);
    const { path, query } = admission.target;
    if (hasBody(incoming)) {
      const limit = deps.maxBodyBytes(incoming.method ?? '', path);
      if (announcesTooMuch(incoming, limit)) return answerRefusal(incoming, outgoing, refusals.tooLarge);
      if (expects === 'continue') outgoing.writeContinue();
      const body = await collectBody(incoming, limit);
      if (body === 'too-large') return answerRefusal(incoming, outgoing, refusals.tooLarge);
      if (body === 'gone') return;
      // The library takes a body collected before it from this field.
      Object.assign(incoming, { rawBody: body });
    }
    heads.set(incoming, incoming.rawHeaders);
    incoming.url = query === '' ? path : `${path}?${query}`;
    incoming.headers.host = CONSTANT_HOST;
    incoming.rawHeaders = ['host', CONSTANT_HOST, ...withoutHost(incoming.rawHeaders)];
    await answer(incoming, outgoing);
  };
};

const withoutHost = (rawHeaders: readonly string[]): readonly string[] =>
  rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'host');

/** When a body fails on its way the library answers for itself with the exception's text: put a refusal in its place. */
const keepLibraryQuiet = (outgoing: ServerResponse, expected: number, deps: ListenerDeps): void => {
  const writeHead = outgoing.writeHead.bind(outgoing);
  // The overloads of writeHead differ only in a reason phrase that this listener never sends.
  outgoing.writeHead = ((status: number, headers?: Record<string, string | number>) => {
    if (status === expected) return writeHead(status, headers);
    deps.onHandlerFailure?.('ResponseBody');
    const body = refusalText(refusals.internal);
    const end = outgoing.end.bind(outgoing);
    outgoing.end = ((): ServerResponse => end(body)) as ServerResponse['end'];
    return writeHead(500, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Content-Length': Buffer.byteLength(body) });
  }) as ServerResponse['writeHead'];
};

const refusalOf = (code: string): Refusal =>
  code === 'HPE_HEADER_OVERFLOW' ? refusals.headTooLarge : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? refusals.tooSlow : refusals.malformed;

/**
 * The web server: Node's own, with the pre-routing checks made on the raw request before any library interprets it. What is
 * admitted goes to the handler with a constant host and its target in origin-form.
 */
export const httpListener = (deps: ListenerDeps): DriverLogic<HttpEvent, { readonly port: number }> =>
  fromDriver<HttpEvent, { readonly port: number }, HttpFact>(async ({ input, send, guard, signal }) => {
    const bounds = { ...listenerBounds, ...deps.bounds };
    const prefixes = deps.ownPrefixes ?? ownPrefixes;
    const flights = createFlights();
    const judge = (incoming: IncomingMessage): Admission =>
      admit(
        {
          method: incoming.method ?? '',
          rawTarget: incoming.url ?? '',
          rawHeaders: incoming.rawHeaders,
          peerAddress: incoming.socket.remoteAddress ?? '',
        },
        { ownPrefixes: prefixes(), allowedHosts: deps.allowedHosts(), activeGets: deps.activeGets },
      );
    const handle = handler(deps, judge, (incoming, outgoing) => flights.add(incoming.socket, outgoing));

    const server = createServer({
      maxHeaderSize: bounds.headBytes,
      headersTimeout: bounds.headMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: bounds.checkMs,
      requireHostHeader: false,
    });
    // Bounded in bytes; Node's bound in lines would drop what comes after it, a Host too.
    server.maxHeadersCount = 0;
    server.maxConnections = bounds.connections;
    server.on('connection', boundPerPeer(bounds.connectionsPerPeer));
    server.on('request', guard((incoming: IncomingMessage, outgoing: ServerResponse) => handle(incoming, outgoing)));
    server.on('checkContinue', guard((incoming: IncomingMessage, outgoing: ServerResponse) => handle(incoming, outgoing, 'continue')));
    server.on('checkExpectation', guard((incoming: IncomingMessage, outgoing: ServerResponse) => handle(incoming, outgoing, 'unknown')));
    server.on('connect', guard((incoming: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => socket.destroy());
      const admission = judge(incoming);
      writeRaw(socket, admission.admitted ? refusals.malformed : admission);
    }));
    const refused = new WeakSet<Duplex>();
    server.on('clientError', guard((error: Error, socket: Duplex) => {
      // What still comes in after the first error is broken too, and is read away until the answer has left.
      if (refused.has(socket)) return;
      refused.add(socket);
      // The server's sockets are net.Sockets; the event is typed wider for TLS.
      const peer = socket as IncomingMessage['socket'];
      const code = codeOf(error);
      if (code === 'ECONNRESET' || !flights.isQuiet(peer) || !isLanPeer(peer.remoteAddress ?? '', prefixes())) peer.destroy();
      else writeRaw(peer, refusalOf(code));
    }));

    const close = async (): Promise<void> => {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      flights.endStreams();
      flights.whenNone(() => server.closeAllConnections());
      const cut = setTimeout(() => server.closeAllConnections(), bounds.drainMs);
      await closed;
      clearTimeout(cut);
    };

    for (const [index, host] of (deps.addresses ?? ['::', '0.0.0.0']).entries()) {
      const outcome = await listen(server, input.port, host);
      if (signal.aborted) return close;
      if ('port' in outcome) {
        server.on('error', guard((error: Error) => send({ type: 'http.lost', code: codeOf(error) })));
        send({ type: 'http.listening', port: outcome.port, family: index === 0 ? 'dual' : 'ipv4' });
        return close;
      }
      if (NOT_NOW.has(outcome.code)) return send({ type: 'http.taken', code: outcome.code });
      if (!NO_SUCH_FAMILY.has(outcome.code)) throw new Error('http-listen-failed', { cause: outcome.error });
    }
    return send({ type: 'http.taken', code: 'EADDRNOTAVAIL' });
  });
