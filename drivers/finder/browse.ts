import { networkInterfaces } from 'node:os';

import multicastDns, { type MulticastDNS } from 'multicast-dns';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent, FinderFact } from '#machines/finder/events.ts';
import { nothingObserved, HOME_ASSISTANT_SERVICE, instancesIn, withResponse } from './records.ts';

/** Times of the questions after the start, in milliseconds; the last gap repeats (RFC 6762, 5.2: ever less often). */
const QUESTIONS_MS: readonly number[] = [0, 1000, 3000, 9000, 27_000, 87_000];
/** Most network interfaces to ask on. */
const INTERFACES = 8;

/** Options for tests. */
export interface BrowseOptions {
  /** UDP port instead of 5353. */
  readonly port?: number;
  /** Addresses of the interfaces to ask on, instead of all that are up. */
  readonly interfaces?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => {
    const first = addresses?.find((address) => address.family === 'IPv4' && !address.internal);
    return first ? [first.address] : [];
  });
  return all.length > 0 ? all.slice(0, INTERFACES) : ['127.0.0.1'];
}

/**
 * Browses the network for Home Assistant's advertisement until it is stopped. A failing socket is a fact, never a
 * crash.
 */
export const homeAssistantBrowser = (options: BrowseOptions = {}) =>
  fromDriver<FinderEvent, undefined, FinderFact>(({ send, guard }) => {
    const now = options.now ?? Date.now;
    const sockets = new Map<string, MulticastDNS>();
    let seen = nothingObserved;
    let reported = '[]';
    let question = 0;
    let timer: NodeJS.Timeout | undefined;

    const report = (): void => {
      const instances = instancesIn(seen, now());
      const text = JSON.stringify(instances);
      if (text === reported) return;
      reported = text;
      send({ type: 'finder.observed', instances });
    };
    const close = (): void => {
      clearTimeout(timer);
      const open = [...sockets.values()];
      sockets.clear();
      for (const socket of open) {
        // Errors during the close do not matter, but an emitter without a listener would throw them.
        socket.removeAllListeners();
        socket.on('error', () => {});
        socket.destroy();
      }
    };

    const open = (address: string): void => {
      // Bound to every address: a socket bound to a single one receives no multicast.
      const socket = multicastDns({
        interface: address,
        bind: '0.0.0.0',
        reuseAddr: true,
        ...(options.port !== undefined && { port: options.port }),
      });
      sockets.set(address, socket);
      socket.on(
        'error',
        guard((error: unknown) => {
          close();
          send({ type: 'finder.unavailable', code: errorCode(error) });
        }),
      );
      socket.on('warning', () => {});
      socket.on(
        'response',
        guard((packet, rinfo) => {
          seen = withResponse(seen, packet, rinfo.address, now());
          report();
        }),
      );
    };
    const ask = guard((): void => {
      // Includes networks that came up since the last question.
      for (const address of options.interfaces ?? ownAddresses()) if (!sockets.has(address)) open(address);
      for (const socket of sockets.values()) {
        // If a question cannot be sent (no route at the moment), no answer comes.
        socket.query([{ name: HOME_ASSISTANT_SERVICE, type: 'PTR' }], () => {});
      }
      report();
      const last = QUESTIONS_MS.length - 1;
      const gap = (QUESTIONS_MS[Math.min(question + 1, last)] ?? 0) - (QUESTIONS_MS[Math.min(question, last - 1)] ?? 0);
      question += 1;
      timer = setTimeout(ask, gap);
    });
    ask();
    return close;
  });
