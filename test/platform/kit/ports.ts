import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A free TCP port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server always has an AddressInfo; null and string are for pipes and closed servers.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
