import type { Socket } from 'node:net';

import { plainAddress } from '#machines/kit/ip-address.ts';
import { peerName, type PeerName } from '#machines/kit/peer-name.ts';
import type { ListenerBounds } from './bounds.ts';
import type { Connection, InFlight, Peer } from './in-flight.ts';
import { createPeers, isOutside } from './peers.ts';
import { chooseEvicted } from './eviction.ts';

/** The open connections of one server. */
export interface Connections {
  /** Lets a connection in, or closes it at once if its peer, or all peers together, have too many. */
  readonly open: (socket: Socket) => void;
  /** The connection of a socket; undefined if it was not let in, or has left. */
  readonly of: (socket: Socket) => Connection | undefined;
  readonly all: () => Iterable<Connection>;
  /**
   * Refuses all connections of a peer for a second, as its `Retry-After` says: a peer that sends too much would
   * reconnect at once, and each connection costs the panel more than the peer.
   */
  readonly ban: (peer: Peer) => void;
  /** Number of connections so far, those that were closed at once included. */
  readonly connected: () => number;
  /** Counts a response under way on a connection. */
  readonly add: (connection: Connection, inFlight: InFlight) => void;
  /** Takes back what `add` counted. */
  readonly remove: (connection: Connection) => void;
  /** Forgets a peer if it has no connection and no response left. */
  readonly forget: (peer: Peer) => void;
  /** True if a whole response can be written on the connection without landing inside another one. */
  readonly isQuiet: (connection: Connection) => boolean;
  /** Ends the connections that have left HTTP, once what was written on them has been sent; or cuts them. */
  readonly endUpgraded: (how: 'in order' | 'at once') => void;
  /** Ends the responses that have begun and would last on (event streams). */
  readonly endStreams: () => void;
  /** Calls back once no response is under way, at once or when the last one has been sent. */
  readonly whenNone: (callback: () => void) => void;
}

type ConnectionBounds = Pick<
  ListenerBounds,
  | 'connections'
  | 'connectionsPerPeer'
  | 'connectionsPerNetwork'
  | 'loopbackConnections'
  | 'making'
  | 'loopbackMaking'
  | 'networkMaking'
>;

/**
 * Keeps the connections of one server. `onGone` is called with each that has left; `nameOf` names the peer that an
 * address counts for. When all places, or all of a network, are taken, a newcomer gets that of another, so that no peer
 * can lock out all others. The machine itself has separate places, which no other peer can take.
 */
export function createConnections(
  bounds: ConnectionBounds,
  onGone: (connection: Connection) => void,
  nameOf: (address: string) => PeerName = peerName,
): Connections {
  const open = new Map<Socket, Connection>();
  const peers = createPeers(bounds);
  /** Connections of all peers except the machine itself. */
  let outside = 0;
  /** Responses of all connections. */
  let responses = 0;
  let uses = 0;
  let connected = 0;
  let idle: () => void = () => {};

  const count = ({ peer }: Connection, by: 1 | -1): void => {
    peer.connections += by;
    if (peer.network !== null) peer.network.connections += by;
    if (isOutside(peer)) outside += by;
  };
  const leave = (connection: Connection): void => {
    if (!open.delete(connection.socket)) return;
    count(connection, -1);
    responses -= connection.responses;
    onGone(connection);
    peers.forget(connection.peer);
    if (responses === 0) idle();
  };

  /** Ends one of the matching connections of other peers for the newcomer; false if none may be ended. */
  const evict = (newcomer: Peer, isOne: (peer: Peer) => boolean): boolean => {
    const victim = chooseEvicted(
      // One that has left HTTP looks idle; who took it over bounds how many there are.
      [...open.values()].filter(({ peer, isUpgraded }) => !isUpgraded && peer !== newcomer && isOne(peer)),
      newcomer.connections + 1,
    );
    if (victim === undefined) return false;
    leave(victim);
    victim.socket.destroy();
    return true;
  };
  const hasCapacity = (peer: Peer): boolean => {
    if (!isOutside(peer)) return peer.connections < bounds.loopbackConnections;
    if (peer.connections >= bounds.connectionsPerPeer) return false;
    const { network } = peer;
    if (network !== null && network.connections >= bounds.connectionsPerNetwork)
      return evict(peer, (one) => one.network === network);
    return outside < bounds.connections || evict(peer, isOutside);
  };

  return {
    open: (socket) => {
      connected += 1;
      const address = plainAddress(socket.remoteAddress ?? '');
      const name = nameOf(address);
      if (peers.isBanned(name.name)) {
        socket.destroy();
        return;
      }
      const peer = peers.named(name);
      if (address === '' || !hasCapacity(peer)) {
        peers.forget(peer);
        socket.destroy();
        return;
      }
      const connection: Connection = {
        socket,
        address,
        peer,
        isUpgraded: false,
        used: (uses += 1),
        responses: 0,
        current: null,
        newest: null,
        parked: [],
        isEnding: false,
        sent: 0,
        movedAt: -1,
      };
      open.set(socket, connection);
      count(connection, 1);
      socket.once('close', () => leave(connection));
    },
    of: (socket) => open.get(socket),
    all: () => open.values(),
    ban: peers.ban,
    connected: () => connected,
    add: (connection, inFlight) => {
      connection.used = uses += 1;
      connection.responses += 1;
      connection.newest = inFlight;
      responses += 1;
    },
    remove: (connection) => {
      if (!open.has(connection.socket)) return;
      connection.used = uses += 1;
      connection.responses -= 1;
      if (connection.responses === 0) connection.newest = null;
      responses -= 1;
      if (responses === 0) idle();
    },
    forget: peers.forget,
    // Responses end in order: the only one left is the newest.
    isQuiet: ({ responses: own, newest }) => own === 0 || (own === 1 && newest?.headersSent !== true),
    endUpgraded: (how) => {
      for (const { socket, isUpgraded } of open.values()) {
        if (!isUpgraded) continue;
        if (how === 'in order') socket.destroySoon();
        else socket.destroy();
      }
    },
    endStreams: () => {
      for (const { current, newest } of open.values())
        for (const inFlight of new Set([current, newest]))
          if (inFlight?.headersSent === true && !inFlight.writableEnded) inFlight.end();
    },
    whenNone: (callback) => {
      idle = callback;
      if (responses === 0) callback();
    },
  };
}
