import { createSocket, type Socket } from 'node:dgram';
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { type NativeCalls, nativeCalls, SOCKET } from '#drivers/kit/native.ts';
import type { RouteFamily } from '#machines/path-probe/events.ts';

import { ECHO_BOUND_MS, ECHO_BYTES, ECHOES, type EchoWay, nothingSent } from './echo-way.ts';

/** Delay before the library is first loaded, in milliseconds, so that the agent's first answers do not wait for it. */
const CALM_MS = 500;
/** Pause between two echoes of a burst, in milliseconds. */
const SPACING_MS = 200;
/** Node requires a port; ICMP has none, and the kernel ignores it. */
const NO_PORT = 7;
/** Socket parameters of the two protocols, and their types of echo request and reply (RFC 792, RFC 4443). */
const protocols = {
  ipv4: { domain: SOCKET.AF_INET, protocol: SOCKET.IPPROTO_ICMP, kind: 'udp4', request: 8, reply: 0 },
  ipv6: { domain: SOCKET.AF_INET6, protocol: SOCKET.IPPROTO_ICMPV6, kind: 'udp6', request: 128, reply: 129 },
} as const;

/** Builds an echo request; the kernel fills in checksum and identifier. */
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

/** Opens a separate ICMP socket for one burst, so that no answer to an earlier burst arrives; null if refused. */
function open(native: NativeCalls | null, family: RouteFamily): Socket | null {
  const { domain, protocol, kind } = protocols[family];
  const fd = native?.openSocket(domain, SOCKET.SOCK_DGRAM, protocol) ?? null;
  if (fd === null) return null;
  const socket = createSocket(kind);
  // A network failure counts as a lost echo; it must not crash the agent.
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
 * Sends echoes through an unprivileged ICMP socket, which the kernel grants to the groups in
 * `net.ipv4.ping_group_range`. Node reads it like a UDP socket.
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
      // Of duplicate answers only the first counts.
      sentAt.delete(sequence);
      const ms = performance.now() - began;
      if (ms <= ECHO_BOUND_MS) roundTripsMs.push(ms);
      if (roundTripsMs.length === ECHOES) over.abort();
    });
    for (let sequence = 0; sequence < ECHOES && !over.signal.aborted; sequence += 1) {
      sentAt.set(sequence, performance.now());
      socket.send(echo(family, sequence), NO_PORT, address, () => {});
      const ms = sequence === ECHOES - 1 ? ECHO_BOUND_MS : SPACING_MS;
      // oxlint-disable-next-line no-await-in-loop -- a burst is one echo after another
      await pause(ms, undefined, { signal: over.signal }).catch(() => {});
    }
    // Read what arrived while the agent was busy before the burst ends.
    await pause(0);
    signal.removeEventListener('abort', giveUp);
    socket.close();
    return { sent: ECHOES, roundTripsMs };
  },
});
