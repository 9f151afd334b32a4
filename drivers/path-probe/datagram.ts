import { createSocket, type Socket } from 'node:dgram';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { type NativeCalls, nativeCalls, SOCKET } from '#drivers/kit/native.ts';
import type { RouteFamily } from '#machines/path-probe/events.ts';

import { ECHO_BOUND_MS, ECHO_BYTES, ECHOES, type EchoWay, nothingSent } from './echo-way.ts';

/**
 * Pause before the library is loaded for the first time, in milliseconds: the agent answers its first request without
 * waiting for it.
 */
const CALM_MS = 500;
/** Pause between two echoes of a burst, in milliseconds. */
const SPACING_MS = 200;
/** Node wants a port, which an echo has none of: the kernel does not look at it. */
const NO_PORT = 7;
/** What the two protocols are called to the kernel, and their types of an echo and its answer (RFC 792, RFC 4443). */
const protocols = {
  ipv4: { domain: SOCKET.AF_INET, protocol: SOCKET.IPPROTO_ICMP, kind: 'udp4', request: 8, reply: 0 },
  ipv6: { domain: SOCKET.AF_INET6, protocol: SOCKET.IPPROTO_ICMPV6, kind: 'udp6', request: 128, reply: 129 },
} as const;

/** Checksum and identifier are the kernel's. */
function echo(family: RouteFamily, sequence: number): Buffer {
  const packet = Buffer.alloc(8 + ECHO_BYTES);
  packet.writeUInt8(protocols[family].request, 0);
  packet.writeUInt16BE(sequence, 6);
  return packet;
}

type LoadNative = () => Promise<NativeCalls | null>;

function calmly(native: LoadNative): LoadNative {
  let loaded: Promise<NativeCalls | null> | undefined;
  return () => (loaded ??= pause(CALM_MS).then(native));
}

/** An ICMP socket of its own for one burst, so that no answer to an earlier one arrives; null where it is refused. */
function open(native: NativeCalls | null, family: RouteFamily): Socket | null {
  const { domain, protocol, kind } = protocols[family];
  const fd = native?.openSocket(domain, SOCKET.SOCK_DGRAM, protocol) ?? null;
  if (fd === null) return null;
  const socket = createSocket(kind);
  // A way that is down is silence, not a failure of the agent.
  socket.on('error', () => {});
  try {
    socket.bind({ fd, exclusive: true });
    return socket;
  } catch {
    closeSync(fd);
    socket.close();
    return null;
  }
}

/**
 * The way by an unprivileged ICMP socket, which the kernel gives to the groups of `net.ipv4.ping_group_range`; it is
 * read as datagrams of UDP are, which it is alike for Node.
 */
export const datagramWay = (native = calmly(nativeCalls)): EchoWay => ({
  works: async (family) => {
    const socket = open(await native(), family);
    socket?.close();
    return socket !== null;
  },
  burst: async ({ address, family }, signal) => {
    const socket = open(await native(), family);
    if (socket === null) return nothingSent;
    const sentAt = new Map<number, number>();
    const roundTripsMs: number[] = [];
    const over = new AbortController();
    const giveUp = (): void => over.abort();
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    socket.on('message', (packet) => {
      const isReply = packet.length >= 8 && packet[0] === protocols[family].reply;
      const sequence = isReply ? packet.readUInt16BE(6) : -1;
      const began = sentAt.get(sequence);
      if (began === undefined) return;
      // Of answers that come twice the first counts.
      sentAt.delete(sequence);
      const ms = performance.now() - began;
      if (ms <= ECHO_BOUND_MS) roundTripsMs.push(ms);
      if (roundTripsMs.length === ECHOES) over.abort();
    });
    for (let sequence = 0; sequence < ECHOES && !over.signal.aborted; sequence += 1) {
      sentAt.set(sequence, performance.now());
      socket.send(echo(family, sequence), NO_PORT, address, () => {});
      const ms = sequence === ECHOES - 1 ? ECHO_BOUND_MS : SPACING_MS;
      // oxlint-disable-next-line no-await-in-loop -- one echo after the other is what a burst is
      await pause(ms, undefined, { signal: over.signal }).catch(() => {});
    }
    // What arrived while the agent was busy is read before the burst is over.
    await pause(0);
    signal.removeEventListener('abort', giveUp);
    socket.close();
    return { sent: ECHOES, roundTripsMs };
  },
});
