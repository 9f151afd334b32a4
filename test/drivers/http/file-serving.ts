import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ListenerDeps } from '#drivers/http/listener.ts';
import type { HttpBindings } from '#machines/http/events.ts';
import { createClock, timersOf } from '#test/fakes/kit-clock.ts';
import { dial, hangUp, statusesOf, syncing, type Client } from './peers.ts';
import { serve, until, type Serving } from './serving.ts';

/** Largest file that is received here. */
export const mostBytes = 1024 * 1024;

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The head of a request with a file of that length; chunked without one. */
export const headOf = (path: string, length?: number, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}${
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`;

/** One chunk of a chunked body. */
export const chunkOf = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;

const servings: Serving[] = [];
const folders: string[] = [];

/** Ends all servers and removes their folders. */
export async function stopAll(): Promise<void> {
  hangUp();
  await Promise.all(servings.splice(0).map(({ stop }) => stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-files-'));
  folders.push(folder);
  return folder;
}

/** Waits for the answer of that status. */
export const answered = (client: Client, status: number): Promise<void> =>
  until(() => statusesOf(client).includes(status), `status ${status}, not ${client.seen().slice(0, 300)}`);

type Fetch = (path: string, bindings: HttpBindings) => Response | Promise<Response>;

/** Positions in the files that this process has open and that have no name any more (Linux). */
export const openUnnamed = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      if (!path.endsWith(' (deleted)') || !path.includes('sconce-files-')) return [];
      return [/^pos:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''];
    } catch {
      // The one by which the folder was read.
      return [];
    }
  });

/** Receives bodies below `/file` into files, on a stepped clock; each address of the loopback range is a peer. */
export async function serveFiles(
  fetch: Fetch,
  more: Omit<Partial<ListenerDeps>, 'fetch' | 'uploads'> & { readonly freeBytes?: () => Promise<number> } = {},
  folder = makeDataFolder(),
) {
  const clock = createClock();
  const uploads = join(folder, 'tmp');
  const { freeBytes = () => Promise.resolve(Infinity), ...deps } = more;
  const serving = await serve({
    nameOf: (address) => ({ name: address, network: '' }),
    maxBodyBytes: (method) => (method === 'GET' ? 0 : mostBytes),
    clock: timersOf(clock),
    uploads: { folder: uploads, isFor: (_, path) => path.startsWith('/file'), freeBytes },
    fetch: (request, bindings) => {
      const { pathname } = new URL(request.url);
      return pathname === '/sync' ? new Response('') : fetch(pathname, bindings);
    },
    ...deps,
  });
  servings.push(serving);
  const sync = await syncing(serving, '127.0.0.9');
  return {
    serving,
    sync,
    /** Names of the files that are there now. */
    files: (): readonly string[] => (existsSync(uploads) ? readdirSync(uploads) : []),
    /** Sends from an address what is read by then. */
    send: async (from: string, text: string): Promise<Client> => {
      const client = await dial(serving, from);
      client.socket.write(text);
      for (const _ of times(20)) await sync();
      return client;
    },
    /** Lets time pass second by second, with what the sockets do meanwhile. */
    pass: async (ms: number): Promise<void> => {
      for (let gone = 0; gone < ms; gone += 1000) {
        clock.pass(Math.min(1000, ms - gone), 1000);
        await turn();
        await turn();
      }
      await sync();
    },
  };
}
