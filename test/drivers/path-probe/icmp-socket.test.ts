import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { type NativeCalls, nativeCalls } from '#drivers/kit/native.ts';
import { icmpSocket, type PingLoopback } from '#drivers/path-probe/icmp-socket.ts';
import type { PathProbeDriverCommand, PathProbeEvent } from '#machines/path-probe/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

const answer = isFact<PathProbeEvent, 'probe.socket'>('probe.socket');

const tryOnce = async (family: 'ipv4' | 'ipv6', native?: () => Promise<NativeCalls | null>, ping?: PingLoopback) => {
  const driver = runDriver<PathProbeDriverCommand, PathProbeEvent>(icmpSocket(native, ping));
  driver.tell({ type: 'probe.try', family });
  const fact = await driver.until(answer);
  driver.stop();
  expect(driver.crashed()).toBeUndefined();
  return fact;
};

describe('trying an ICMP socket', () => {
  it.each([
    ['ipv4', [2, 2, 1]],
    ['ipv6', [10, 2, 58]],
  ] as const)('opens a datagram socket of %s', async (family, expected) => {
    const calls: (readonly number[])[] = [];
    const native: NativeCalls = {
      trySocket: (...args) => {
        calls.push(args);
        return 'EACCES';
      },
      sendUnixDatagram: () => null,
      signalWhenReadable: () => null,
      ioctl: () => null,
      grabInput: () => null,
      inputState: () => null,
    };
    expect(await tryOnce(family, async () => native)).toMatchObject({ family, supported: false });
    expect(calls).toEqual([expected]);
  });

  it('lets ping try where no system call can be made', async () => {
    expect(
      await tryOnce(
        'ipv6',
        async () => null,
        async (family) => family === 'ipv6',
      ),
    ).toMatchObject({ supported: true });
    expect(
      await tryOnce(
        'ipv4',
        async () => null,
        async () => false,
      ),
    ).toMatchObject({ supported: false });
  });

  const python = (family: string, protocol: string): boolean | null => {
    const script = `import socket\ntry:\n  socket.socket(socket.${family}, socket.SOCK_DGRAM, socket.${protocol}); print('yes')\nexcept OSError: print('no')`;
    const { stdout, status } = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() === 'yes' : null;
  };

  it('agrees with python on this machine (skipped without python3 or koffi)', async ({ skip }) => {
    const expected = { ipv4: python('AF_INET', 'IPPROTO_ICMP'), ipv6: python('AF_INET6', 'IPPROTO_ICMPV6') };
    if ((await nativeCalls()) === null || expected.ipv4 === null) skip('no python3, or no koffi for this machine');
    expect((await tryOnce('ipv4')).supported).toBe(expected.ipv4);
    expect((await tryOnce('ipv6')).supported).toBe(expected.ipv6);
  });
});
