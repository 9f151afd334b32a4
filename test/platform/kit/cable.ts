import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port of this machine that can be cut, and joined again. */
export class Cable {
  readonly port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;
  #isSilent = false;
  #isHeld = false;
  /** Connections to the port, as opposed to those from here. */
  readonly #far = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async to(port: number): Promise<Cable> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server always has an AddressInfo; null and string are for pipes and closed servers.
    const cable = new Cable(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => cable.#pass(socket, port));
    return cable;
  }

  #pass(socket: Socket, port: number): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const out = connect(port, '127.0.0.1');
    this.#far.add(out);
    out.on('close', () => this.#far.delete(out));
    if (this.#isHeld) out.pause();
    for (const [from, into] of [
      [socket, out],
      [out, socket],
    ] as const) {
      this.#open.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('data', (bytes) => {
        if (!this.#isSilent) into.write(bytes);
      });
      from.on('close', () => {
        this.#open.delete(from);
        into.destroy();
      });
    }
  }

  /** Ends all connections, and lets none in. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** Nothing gets through any more, and no end is told so. */
  silence(): void {
    this.#isSilent = true;
  }

  /** What the far end says arrives late, all of it after `release`. */
  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#far) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const socket of this.#far) socket.resume();
  }

  /** Joins it again; connections that were silent stay lost. */
  join(): void {
    if (this.#isSilent) for (const socket of this.#open) socket.destroy();
    [this.#isCut, this.#isSilent] = [false, false];
  }

  async end(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
