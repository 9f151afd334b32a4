import type { Socket } from 'node:net';

import { LOOPBACK, peerNetwork, plainAddress } from '#machines/kit/ip-address.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ListenerBounds } from './bounds.ts';
import type { Connection, Flight, Peer } from './flight.ts';

/** The open connections of one server. */
export interface Connections {
  /** Lets a connection in, or closes it at once where its peer has too many, or all peers together. */
  readonly open: (socket: Socket) => void;
  /** The connection of a socket; undefined for one that was not let in, or has left. */
  readonly of: (socket: Socket) => Connection | undefined;
  readonly all: () => Iterable<Connection>;
  /**
   * Lets no connection of a peer in for a second, the time after which it is told to try again: who sends more than it
   * is given would come again at once, and letting it in costs more than it pays.
   */
  readonly bar: (peer: Peer) => void;
  /** How many connections have come so far, those among them that were closed at once. */
  readonly connected: () => number;
  /** Counts a response that goes out on a connection. */
  readonly add: (connection: Connection, flight: Flight) => void;
  /** Takes back what `add` counted. */
  readonly remove: (connection: Connection) => void;
  /** Forgets a peer who has no connection and no response any more. */
  readonly forget: (peer: Peer) => void;
  /** Whether a whole response can be written on the connection without landing inside another. */
  readonly isQuiet: (connection: Connection) => boolean;
  /** Ends the responses that have begun and go on for as long as they like (event streams). */
  readonly endStreams: () => void;
  /** Calls back once no response is under way: at once, or when the last one has been sent. */
  readonly whenNone: (callback: () => void) => void;
}

/** How long a peer is barred; as `Retry-After` of the refusal says. */
const BAR_MS: Milliseconds = 1000;
/** Most peers that are barred at a time; the one barred first is let in again for one more. */
const MOST_BARRED = 256;

type ConnectionBounds = Pick<
  ListenerBounds,
  'connections' | 'connectionsPerPeer' | 'loopbackConnections' | 'making' | 'loopbackMaking'
>;

/**
 * Follows the connections of one server. `onGone` hears of each that has left, `networkOf` says by what its address is
 * counted. Where all are taken a peer with fewer takes the place of the one idle longest of the peer with most, so that
 * nobody closes the panel to everybody else; the machine itself has its own, which no other peer can take.
 */
export const createConnections = (
  bounds: ConnectionBounds,
  onGone: (connection: Connection) => void,
  networkOf: (address: string) => string = peerNetwork,
): Connections => {
  const open = new Map<Socket, Connection>();
  /** Until when, by the name of the peer. */
  const barred = new Map<string, Milliseconds>();
  const peers = new Map<string, Peer>();
  /** Of other peers than the machine itself. */
  let outside = 0;
  /** Responses of all connections. */
  let under = 0;
  let uses = 0;
  let connected = 0;
  let idle: () => void = () => {};

  const forget = (peer: Peer): void => {
    if (peer.connections === 0 && peer.making === 0) peers.delete(peer.name);
  };
  const isOutside = ({ name }: Peer): boolean => name !== LOOPBACK;
  const count = (connection: Connection, by: 1 | -1): void => {
    connection.peer.connections += by;
    if (isOutside(connection.peer)) outside += by;
  };
  const leave = (connection: Connection): void => {
    if (!open.delete(connection.socket)) return;
    count(connection, -1);
    under -= connection.under;
    onGone(connection);
    forget(connection.peer);
    if (under === 0) idle();
  };

  /** The connection used longest ago among those of the peers with `most`, an idle one before one with a response. */
  const lastUsed = (most: number, isIdle: boolean): Connection | undefined => {
    let found: Connection | undefined;
    for (const one of open.values()) {
      if (one.peer.connections !== most || !isOutside(one.peer) || (one.under === 0) !== isIdle) continue;
      if (found === undefined || one.used < found.used) found = one;
    }
    return found;
  };
  /** Ends a connection for a peer that will have `size` of them; whether one was found. */
  const makeRoom = (size: number): boolean => {
    const most = Math.max(...[...peers.values()].filter(isOutside).map(({ connections }) => connections));
    if (most < size) return false;
    const victim = lastUsed(most, true) ?? (most > size ? lastUsed(most, false) : undefined);
    if (victim === undefined) return false;
    leave(victim);
    victim.socket.destroy();
    return true;
  };
  const isBarred = (name: string): boolean => {
    const until = barred.get(name);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    barred.delete(name);
    return false;
  };
  const peerNamed = (name: string): Peer => {
    const known = peers.get(name);
    if (known !== undefined) return known;
    const places = name === LOOPBACK ? bounds.loopbackMaking : bounds.making;
    const peer: Peer = { name, places, connections: 0, making: 0, waiting: 0, ready: [] };
    peers.set(name, peer);
    return peer;
  };
  const hasRoom = (peer: Peer): boolean => {
    if (!isOutside(peer)) return peer.connections < bounds.loopbackConnections;
    if (peer.connections >= bounds.connectionsPerPeer) return false;
    return outside < bounds.connections || makeRoom(peer.connections + 1);
  };

  return {
    open: (socket) => {
      connected += 1;
      const address = plainAddress(socket.remoteAddress ?? '');
      const name = networkOf(address);
      if (isBarred(name)) {
        socket.destroy();
        return;
      }
      const peer = peerNamed(name);
      if (address === '' || !hasRoom(peer)) {
        forget(peer);
        socket.destroy();
        return;
      }
      const connection: Connection = {
        socket,
        address,
        peer,
        used: (uses += 1),
        under: 0,
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
    bar: (peer) => {
      if (!isOutside(peer)) return;
      const [first] = barred.keys();
      if (barred.size >= MOST_BARRED && first !== undefined) barred.delete(first);
      barred.set(peer.name, performance.now() + BAR_MS);
    },
    connected: () => connected,
    add: (connection, flight) => {
      connection.used = uses += 1;
      connection.under += 1;
      connection.newest = flight;
      under += 1;
    },
    remove: (connection) => {
      if (!open.has(connection.socket)) return;
      connection.used = uses += 1;
      connection.under -= 1;
      if (connection.under === 0) connection.newest = null;
      under -= 1;
      if (under === 0) idle();
    },
    forget,
    // They end in order: the only one left is the newest.
    isQuiet: ({ under: own, newest }) => own === 0 || (own === 1 && newest?.headersSent !== true),
    endStreams: () => {
      for (const { current, newest } of open.values())
        for (const flight of new Set([current, newest]))
          if (flight?.headersSent === true && !flight.writableEnded) flight.end();
    },
    whenNone: (callback) => {
      idle = callback;
      if (under === 0) callback();
    },
  };
};
