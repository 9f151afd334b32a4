import { connect, type Socket } from 'node:net';

import { until, type Serving } from './serving.ts';

/** One connection of a peer, with what came over it. */
export interface Client {
  readonly socket: Socket;
  readonly seen: () => string;
  readonly isClosed: () => boolean;
}

/** The answers that came over a connection, as the end of the body of each. */
export const statusesOf = ({ seen }: Client): readonly number[] =>
  [...seen().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A GET that leaves its connection open. */
export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const clients: Client[] = [];

/** Ends all connections. */
export function hangUp(): void {
  for (const { socket } of clients.splice(0)) socket.destroy();
}

/** Connects from an address of the loopback range; `reads` false leaves everything unread. */
export const dial = (serving: Serving, from = '127.0.0.1', reads = true): Promise<Client> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: serving.port, localAddress: from });
    let text = '';
    let isClosed = false;
    const client: Client = { socket, seen: () => text, isClosed: () => isClosed };
    clients.push(client);
    if (reads) socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    // A connection that is refused is reset.
    socket.on('error', () => {});
    socket.on('close', () => (isClosed = true));
    socket.on('connect', () => resolve(client));
  });

/** One connection over which a peer asks and is answered: what was sent before is read by then. */
export async function syncing(serving: Serving, from: string): Promise<() => Promise<void>> {
  const client = await dial(serving, from);
  let asked = 0;
  return async () => {
    asked += 1;
    client.socket.write(get('/sync'));
    await until(() => statusesOf(client).length === asked, 'an answer');
  };
}

/** A handler whose answers to all but `/sync` come when they are let go, one at a time in any order. */
export function holding() {
  const begun: string[] = [];
  const held = new Map<string, (response: Response) => void>();
  let most = 0;
  return {
    /** Paths in the order in which their responses were begun. */
    begun,
    /** Most that were under way at a time. */
    most: () => most,
    held: () => [...held.keys()],
    fetch: (request: Request): Response | Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === '/sync') return new Response('');
      begun.push(pathname);
      return new Promise((resolve) => {
        held.set(pathname, resolve);
        most = Math.max(most, held.size);
      });
    },
    release: (path: string): void => {
      const resolve = held.get(path);
      held.delete(path);
      resolve?.(new Response(`answer of ${path}.`));
    },
  };
}
