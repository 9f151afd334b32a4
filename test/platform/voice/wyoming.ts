import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** An event of the Wyoming protocol: a line of JSON, then its data as JSON, then bytes. */
export interface WyomingEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

interface Header {
  readonly type: string;
  readonly data?: WyomingEvent['data'];
  readonly data_length?: number;
  readonly payload_length?: number;
}

/** Splits what a peer sends into events. */
function reader(onEvent: (event: WyomingEvent) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf(0x0a);
      if (end < 0) return;
      const header = JSON.parse(rest.toString('utf8', 0, end)) as Header;
      const { data_length: dataLength = 0, payload_length: payloadLength = 0 } = header;
      const [data, payload] = [end + 1, end + 1 + dataLength];
      if (rest.length < payload + payloadLength) return;
      const more = dataLength > 0 ? (JSON.parse(rest.toString('utf8', data, payload)) as WyomingEvent['data']) : {};
      const bytes = Buffer.from(rest.subarray(payload, payload + payloadLength));
      rest = rest.subarray(payload + payloadLength);
      onEvent({ type: header.type, data: { ...header.data, ...more }, payload: bytes });
    }
  };
}

/** One event as it is sent. */
function encode({ type, data, payload }: WyomingEvent): Buffer {
  const body = Buffer.from(JSON.stringify(data));
  const header = { type, version: '1.10.0', data_length: body.length, payload_length: payload.length };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body, payload]);
}

export type Send = (type: string, data?: WyomingEvent['data'], payload?: Buffer) => void;

/** A Wyoming server on loopback. */
export interface WyomingServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Answers `describe` with `info`, and gives every other event to what `serve` makes for its connection. */
export async function wyomingServer(
  info: WyomingEvent['data'],
  serve: (send: Send) => (event: WyomingEvent) => void,
): Promise<WyomingServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const send: Send = (type, data = {}, payload = Buffer.alloc(0)) =>
      void socket.write(encode({ type, data, payload }));
    const take = serve(send);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on(
      'data',
      reader((event) => (event.type === 'describe' ? send('info', info) : take(event))),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server always has an AddressInfo; null and string are for pipes and closed servers.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
