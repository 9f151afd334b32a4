import type { Socket } from 'node:net';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { ListenerBounds } from './bounds.ts';
import type { Connection } from './in-flight.ts';

/** Measures for how long a reader, or the sender of a body, stalls. */
export interface StallClock {
  readonly now: () => Milliseconds;
  readonly setTimeout: (callback: () => void, ms: Milliseconds) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

export const realClock: StallClock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  // The callers pass what `setTimeout` returned.
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

function numberIn(from: object, name: string): number {
  const value: unknown = Reflect.get(from, name);
  return typeof value === 'number' ? value : -1;
}

/**
 * Written bytes that the kernel has taken. Node's `bytesWritten` also counts those that still wait in the process: a
 * whole document is one write, and its reader would look stalled until the last byte.
 */
function sentOn(socket: Socket): number {
  const stream: unknown = Reflect.get(socket, '_handle');
  if (typeof stream !== 'object' || stream === null) return 0;
  const written = numberIn(stream, 'bytesWritten');
  const queued = numberIn(stream, 'writeQueueSize');
  return written === -1 || queued === -1 ? socket.bytesWritten - socket.writableLength : written - queued;
}

/** Ends connections whose reader takes nothing, and finds those whose request takes too long to arrive. */
export interface StallWatch {
  /** Called when something is written: checks every second until nothing is pending. */
  readonly arm: () => void;
  readonly stop: () => void;
}

/** True if the newest request of a connection is still arriving. */
const isArriving = ({ newest }: Connection): boolean =>
  newest !== null && newest.arrivedAt !== -1 && !newest.req.complete;

/**
 * True if that request should have arrived by now. Node's own bound on whole requests knows no exception for bodies
 * that go to a file.
 */
const isOverdue = ({ newest }: Connection, now: Milliseconds, requestMs: Milliseconds): boolean =>
  newest !== null && newest.phase !== 'uploading' && now - newest.arrivedAt >= requestMs;

/**
 * Ends each connection whose pending bytes have not moved for `stallMs`. Only what the other end reads keeps it alive,
 * not what it sends. A response that is still being made has nothing pending. `onOverdue` is called with each
 * connection whose request has not arrived within `requestMs` of its head.
 */
export function watchStalled(
  { stallMs, checkMs, requestMs }: Pick<ListenerBounds, 'stallMs' | 'checkMs' | 'requestMs'>,
  connections: () => Iterable<Connection>,
  onOverdue: (connection: Connection) => void,
  clock: StallClock,
): StallWatch {
  let timer: unknown = null;
  /** True if a connection has to be checked again. */
  const judge = (connection: Connection, now: Milliseconds): boolean => {
    const { socket, current } = connection;
    const arriving = isArriving(connection);
    if (arriving && isOverdue(connection, now, requestMs)) onOverdue(connection);
    if (connection.responses === 0 || socket.writableLength === 0) {
      connection.movedAt = -1;
      // A live stream calls `arm` itself when it has written.
      return arriving || (connection.responses > 0 && current?.phase !== 'apart');
    }
    const sent = sentOn(socket);
    if (connection.movedAt === -1 || sent !== connection.sent) {
      connection.sent = sent;
      connection.movedAt = now;
    } else if (now - connection.movedAt >= stallMs) socket.destroy();
    return true;
  };
  const check = (): void => {
    timer = null;
    const now = clock.now();
    let isPending = false;
    for (const connection of connections()) isPending = judge(connection, now) || isPending;
    if (isPending) arm();
  };
  const arm = (): void => {
    timer ??= clock.setTimeout(check, checkMs);
  };
  return {
    arm,
    stop: () => {
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
    },
  };
}
