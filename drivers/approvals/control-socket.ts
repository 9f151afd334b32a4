import type { Server, Socket } from 'node:net';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { clearSocket, listenForOwner } from '#drivers/kit/owner-socket.ts';
import { serial } from '#drivers/kit/serial.ts';
import { APPROVALS_SOCKET } from '#drivers/store/folder.ts';
import type { ControlCommand, ControlFact } from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import {
  type ControlAnswer,
  type ControlRequest,
  LONGEST_REQUEST,
  readRequest,
  type Served,
  SWITCH_MS,
} from './control-protocol.ts';

/** Longest time from the connection to the request's end, and from an answer to the connection's end. */
const CONNECTION_MS: Milliseconds = 2000;
const MOST_CONNECTIONS = 4;

export interface ControlOptions {
  /** The data folder. */
  readonly folder: string;
  /**
   * Called if the socket cannot listen, with `path-too-long`, `not-a-socket`, `in-use` or a POSIX code, once per
   * reason: the agent works without it.
   */
  readonly onRefused: (code: string) => void;
  /** Shorter times, for tests. */
  readonly switchMs?: Milliseconds;
  readonly connectionMs?: Milliseconds;
}

/** Calls `answer` with one bounded line, "" for one that is too long or not ended; ends what takes too long. */
function serveOne(socket: Socket, withinMs: Milliseconds, answer: (line: string) => void): void {
  let bytes = Buffer.alloc(0);
  let isRead = false;
  const timer = setTimeout(() => socket.destroy(), withinMs);
  const finish = (line: string): void => {
    if (isRead) return;
    isRead = true;
    clearTimeout(timer);
    answer(line);
  };
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
  socket.on('end', () => finish(''));
  socket.on('data', (piece: Buffer) => {
    // What follows the line is dropped.
    if (isRead) return;
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf('\n');
    if (end >= 0 && end < LONGEST_REQUEST) finish(bytes.toString('utf8', 0, end));
    else if (bytes.length >= LONGEST_REQUEST) finish('');
  });
}

function reply(socket: Socket, answer: ControlAnswer): void {
  const timer = setTimeout(() => socket.destroy(), CONNECTION_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.end(`${JSON.stringify(answer)}\n`);
}

/**
 * The socket by which `sconce approvals` reaches the running agent. It is open while there is something to serve, and
 * it can deny and leave Hardened mode, but never approve.
 */
export const controlSocket = ({
  folder,
  onRefused,
  switchMs = SWITCH_MS,
  connectionMs = CONNECTION_MS,
}: ControlOptions) =>
  fromDriver<ControlCommand, undefined, ControlFact>(({ send, onEvent, guard }) => {
    const path = join(folder, APPROVALS_SOCKET);
    const inTurn = serial();
    const sockets = new Set<Socket>();
    /** Ends the wait of each connection for another mode. */
    const waiting = new Set<() => void>();
    let served: Served | null = null;
    let server: Server | null = null;
    let refusal: string | null = null;

    const answerSwitch = (socket: Socket): void => {
      if (served?.mode !== 'hardened') return reply(socket, { ok: true, mode: 'relaxed' });
      const look = (): void => {
        if (served?.mode !== 'hardened') finish();
      };
      const finish = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
        reply(socket, { ok: true, mode: served?.mode ?? 'relaxed' });
      };
      const timer = setTimeout(finish, switchMs);
      waiting.add(look);
      socket.once('close', () => {
        clearTimeout(timer);
        waiting.delete(look);
      });
      send({ type: 'control.relaxed' });
    };
    const answerTo = (socket: Socket, request: ControlRequest): void => {
      if (request.do === 'relaxed') return answerSwitch(socket);
      if (request.do === 'list')
        return reply(socket, served === null ? { ok: false, error: 'unknown' } : { ok: true, ...served });
      if (served?.requests.every(({ id }) => id !== request.id) !== false)
        return reply(socket, { ok: false, error: 'unknown' });
      send({ type: 'control.denied', id: request.id });
      return reply(socket, { ok: true, denied: request.id });
    };
    const accept = guard((socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serveOne(
        socket,
        connectionMs,
        guard((line) => {
          const request = readRequest(line);
          if (request === null) return reply(socket, { ok: false, error: 'bad-request' });
          return answerTo(socket, request);
        }),
      );
    });

    const refuse = (code: string): void => {
      if (code !== refusal) onRefused(code);
      refusal = code;
    };
    const open = async (): Promise<void> => {
      if (server !== null || served === null) return;
      const code = await clearSocket(path);
      if (code !== null) return refuse(code);
      try {
        server = await listenForOwner(path, MOST_CONNECTIONS, accept);
        refusal = null;
      } catch (error) {
        refuse(errorCode(error));
      }
    };
    const close = (): void => {
      server?.close();
      server = null;
      // Those with an answer on its way end by themselves, within a bound.
      for (const socket of sockets) if (!socket.writableEnded) socket.destroy();
    };

    // A socket without a program would look like an agent that is busy; why the path is taken is reported once it is
    // needed.
    void inTurn(() => clearSocket(path));
    onEvent((command) => {
      served = command.type === 'control.close' ? null : withoutType(command);
      for (const look of waiting) look();
      return inTurn(() => (served === null ? close() : open()));
    });
    return () =>
      inTurn(() => {
        close();
        for (const socket of sockets) socket.destroy();
      });
  });

const withoutType = ({ type: _type, ...served }: Extract<ControlCommand, { type: 'control.serve' }>): Served => served;
