import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that leaves HTTP: its request was admitted, and nothing was answered yet. */
export interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** What has arrived behind the request. */
  readonly head: Buffer;
  /** IP address of the peer: IPv4-mapped as IPv4, lower case, without a zone. */
  readonly address: string;
}

/** Where a WebSocket begins. */
export interface Door {
  /** The one path that has one. */
  readonly path: string;
  /**
   * Takes a connection over, and ends it; false if nothing can at present. Until it ends it counts as a connection of
   * its peer, and it is cut when the listener stops.
   */
  readonly take: (upgrade: Upgrade) => boolean;
}

const isWebSocket = (upgrade: string): boolean =>
  upgrade
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('websocket');

/** True if a request asks for a WebSocket, wherever. */
export const asksForWebSocket = ({ headers: { upgrade } }: IncomingMessage): boolean =>
  upgrade !== undefined && isWebSocket(upgrade);

/**
 * True if a request has what only a browser sends. Browsers open a WebSocket to any address without asking it first
 * (CORS does not apply), so a page of any site could; Home Assistant sends none of these.
 */
export function isFromBrowser(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name === 'origin' || name === 'referer' || name.startsWith('sec-fetch-')) return true;
  }
  return false;
}

/**
 * Node's class for requests, for which only those that ask for a WebSocket at `path` leave HTTP. Once a server has a
 * listener for upgrades, Node gives it every request with such a header, one for h2c too, and answers none of them.
 */
export const requestsWithDoor = (path: string): typeof IncomingMessage =>
  class extends IncomingMessage {
    asksForUpgrade = false;

    // Node's parser sets this field to what it found, then reads it when it decides, with all headers there.
    get upgrade(): boolean {
      if (!this.asksForUpgrade || this.method === 'CONNECT') return this.asksForUpgrade;
      const [target] = (this.url ?? '').split('?');
      return this.method === 'GET' && target === path && asksForWebSocket(this);
    }

    set upgrade(asksForUpgrade: boolean | null) {
      this.asksForUpgrade = asksForUpgrade === true;
    }
  };
