import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** A port for packets and the next one for their control (RFC 3550, section 11). */
export interface UdpPair {
  readonly ports: readonly [data: number, control: number];
  readonly send: (
    of: 'data' | 'control',
    packet: Buffer,
    to: { readonly address: string; readonly port: number },
  ) => void;
  readonly close: () => void;
}

export interface UdpPairOptions {
  /** Address to bind to, as the TCP listener's. */
  readonly host: string;
  /** Port to take for the packets if it is free and even. */
  readonly wanted: number;
  /** Called with the source of each datagram. */
  readonly onDatagram: (address: string, port: number) => void;
}

/** Attempts to find two free ports in a row. */
const ATTEMPTS = 8;
/** Datagrams are small and rare; what the kernel would double is left alone. */
const RECEIVE_BYTES = 64 * 1024;
/** Bytes that may wait until the kernel takes them, of all clients; further packets are lost, as on the way. */
const MOST_QUEUED_BYTES = 4 * 1024 * 1024;

/** Clients are addressed by their number alone: a lookup would only delay each packet. */
const noLookup = (
  address: string,
  _options: unknown,
  callback: (error: Error | null, address: string, family: number) => void,
): void => callback(null, address, isIPv6(address.split('%', 1)[0] ?? '') ? 6 : 4);

function bind(host: string, port: number): Promise<Socket | null> {
  // The type of `lookup` is that of DNS; dgram calls it with these three arguments.
  const lookup = noLookup as unknown as NonNullable<Parameters<typeof createSocket>[0] & object>['lookup'];
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BYTES,
    ...(lookup === undefined ? {} : { lookup }),
  });
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind(port, host, () => {
      socket.removeAllListeners('error');
      // An unreachable client, or one without a listener: its session ends by silence.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

async function bindPair(host: string, wanted: number): Promise<readonly [Socket, Socket] | null> {
  const first = await bind(host, wanted);
  if (first === null) return null;
  const { port } = first.address();
  const second = await bind(host, port % 2 === 0 ? port + 1 : port - 1);
  if (second === null) {
    first.close();
    return null;
  }
  return port % 2 === 0 ? [first, second] : [second, first];
}

/** Binds both ports; null if that is not possible. */
export async function openUdpPair({ host, wanted, onDatagram }: UdpPairOptions): Promise<UdpPair | null> {
  let pair = wanted > 0 && wanted % 2 === 0 ? await bindPair(host, wanted) : null;
  for (let attempt = 0; pair === null && attempt < ATTEMPTS; attempt += 1) pair = await bindPair(host, 0);
  if (pair === null) return null;
  const [data, control] = pair;
  for (const socket of pair) socket.on('message', (_, { address, port }) => onDatagram(address, port));
  return {
    ports: [data.address().port, control.address().port],
    send: (of, packet, { address, port }) => {
      const socket = of === 'data' ? data : control;
      if (socket.getSendQueueSize() <= MOST_QUEUED_BYTES) socket.send(packet, port, address, () => {});
    },
    close: () => {
      for (const socket of pair) socket.close();
    },
  };
}
