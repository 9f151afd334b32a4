import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { plainAddress } from '#machines/kit/ip-address.ts';

const names = new WeakMap<Socket, string>();

/** Address of the other end: IPv4-mapped ones as IPv4, lower case, without a zone; '' when it is already gone. */
export const peerOf = (socket: Socket): string => {
  const known = names.get(socket);
  if (known !== undefined) return known;
  const name = plainAddress(socket.remoteAddress ?? '');
  if (name !== '') names.set(socket, name);
  return name;
};

/** Keeps the number of connections from one address under `limit`: one more is closed at once. */
export const boundPerPeer = (limit: number): ((socket: Socket) => void) => {
  const open = new Map<string, number>();
  return (socket) => {
    const peer = peerOf(socket);
    const count = (open.get(peer) ?? 0) + 1;
    if (count > limit) {
      socket.destroy();
      return;
    }
    open.set(peer, count);
    socket.once('close', () => {
      const left = (open.get(peer) ?? 1) - 1;
      if (left > 0) open.set(peer, left);
      else open.delete(peer);
    });
  };
};

/** The responses under way. */
export interface Flights {
  readonly add: (socket: Socket, outgoing: ServerResponse) => void;
  /** Whether a whole response can be written on the connection without landing inside another. */
  readonly isQuiet: (socket: Socket) => boolean;
  /** Ends the responses that have begun and go on for as long as they like (event streams). */
  readonly endStreams: () => void;
  /** Calls back once no response is under way: at once, or when the last one has been sent. */
  readonly whenNone: (callback: () => void) => void;
}

/** Follows the responses of one server. */
export const createFlights = (): Flights => {
  const flights = new Map<ServerResponse, Socket>();
  let idle: () => void = () => {};
  // One listener for all responses: a closure for each would be made with every request.
  function land(this: ServerResponse): void {
    flights.delete(this);
    if (flights.size === 0) idle();
  }
  return {
    add: (socket, outgoing) => {
      flights.set(outgoing, socket);
      outgoing.on('close', land);
    },
    isQuiet: (socket) => {
      const own = [...flights].filter(([, other]) => other === socket);
      return own.length === 0 || (own.length === 1 && own.every(([outgoing]) => !outgoing.headersSent));
    },
    endStreams: () => {
      for (const outgoing of flights.keys()) if (outgoing.headersSent && !outgoing.writableEnded) outgoing.end();
    },
    whenNone: (callback) => {
      idle = callback;
      if (flights.size === 0) callback();
    },
  };
};
