import { type AddressInfo, createServer, type Server } from 'node:net';

import { ownPrefixes } from '#drivers/http/own-prefixes.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { StreamCommand, StreamDriver, StreamFact, StreamInput } from '#machines/camera-session/events.ts';
import type { PeerName } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { FrameHub } from '../frames.ts';
import type { EncodeLimits } from './address.ts';
import { streamBounds, type StreamBounds } from './bounds.ts';
import { createClients } from './clients.ts';

export interface RtspDeps {
  readonly hub: FrameHub;
  readonly elapsed: () => Milliseconds;
  /** What addresses may ask for: `{ heights: cameraHeights, ...encodeBounds }`. */
  readonly limits: EncodeLimits;
  /** True if an address belongs to this network, as the HTTP listener decides it. */
  readonly isLanPeer: (address: string, ownPrefixes: readonly string[]) => boolean;
  /** Ranges of the panel's own interfaces, in CIDR notation. */
  readonly ownPrefixes?: () => readonly string[];
  /** True for the address of the panel's Home Assistant; false for all by default. */
  readonly isHome?: (address: string) => boolean;
  /** Names the peer that an address counts for; `peerName` by default. */
  readonly nameOf?: (address: string) => PeerName;
  readonly bounds?: Partial<StreamBounds>;
  /** Addresses to try in order: the next one if the machine lacks such an address or family. */
  readonly addresses?: readonly string[];
}

/** Errors of listen() that say the machine lacks the address family, not that the port is taken. */
const NO_SUCH_FAMILY = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EPROTONOSUPPORT', 'EINVAL']);
/** Connections that the kernel queues: more than there are places. */
const BACKLOG = 64;

/** Listens; null on success, else the code of the error. */
const listen = (server: Server, port: number, host: string): Promise<string | null> =>
  new Promise((resolve) => {
    const refused = (error: Error): void => resolve(errorCode(error));
    server.once('error', refused);
    server.listen({ port, host, ipv6Only: false, backlog: BACKLOG }, () => {
      server.off('error', refused);
      resolve(null);
    });
  });

/** The RTSP server (RFC 2326): serves the pictures of a hub to many clients, over TCP and UDP. */
export const rtspServer = (deps: RtspDeps): StreamDriver =>
  fromDriver<StreamCommand, StreamInput, StreamFact>(({ input, send, onEvent, guard, signal }) => {
    const bounds = { ...streamBounds, ...deps.bounds };
    const prefixes = deps.ownPrefixes ?? ownPrefixes;
    const clients = createClients({
      hub: deps.hub,
      elapsed: deps.elapsed,
      limits: deps.limits,
      bounds,
      isLanPeer: (address) => deps.isLanPeer(address, prefixes()),
      isHome: deps.isHome ?? (() => false),
      nameOf: deps.nameOf,
      send,
      guard,
    });
    let server: Server | null = null;
    let retry: NodeJS.Timeout | undefined;
    let blocked: string | null = null;

    const started = (listening: Server, host: string): void => {
      server = listening;
      // A server that listens on TCP has an AddressInfo; the other types belong to pipes.
      const { port } = listening.address() as AddressInfo;
      // A connection that could not be accepted, such as for want of descriptors, is lost, and the next one is not.
      listening.on('error', () => {});
      listening.on(
        'connection',
        guard((socket) => clients.accept(socket, host, port)),
      );
      blocked = null;
      send({ type: 'stream.listening', port });
    };
    const open = async (): Promise<void> => {
      let found = 'EADDRNOTAVAIL';
      for (const host of deps.addresses ?? ['::', '0.0.0.0']) {
        const candidate = createServer();
        const code = await listen(candidate, input.port, host);
        if (code === null && signal.aborted) return void candidate.close();
        if (code === null) return started(candidate, host);
        found = code;
        if (!NO_SUCH_FAMILY.has(code)) break;
      }
      if (signal.aborted) return;
      const reason = found === 'EADDRINUSE' ? 'port-taken' : 'refused';
      if (reason !== blocked) send({ type: 'stream.blocked', code: reason });
      blocked = reason;
      retry = setTimeout(
        guard(() => open()),
        bounds.retryMs,
      );
    };
    onEvent(clients.take);
    guard(() => open())();
    return async () => {
      clearTimeout(retry);
      const closed = server === null ? null : new Promise<void>((resolve) => server?.close(() => resolve()));
      await clients.stop();
      await closed;
    };
  });
