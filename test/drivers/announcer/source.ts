import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A web server of the test's own on loopback. */
export interface Source {
  readonly url: string;
  readonly port: number;
  readonly end: () => Promise<void>;
}

/** Serves with `answer` on a free port of 127.0.0.1; over TLS where a key and a certificate are given. */
export const serve = (
  answer: RequestListener,
  secure: { readonly key: string; readonly cert: string } | null = null,
): Promise<Source> =>
  new Promise((resolve) => {
    const server =
      secure === null ? createServer(answer) : createSecureServer({ key: secure.key, cert: secure.cert }, answer);
    server.listen(0, '127.0.0.1', () => {
      // A server that listens on TCP has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `${secure === null ? 'http' : 'https'}://127.0.0.1:${port}`,
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
    else
      response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': found.length })
        .end(found);
  });
