import type { Socket } from 'node:net';

import type { Connections } from './connections.ts';
import type { Connection, InFlight } from './in-flight.ts';
import type { Scheduler } from './scheduler.ts';

/** Queues the responses of each connection, one at a time. */
export interface Pipeline {
  /** Counts a new response; false if its connection has ended, now or before. */
  readonly enter: (connection: Connection, inFlight: InFlight) => boolean;
  /**
   * Queues it until those before it are over. False if too many of its peer wait already: the connection must end with
   * its refusal.
   */
  readonly join: (inFlight: InFlight) => boolean;
  /** Called when a connection has left: its queued responses are never begun. */
  readonly drop: (connection: Connection) => void;
}

export interface PipelineDeps {
  /** Most responses under way on a connection, and most that wait per peer. */
  readonly bounds: { readonly pipelined: number; readonly waiting: number };
  readonly connections: Pick<Connections, 'add' | 'ban' | 'remove'>;
  readonly scheduler: Pick<Scheduler, 'over'>;
  /** Begins the first in the queue. */
  readonly start: (inFlight: InFlight) => void;
}

/** What the parser expects for a request without special treatment. */
const ignore = (): number => 0;

/**
 * Node's parser continues to the end of a read, even if the socket was destroyed meanwhile, and creates a request and a
 * response for each of up to some thousand requests that no one will read: ten times the cost of parsing. This replaces
 * the hook by which it hands them over; in a release of Node without the hook they are created and ignored.
 */
function stopRequests(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) return;
  if (typeof Reflect.get(parser, 'onIncoming') === 'function') Reflect.set(parser, 'onIncoming', ignore);
}

/**
 * Node hands over all requests of one read at once and orders their responses itself. Here each waits until the one
 * before it is over, so that a connection costs at most one response at a time, and a closed one nothing.
 */
export function createPipeline({ bounds, connections, scheduler, start }: PipelineDeps): Pipeline {
  const next = (connection: Connection): void => {
    // A closed one is uncounted when it leaves.
    if (!connection.socket.writable) return;
    const inFlight = connection.parked.shift();
    if (inFlight === undefined) return;
    connection.peer.waiting -= 1;
    connection.current = inFlight;
    start(inFlight);
  };
  // One listener for all responses, instead of a closure for each.
  function complete(this: InFlight): void {
    const connection = this.via;
    if (connection === null) return;
    scheduler.over(this);
    connections.remove(connection);
    if (connection.current !== this) return;
    connection.current = null;
    next(connection);
  }
  return {
    enter: (connection, inFlight) => {
      inFlight.via = connection;
      inFlight.on('close', complete);
      connections.add(connection, inFlight);
      if (connection.responses <= bounds.pipelined) return !connection.isEnding;
      connections.ban(connection.peer);
      connection.socket.destroy();
      stopRequests(connection.socket);
      return false;
    },
    join: (inFlight) => {
      const connection = inFlight.via;
      if (connection === null) return true;
      if (connection.current === null) {
        connection.current = inFlight;
        start(inFlight);
        return true;
      }
      if (connection.peer.waiting >= bounds.waiting) {
        connections.ban(connection.peer);
        connection.isEnding = true;
        stopRequests(connection.socket);
        return false;
      }
      inFlight.phase = 'parked';
      connection.peer.waiting += 1;
      connection.parked.push(inFlight);
      return true;
    },
    drop: (connection) => {
      connection.peer.waiting -= connection.parked.length;
      connection.parked.length = 0;
      if (connection.current !== null) scheduler.over(connection.current);
      connection.current = null;
    },
  };
}
