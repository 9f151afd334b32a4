import { createServer, IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Admission, AdmissionPolicy, HttpEvent, HttpFact, PreRouting } from '#machines/http/events.ts';
import type { PeerName } from '#machines/kit/peer-name.ts';
import { listenerBounds, type ListenerBounds } from './bounds.ts';
import { createConnections } from './connections.ts';
import { isFromBrowser, requestsWithDoor } from './door.ts';
import { GuardedResponse } from './guarded-response.ts';
import { createHandler, type HandlerDeps } from './handler.ts';
import type { Connection } from './in-flight.ts';
import { ownPrefixes } from './own-prefixes.ts';
import { refusals, writeRaw, type Refusal } from './refusal.ts';
import { realClock, type StallClock, watchStalled } from './stalled.ts';

export interface ListenerDeps extends HandlerDeps {
  /** Checks of the raw request, before any library interprets it. */
  readonly checks: PreRouting;
  /** Current names of `http_allowed_hosts`, in lower case, without a final dot. */
  readonly allowedHosts: () => readonly string[];
  readonly activeGets: AdmissionPolicy['activeGets'];
  /** What a request waits for before it is judged, by method and raw target; null if it need not wait. */
  readonly whenLoaded?: (method: string, rawTarget: string) => Promise<void> | null;
  readonly bounds?: Partial<ListenerBounds>;
  /** Addresses to try in order: the next one if the machine lacks such an address or family. */
  readonly addresses?: readonly string[];
  /** Ranges of the panel's own interfaces, in CIDR notation. */
  readonly ownPrefixes?: () => readonly string[];
  /** Names the peer that an address counts for; `peerName` by default. */
  readonly nameOf?: (address: string) => PeerName;
  /** Measures for how long readers and senders stall; the real clock by default. */
  readonly clock?: StallClock;
}

/** Errors of listen() that say the machine lacks the address family, not that the port is taken. */
const NO_SUCH_FAMILY = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EPROTONOSUPPORT', 'EINVAL']);
const NOT_NOW = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Connections that the kernel queues until they are accepted, half of what Linux allows (somaxconn): if a flood fills
 * the queue, another peer gets in a second later.
 */
const BACKLOG = 2048;

/** Every address of the machine, and what Node listens on without a host. */
const ANY = '::';

const listen = (
  server: Server,
  port: number,
  host: string,
): Promise<
  { readonly port: number; readonly family: 'dual' | 'ipv4' } | { readonly code: string; readonly error: unknown }
> =>
  new Promise((resolve) => {
    const refused = (error: Error): void => resolve({ code: errorCode(error), error });
    server.once('error', refused);
    // A host is looked up, and for Node to see that it is an address takes four milliseconds the first time.
    const where = host === ANY ? { port } : { port, host, ipv6Only: false };
    server.listen({ ...where, backlog: BACKLOG }, () => {
      server.off('error', refused);
      // A server that listens on TCP has an AddressInfo; the other types belong to pipes.
      const address = server.address() as AddressInfo;
      // Without a host Node itself takes IPv4 where the machine has nothing else.
      resolve({ port: address.port, family: address.family === 'IPv6' ? 'dual' : 'ipv4' });
    });
  });

const refusalOf = (code: string): Refusal =>
  code === 'HPE_HEADER_OVERFLOW'
    ? refusals.headTooLarge
    : code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? refusals.tooSlow
      : refusals.malformed;

/**
 * The web server: Node's own, with checks on the raw request before any library interprets it. Admitted requests reach
 * the routes with a constant host and a target in origin-form.
 */
export const httpListener = (deps: ListenerDeps) =>
  fromDriver<HttpEvent, { readonly port: number }, HttpFact>(async ({ input, send, guard, signal }) => {
    const bounds = { ...listenerBounds, ...deps.bounds };
    const prefixes = deps.ownPrefixes ?? ownPrefixes;
    // Getters, since only few requests need them.
    const policy: AdmissionPolicy = {
      get ownPrefixes() {
        return prefixes();
      },
      get allowedHosts() {
        return deps.allowedHosts();
      },
      activeGets: deps.activeGets,
    };
    const judge = (incoming: IncomingMessage, peerAddress: string): Admission =>
      deps.checks.admit(
        {
          method: incoming.method ?? '',
          rawTarget: incoming.url ?? '',
          rawHeaders: incoming.rawHeaders,
          peerAddress,
        },
        policy,
      );
    const connections = createConnections(bounds, (connection) => handle.drop(connection), deps.nameOf);
    const clock = deps.clock ?? realClock;
    const refused = new WeakSet<Duplex>();
    /** Ends a connection whose request could not be read, with a response if there is a place for one. */
    const giveUp = (socket: Duplex, code: string): void => {
      // Anything after the first error is broken too, and is discarded until the response is sent.
      if (refused.has(socket)) return;
      refused.add(socket);
      // The server's sockets are net.Sockets; the event's type is wider because of TLS.
      const connection = connections.of(socket as IncomingMessage['socket']);
      const isAnswered =
        code !== 'ECONNRESET' &&
        connection !== undefined &&
        connections.isQuiet(connection) &&
        deps.checks.isLanPeer(connection.address, prefixes());
      if (isAnswered) writeRaw(socket, refusalOf(code));
      else socket.destroy();
    };
    const onOverdue = ({ socket }: Connection): void => giveUp(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    const stalled = watchStalled(bounds, connections.all, onOverdue, clock);
    const handle = createHandler(deps, { bounds, connections, judge, onPiece: stalled.arm, clock, guard });
    const arrive = guard((incoming: IncomingMessage, outgoing: GuardedResponse, expects?: 'continue' | 'unknown') => {
      handle.arrive(incoming, outgoing, expects);
      stalled.arm();
    });
    // Connections with a waiting request: those behind it wait too, so that none overtakes it.
    const waiting = new WeakSet<IncomingMessage['socket']>();
    const whenLoaded = ({ method = '', url = '', socket }: IncomingMessage): Promise<void> | null =>
      deps.whenLoaded?.(waiting.has(socket) ? '' : method, url) ?? null;
    const accept =
      (expects?: 'continue' | 'unknown') =>
      (incoming: IncomingMessage, outgoing: GuardedResponse): void => {
        const loaded = whenLoaded(incoming);
        if (loaded === null) return arrive(incoming, outgoing, expects);
        waiting.add(incoming.socket);
        void loaded.then(() => arrive(incoming, outgoing, expects));
      };

    const { door } = deps;
    /** Hands a connection over, or refuses it with a last response. */
    const hand = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const connection = connections.of(incoming.socket);
      // A response on its way would land inside what follows; no client asks that early.
      if (door === undefined || connection === undefined || connection.responses > 0 || !socket.writable) {
        socket.destroy();
        return;
      }
      const admission = judge(incoming, connection.address);
      if (!admission.admitted) return writeRaw(socket, admission);
      if (isFromBrowser(incoming.rawHeaders)) return writeRaw(socket, refusals.notForPages);
      const { address } = connection;
      if (!door.take({ incoming, socket: connection.socket, head, address })) writeRaw(socket, refusals.notServing);
    };
    const judged = guard((incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      const loaded = whenLoaded(incoming);
      if (loaded === null) return hand(incoming, socket, head);
      void loaded.then(guard(() => hand(incoming, socket, head)));
    });
    const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
      socket.on('error', () => socket.destroy());
      const connection = connections.of(incoming.socket);
      // From here on the server itself no longer knows it.
      if (connection !== undefined) connection.isUpgraded = true;
      if (signal.aborted) socket.destroy();
      else judged(incoming, socket, head);
    };

    const server = createServer({
      maxHeaderSize: bounds.headBytes,
      headersTimeout: bounds.headMs,
      // `stalled` enforces the bound of all other requests.
      requestTimeout: bounds.uploadMs + bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      connectionsCheckingInterval: bounds.checkMs,
      requireHostHeader: false,
      IncomingMessage: deps.door === undefined ? IncomingMessage : requestsWithDoor(deps.door.path),
      ServerResponse: GuardedResponse,
    });
    // The head is bounded in bytes; Node's bound on lines would drop the ones beyond it, even a Host.
    server.maxHeadersCount = 0;
    server.on('connection', connections.open);
    server.on('request', accept());
    server.on('checkContinue', accept('continue'));
    server.on('checkExpectation', accept('unknown'));
    server.on(
      'connect',
      guard((incoming: IncomingMessage, socket: Duplex) => {
        socket.on('error', () => socket.destroy());
        const admission = judge(incoming, connections.of(incoming.socket)?.address ?? '');
        writeRaw(socket, admission.admitted ? refusals.malformed : admission);
      }),
    );
    if (door !== undefined) server.on('upgrade', upgrade);
    server.on(
      'clientError',
      guard((error: Error, socket: Duplex) => giveUp(socket, errorCode(error))),
    );

    const close = async (): Promise<void> => {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.endStreams();
      connections.endUpgraded('in order');
      connections.whenNone(() => server.closeAllConnections());
      const deadline = setTimeout(() => {
        server.closeAllConnections();
        connections.endUpgraded('at once');
      }, bounds.drainMs);
      await closed;
      clearTimeout(deadline);
      stalled.stop();
      await handle.stop();
    };

    for (const host of deps.addresses ?? [ANY, '0.0.0.0']) {
      const outcome = await listen(server, input.port, host);
      if (signal.aborted) return close;
      if ('port' in outcome) {
        server.on(
          'error',
          guard((error: Error) => send({ type: 'http.lost', code: errorCode(error) })),
        );
        send({ type: 'http.listening', port: outcome.port, family: outcome.family });
        return close;
      }
      if (NOT_NOW.has(outcome.code)) return send({ type: 'http.taken', code: outcome.code });
      if (!NO_SUCH_FAMILY.has(outcome.code)) throw new Error('http-listen-failed', { cause: outcome.error });
    }
    return send({ type: 'http.taken', code: 'EADDRNOTAVAIL' });
  });
