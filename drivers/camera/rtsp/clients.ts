import type { Socket } from 'node:net';

import type { StreamCommand, StreamFact, Watcher } from '#machines/camera-session/events.ts';
import { plainAddress } from '#machines/kit/ip-address.ts';
import { peerName, type PeerName } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { FrameHub } from '../frames.ts';
import type { EncodeLimits } from './address.ts';
import type { StreamBounds } from './bounds.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Guard } from './guard.ts';
import { mayWatch, placeOf } from './places.ts';
import { createRelay } from './relay.ts';
import { openUdpPair, type UdpPair } from './udp-pair.ts';
import { watcherKind } from './watcher-kind.ts';

export interface ClientsDeps {
  readonly hub: FrameHub;
  readonly elapsed: () => Milliseconds;
  readonly limits: EncodeLimits;
  readonly bounds: StreamBounds;
  readonly isLanPeer: (address: string) => boolean;
  readonly isHome: (address: string) => boolean;
  /** Names the peer that an address counts for; `peerName` by default. */
  readonly nameOf?: ((address: string) => PeerName) | undefined;
  readonly send: (fact: StreamFact) => void;
  readonly guard: Guard;
}

/** All clients of one server. Nothing runs while there is no connection. */
export interface Clients {
  /** `host` and `port` are the listener's. */
  readonly accept: (socket: Socket, host: string, port: number) => void;
  readonly take: (command: StreamCommand) => void;
  /** Ends all; resolves when their sockets are closed. */
  readonly stop: () => Promise<void>;
}

export function createClients(deps: ClientsDeps): Clients {
  const { hub, elapsed, limits, bounds, send, guard } = deps;
  const all = new Set<Connection>();
  let clients = 0;
  let watched = '[]';
  let reportAt = 0;
  let timer: NodeJS.Timeout | null = null;
  let isHurried = false;
  let tickAt: Milliseconds = 0;
  let udp: Promise<UdpPair | null> | null = null;
  let onEmpty = (): void => {};

  const each = (call: (connection: Connection) => void): void => {
    for (const connection of all) call(connection);
  };
  /** Looks at what is due within `tickMs`, because something has begun that may end as soon. */
  const hurry = (): void => {
    if (isHurried || all.size === 0) return;
    isHurried = true;
    tickIn(bounds.tickMs);
  };
  const relay = createRelay({
    hub,
    elapsed,
    guard,
    onCapture: () => {
      each((one) => one.formatCame());
      hurry();
    },
    // While all play the pictures wake the process often enough.
    onPicture: () => {
      if (elapsed() >= tickAt) tick();
    },
  });
  const occupants = () => [...all].map((connection) => ({ connection, ...connection.occupant() }));

  const tellWatchers = (): void => {
    const watchers = [...all].map((one) => one.watcher()).filter((watcher): watcher is Watcher => watcher !== null);
    const told = JSON.stringify(watchers);
    if (told === watched) return;
    watched = told;
    send({ type: 'stream.watched', watchers });
  };
  const openUdp = async (host: string, port: number): Promise<UdpPair | null> => {
    const onDatagram = guard((address: string, from: number) => each((one) => one.heard(address, from)));
    udp ??= openUdpPair({ host, wanted: port, onDatagram });
    const pair = await udp;
    // The next client tries again.
    if (pair === null) udp = null;
    return pair;
  };
  const rest = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isHurried = false;
    void udp?.then((pair) => pair?.close());
    udp = null;
    onEmpty();
  };
  /** Reads the hub only while there is a client. */
  const restRelay = (): void => {
    if (![...all].some((one) => one.client() !== null)) relay.close();
  };
  const tickIn = (ms: Milliseconds): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(tick, ms);
  };
  const tick = guard((): void => {
    const now = elapsed();
    each((one) => one.tick(now));
    const endedAt = relay.endedAt();
    const isOver = endedAt !== null && relay.format() === null && now - endedAt >= bounds.betweenCapturesMs;
    if (isOver) each((one) => one.watcher() !== null && one.end());
    if (now >= reportAt) {
      reportAt = now + bounds.reportMs;
      relay.report();
    }
    isHurried = relay.format() === null || ![...all].every((one) => one.isSteady());
    tickAt = now + (isHurried ? bounds.tickMs : bounds.playingTickMs);
    if (all.size > 0) tickIn(isHurried ? bounds.tickMs : bounds.waitingTickMs);
  });
  const leave = (connection: Connection): void => {
    all.delete(connection);
    tellWatchers();
    restRelay();
    if (all.size === 0) rest();
  };

  return {
    accept: (socket, host, port) => {
      const address = plainAddress(socket.remoteAddress ?? '');
      const peer = (deps.nameOf ?? peerName)(address);
      const place = placeOf(occupants(), peer, bounds);
      socket.on('error', () => {});
      if (address === '' || place.is === 'none' || !deps.isLanPeer(address)) return void socket.destroy();
      if (place.is === 'of') place.occupant.connection.destroy();
      const connection = createConnection({
        socket,
        peer,
        bounds,
        limits,
        elapsed,
        relay,
        guard,
        kindOf: (userAgent) => watcherKind(userAgent, deps.isHome(address)),
        mayWatch: () => mayWatch(occupants(), peer, bounds),
        openUdp: () => openUdp(host, port),
        nextClient: () => (clients += 1),
        wanted: (client, asks) => {
          // A name that must be looked up for this is known by the time that the client plays.
          deps.isHome(address);
          send({ type: 'stream.wanted', client, ...asks, at: elapsed() });
        },
        left: (client) => {
          send({ type: 'stream.left', client, at: elapsed() });
          restRelay();
        },
        changed: () => {
          tellWatchers();
          hurry();
        },
        closed: () => leave(connection),
      });
      all.add(connection);
      hurry();
    },
    take: (command) => {
      if (command.type === 'stream.drop') return each((one) => one.client() !== null && one.end());
      const connection = [...all].find((one) => one.client() === command.client);
      if (command.type === 'stream.admit') return connection?.admit();
      connection?.refuse(command.refusal);
      return restRelay();
    },
    stop: () =>
      new Promise((resolve) => {
        if (all.size === 0) return resolve();
        const late = setTimeout(() => each((one) => one.destroy()), bounds.closingMs);
        onEmpty = () => {
          clearTimeout(late);
          resolve();
        };
        each((one) => one.end());
      }),
  };
}
