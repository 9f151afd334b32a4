import { createServer, type Server, type Socket } from 'node:net';

/** CONNACK of MQTT 5: accepted, or the user name or password refused (0x86). */
const connack = (isTaken: boolean): Buffer => Buffer.from([0x20, 0x03, 0x00, isTaken ? 0x00 : 0x86, 0x00]);
/** Type of a CONNECT packet, in the high four bits of its first byte. */
const CONNECT = 1;

/** A broker that answers each CONNECT, and nothing else. */
export interface FakeBroker {
  readonly address: string;
  /** Whether it takes the password of the next one; null answers nothing. */
  answers: boolean | null;
  readonly close: () => Promise<unknown>;
}

/** Starts one on a free port of the loopback. */
export async function fakeBroker(answers: FakeBroker['answers']): Promise<FakeBroker> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => void open.delete(socket));
    socket.on('data', (bytes) => {
      if ((bytes[0] ?? 0) >> 4 === CONNECT && broker.answers !== null) socket.write(connack(broker.answers));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const broker: FakeBroker = {
    address: `mqtt://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    answers,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => void server.close(resolve));
    },
  };
  return broker;
}
