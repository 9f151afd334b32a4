import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server of the test's own on loopback. */
export interface Source {
  readonly url: string;
  readonly port: number;
  readonly end: () => Promise<void>;
}

/** Serves with `answer` on a free port of 127.0.0.1. */
export const serve = (answer: RequestListener): Promise<Source> =>
  new Promise((resolve) => {
    const server = createServer(answer);
    server.listen(0, '127.0.0.1', () => {
      // A server that listens on TCP has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        port,
        end: () =>
          new Promise((done) => {
            server.closeAllConnections();
            server.close(() => done());
          }),
      });
    });
  });

/** Serves each path's bytes, 404 elsewhere. */
export const serveFiles = (files: Readonly<Record<string, Uint8Array>>): Promise<Source> =>
  serve((request, response) => {
    const found = files[request.url ?? ''];
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': found.length }).end(found);
  });
