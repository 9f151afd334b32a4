import type { Socket } from 'node:net';

import type { Connections } from './connections.ts';
import type { Connection, InFlight } from './in-flight.ts';
import type { Scheduler } from './scheduler.ts';

/** The responses of each connection, one at a time. */
export interface Pipeline {
  /** Counts a response that a request asks for; false where its connection has ended, now or before, without it. */
  readonly enter: (connection: Connection, inFlight: InFlight) => boolean;
  /**
   * Puts it in line: it is begun when those before it are over. False where too many of its peer wait already: the
   * connection is to end with its refusal.
   */
  readonly join: (inFlight: InFlight) => boolean;
  /** A connection has left: what waits on it is never begun. */
  readonly drop: (connection: Connection) => void;
}

/** What the pipeline is given. */
export interface PipelineDeps {
  /** Most responses under way on a connection, and most of a peer that wait. */
  readonly bounds: { readonly pipelined: number; readonly waiting: number };
  readonly connections: Pick<Connections, 'add' | 'ban' | 'remove'>;
  readonly scheduler: Pick<Scheduler, 'over'>;
  /** Begins with the first in line. */
  readonly start: (inFlight: InFlight) => void;
}

/** Node's word for a request without special treatment. */
const ignore = (): number => 0;

/**
 * Node's parser goes on to the end of a read, also for a socket that was destroyed in the middle of it, and makes
 * request and response of each of some thousand requests for nobody: ten times what parsing costs. This is the place
 * where it hands them over; where a release of Node has it no more, they are made and ignored.
 */
function stopRequests(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) return;
  if (typeof Reflect.get(parser, 'onIncoming') === 'function') Reflect.set(parser, 'onIncoming', ignore);
}

/**
 * Node hands over all requests of one read at once and brings their responses into order by itself. Here each waits
 * until the one before it is over, so that a connection costs no more than one response, and a closed one nothing.
 */
export function createPipeline({ bounds, connections, scheduler, start }: PipelineDeps): Pipeline {
  const next = (connection: Connection): void => {
    // A closed one has its waiting taken back when it leaves.
    if (!connection.socket.writable) return;
    const inFlight = connection.parked.shift();
    if (inFlight === undefined) return;
    connection.peer.waiting -= 1;
    connection.current = inFlight;
    start(inFlight);
  };
  // One listener for all responses: a closure for each would be made with every request.
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
      if (connection.under <= bounds.pipelined) return !connection.isEnding;
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
