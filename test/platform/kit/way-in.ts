import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

import type { Machine } from '#test/network/lan.ts';
import { until } from './until.ts';

const program = fileURLToPath(new URL('way-in.mjs', import.meta.url));

/** Makes a port of a machine in a network of its own answer on this machine's loopback, too, under the same number. */
export async function wayInto(machine: Machine, port: number, folder: string): Promise<Server> {
  const file = join(folder, `way-${machine.address}`);
  const inside = machine.start(process.execPath, program, file, String(port));
  await until('the way in', () => inside.printed().includes('ready'));
  const server = createServer((socket) => pipeline(socket, connect(file), socket, () => {}));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
