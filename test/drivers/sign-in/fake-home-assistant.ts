import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** One request that a fake Home Assistant got. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

/** A small scripted Home Assistant. */
export interface FakeHomeAssistant {
  readonly origin: string;
  readonly seen: SeenRequest[];
  /** Messages that came over its socket. */
  readonly messages: Readonly<Record<string, unknown>>[];
  /** What a request is answered with; a function may also never answer. */
  answer: (request: SeenRequest, response: ServerResponse) => void;
  /** What its socket does with a message. */
  converse: (message: Readonly<Record<string, unknown>>, socket: WebSocket) => void;
  /** What its socket does with a binary frame. */
  take: (frame: Buffer, socket: WebSocket) => void;
  readonly sockets: () => readonly WebSocket[];
  readonly stop: () => Promise<void>;
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
    authorization: incoming.headers.authorization,
  };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Starts one on a free port of loopback; with `tls` over https. */
export async function startFakeHomeAssistant(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<FakeHomeAssistant> {
  const seen: SeenRequest[] = [];
  const messages: Readonly<Record<string, unknown>>[] = [];
  const listener: RequestListener = (incoming, response) => {
    void read(incoming).then((request) => {
      seen.push(request);
      homeAssistant.answer(request, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const sockets = new WebSocketServer({ server, path: '/api/websocket' });
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.send(JSON.stringify({ type: 'auth_required' }));
    socket.on('message', (raw: Buffer, isBinary) => {
      if (isBinary) {
        homeAssistant.take(raw, socket);
        return;
      }
      // What comes is the driver's own JSON.
      const message = JSON.parse(raw.toString()) as Readonly<Record<string, unknown>>;
      messages.push(message);
      homeAssistant.converse(message, socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const homeAssistant: FakeHomeAssistant = {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    messages,
    answer: (_, response) => json(response, 404, {}),
    converse: () => {},
    take: () => {},
    sockets: () => [...sockets.clients],
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return homeAssistant;
}
