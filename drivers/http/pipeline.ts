import type { Socket } from 'node:net';

import type { Connections } from './connections.ts';
import type { Connection, Flight } from './flight.ts';
import type { Turns } from './turns.ts';

/** The responses of each connection, one at a time. */
export interface Pipeline {
  /** Counts a response that a request asks for; false where its connection has ended, now or before, without it. */
  readonly enter: (connection: Connection, flight: Flight) => boolean;
  /**
   * Puts it in line: it is begun when those before it are over. False where too many of its peer wait already: the
   * connection is to end with its refusal.
   */
  readonly join: (flight: Flight) => boolean;
  /** A connection has left: what waits on it is never begun. */
  readonly drop: (connection: Connection) => void;
}

/** What the pipeline is given. */
export interface PipelineDeps {
  /** Most responses under way on a connection, and most of a peer that wait. */
  readonly bounds: { readonly pipelined: number; readonly waiting: number };
  readonly connections: Pick<Connections, 'add' | 'bar' | 'remove'>;
  readonly turns: Pick<Turns, 'over'>;
  /** Begins with the first in line. */
  readonly start: (flight: Flight) => void;
}

/** Node's word for a request without special treatment. */
const ignore = (): number => 0;

/**
 * Node's parser goes on to the end of a read, also for a socket that was destroyed in the middle of it, and makes
 * request and response of each of some thousand requests for nobody: ten times what parsing costs. This is the place
 * where it hands them over; where a release of Node has it no more, they are made and ignored.
 */
const stopRequests = (socket: Socket): void => {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) return;
  if (typeof Reflect.get(parser, 'onIncoming') === 'function') Reflect.set(parser, 'onIncoming', ignore);
};

/**
 * Node hands over all requests of one read at once and brings their responses into order by itself. Here each waits
 * until the one before it is over, so that a connection costs no more than one response, and a closed one nothing.
 */
export const createPipeline = ({ bounds, connections, turns, start }: PipelineDeps): Pipeline => {
  const next = (connection: Connection): void => {
    // A closed one has its waiting taken back when it leaves.
    if (!connection.socket.writable) return;
    const flight = connection.parked.shift();
    if (flight === undefined) return;
    connection.peer.waiting -= 1;
    connection.current = flight;
    start(flight);
  };
  // One listener for all responses: a closure for each would be made with every request.
  function land(this: Flight): void {
    const connection = this.via;
    if (connection === null) return;
    turns.over(this);
    connections.remove(connection);
    if (connection.current !== this) return;
    connection.current = null;
    next(connection);
  }
  return {
    enter: (connection, flight) => {
      flight.via = connection;
      flight.on('close', land);
      connections.add(connection, flight);
      if (connection.under <= bounds.pipelined) return !connection.isEnding;
      connections.bar(connection.peer);
      connection.socket.destroy();
      stopRequests(connection.socket);
      return false;
    },
    join: (flight) => {
      const connection = flight.via;
      if (connection === null) return true;
      if (connection.current === null) {
        connection.current = flight;
        start(flight);
        return true;
      }
      if (connection.peer.waiting >= bounds.waiting) {
        connections.bar(connection.peer);
        connection.isEnding = true;
        stopRequests(connection.socket);
        return false;
      }
      flight.phase = 'parked';
      connection.peer.waiting += 1;
      connection.parked.push(flight);
      return true;
    },
    drop: (connection) => {
      connection.peer.waiting -= connection.parked.length;
      connection.parked.length = 0;
      if (connection.current !== null) turns.over(connection.current);
      connection.current = null;
    },
  };
};
