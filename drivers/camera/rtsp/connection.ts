import type { Socket } from 'node:net';

import type { CameraRefusal, Watcher } from '#machines/camera-session/events.ts';
import { plainAddress } from '#machines/kit/ip-address.ts';
import type { PeerName } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { formatAnswer } from './answer.ts';
import type { StreamBounds } from './bounds.ts';
import { type Conversation, type ConversationDeps, createConversation } from './conversation.ts';
import { tcpDelivery, udpDelivery } from './delivery.ts';
import type { Occupant } from './places.ts';
import { rateLimit } from './rate-limit.ts';
import { createRequestReader, type Received } from './request-reader.ts';
import type { Transport } from './transport.ts';
import type { UdpPair } from './udp-pair.ts';

export interface ConnectionDeps extends Omit<ConversationDeps, 'choose' | 'answer' | 'ownHost' | 'family' | 'bounds'> {
  readonly socket: Socket;
  readonly peer: PeerName;
  readonly bounds: StreamBounds;
  /** Opens the ports that all clients over UDP share; null if that is not possible. */
  readonly openUdp: () => Promise<UdpPair | null>;
  readonly closed: () => void;
}

/** One client's connection: reads its requests strictly one after the other, within the bounds. */
export interface Connection {
  readonly occupant: () => Occupant;
  readonly client: () => number | null;
  readonly watcher: () => Watcher | null;
  readonly admit: () => void;
  readonly refuse: (refusal: CameraRefusal) => void;
  readonly formatCame: () => void;
  /** Takes a datagram for a sign of life if it comes from this client's ports. */
  readonly heard: (address: string, port: number) => void;
  /** True if it plays: only seconds of silence end it. */
  readonly isSteady: () => boolean;
  readonly tick: (now: Milliseconds) => void;
  /** Ends it once what was written has left, and at the latest soon after. */
  readonly end: () => void;
  readonly destroy: () => void;
}

/** How this machine is named in an address. */
const hostOf = ({ localAddress = '', localPort = 0 }: Socket): string =>
  localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;

export function createConnection(deps: ConnectionDeps): Connection {
  const { socket, peer, bounds, elapsed } = deps;
  const address = socket.remoteAddress ?? '';
  const openedAt = elapsed();
  const reader = createRequestReader(bounds);
  const takesRequest = rateLimit(bounds.requestsPerSecond, elapsed);
  const takesBytes = rateLimit(bounds.bytesPerSecond, elapsed);
  /** Sequence number of the request under way; null while there is none. */
  let underWay: number | null = null;
  let heardAt = openedAt;
  /** Since when it does not play; null while it does. */
  let idleSince: Milliseconds | null = openedAt;
  let headSince: Milliseconds | null = null;
  let endsAt: Milliseconds | null = null;
  let ports: readonly [number, number] | null = null;
  let isTaking = false;

  const destroy = (): void => void socket.destroy();
  const end = (): void => {
    if (endsAt !== null) return;
    endsAt = elapsed() + bounds.closingMs;
    conversation.end();
    socket.end();
  };
  const choose = async (transports: readonly Transport[]) => {
    for (const transport of transports) {
      if (transport.by === 'tcp') {
        const [data, control] = transport.channels;
        ports = null;
        const header = `RTP/AVP/TCP;unicast;interleaved=${data}-${control}`;
        return { delivery: tcpDelivery(socket, transport.channels, bounds), header, by: 'tcp' as const };
      }
      const pair = await deps.openUdp();
      if (pair !== null) {
        ({ ports } = transport);
        const header = `RTP/AVP;unicast;client_port=${ports.join('-')};server_port=${pair.ports.join('-')}`;
        return { delivery: udpDelivery(pair, address, ports, bounds.burstBytes), header, by: 'udp' as const };
      }
    }
    return null;
  };
  const conversation: Conversation = createConversation({
    ...deps,
    ownHost: hostOf(socket),
    family: plainAddress(address).includes(':') ? 6 : 4,
    choose,
    answer: (answer) => {
      if (underWay === null || socket.destroyed) return;
      socket.write(formatAnswer(answer, underWay));
      underWay = null;
      takeAll();
    },
    changed: () => {
      idleSince = conversation.phase() === 'playing' ? null : elapsed();
      deps.changed();
    },
  });

  const take = (received: Received): void => {
    heardAt = elapsed();
    if (received.is === 'packet') return;
    if (received.is === 'foreign') return destroy();
    if (received.is === 'refused') {
      socket.write(formatAnswer({ status: received.status }, received.sequence));
      return end();
    }
    if (!takesRequest(1)) return destroy();
    underWay = received.request.sequence;
    return conversation.take(received.request);
  };
  const isFree = (): boolean => underWay === null && endsAt === null && !socket.destroyed;
  /** Takes what has arrived, up to a request that waits for its answer. */
  const takeAll = (): void => {
    // An answer within the loop returns to it.
    if (isTaking) return;
    isTaking = true;
    while (isFree()) {
      const received = reader.next();
      if (received === null) break;
      take(received);
    }
    isTaking = false;
    if (!reader.isInHead()) headSince = null;
    else headSince ??= elapsed();
  };

  socket.setNoDelay(true);
  socket.on('error', destroy);
  socket.on(
    'data',
    deps.guard((piece: Buffer) => {
      if (endsAt !== null) return;
      reader.push(piece);
      if (!takesBytes(piece.length) || (underWay !== null && reader.waiting() > bounds.headBytes)) return destroy();
      return takeAll();
    }),
  );
  socket.once('close', () => {
    endsAt ??= elapsed();
    conversation.end();
    deps.closed();
  });

  const isOverdue = (now: Milliseconds): boolean =>
    (endsAt !== null && now >= endsAt) ||
    (idleSince !== null && now - idleSince >= bounds.beforePlayMs) ||
    (headSince !== null && underWay === null && now - headSince >= bounds.headMs) ||
    (idleSince === null && conversation.isOverUdp() && now - heardAt >= bounds.silentMs) ||
    conversation.isStalled(now);
  return {
    occupant: () => ({ peer, openedAt, isClient: conversation.isClient(), isPlaying: idleSince === null }),
    client: conversation.client,
    watcher: conversation.watcher,
    admit: conversation.admit,
    refuse: conversation.refuse,
    formatCame: conversation.formatCame,
    heard: (from, port) => {
      if (from === address && ports?.includes(port) === true) heardAt = elapsed();
    },
    isSteady: () => endsAt === null && idleSince === null,
    tick: (now) => {
      conversation.tick(now);
      if (isOverdue(now)) destroy();
    },
    end,
    destroy,
  };
}
