import { chmodSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';

import { errorCode } from './error-code.ts';

/** Longest path of a socket on Linux (unix(7): `sun_path` of 108 bytes with its end). */
export const LONGEST_PATH = 107;

const OWNER_ONLY = 0o600;

/** True unless the kernel says that no program listens at the path of a socket. */
const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error))));
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });

/**
 * Removes what a killed agent left at the path of a socket; null on success, else why the path cannot be taken:
 * `path-too-long`, `not-a-socket`, `in-use` or a POSIX code.
 */
export async function clearSocket(path: string): Promise<string | null> {
  if (Buffer.byteLength(path) > LONGEST_PATH) return 'path-too-long';
  try {
    if (!(await lstat(path)).isSocket()) return 'not-a-socket';
    if (await isListening(path)) return 'in-use';
    await rm(path, { force: true });
    return null;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : errorCode(error);
  }
}

/** Listens for the machine's owner only; the data folder, which is closed to others, covers the moment before. */
export function listenForOwner(
  path: string,
  mostConnections: number,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.maxConnections = mostConnections;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      // A connection that could not be accepted, such as for want of descriptors, is lost, and the next one is not.
      server.on('error', () => {});
      resolve(server);
    });
    // The socket is bound before `listen` returns, and its callback comes in a later turn.
    try {
      chmodSync(path, OWNER_ONLY);
    } catch {
      // It was not bound: the reason comes as the error.
    }
  });
}
