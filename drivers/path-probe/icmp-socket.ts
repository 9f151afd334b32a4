import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type NativeCalls, nativeCalls, SOCKET } from '#drivers/kit/native.ts';
import type { PathProbeDriverCommand, SocketFact } from '#machines/path-probe/events.ts';

type Family = 'ipv4' | 'ipv6';

/** Runs `ping` once; whether it ended well. */
export type PingLoopback = (family: Family) => Promise<boolean>;

/**
 * Pause before the library is loaded for the first time, in milliseconds: the agent answers its first request without
 * waiting for it.
 */
const CALM_MS = 500;
/** Longest time for one ping to the machine itself. */
const PING_TIMEOUT_MS = 3_000;

/** `PingLoopback` with the system's own tool. */
export const pingLoopback: PingLoopback = (family) =>
  new Promise((resolve) => {
    const target = family === 'ipv4' ? '127.0.0.1' : '::1';
    execFile('ping', ['-c1', '-W1', target], { timeout: PING_TIMEOUT_MS }, (error) => resolve(error === null));
  });

const openIcmp = (native: NativeCalls, family: Family): boolean =>
  native.trySocket(
    family === 'ipv4' ? SOCKET.AF_INET : SOCKET.AF_INET6,
    SOCKET.SOCK_DGRAM,
    family === 'ipv4' ? SOCKET.IPPROTO_ICMP : SOCKET.IPPROTO_ICMPV6,
  ) === null;

/**
 * Tries to open an unprivileged ICMP socket and closes it again; nothing is sent. Where no system call can be made from
 * Node (no build of koffi for this machine), the tool `ping` on the machine's own loopback stands in: that is what
 * would have to send the echoes there.
 */
export const icmpSocket = (
  native: () => Promise<NativeCalls | null> = nativeCalls,
  ping: PingLoopback = pingLoopback,
) =>
  fromDriver<PathProbeDriverCommand, undefined, SocketFact>((scope) => {
    const calm = pause(CALM_MS, undefined, { signal: scope.signal }).catch(() => undefined);
    scope.onEvent(async ({ family }) => {
      await calm;
      if (scope.signal.aborted) return;
      const calls = await native();
      const supported = calls === null ? await ping(family) : openIcmp(calls, family);
      scope.send({ type: 'probe.socket', family, supported });
    });
  });
