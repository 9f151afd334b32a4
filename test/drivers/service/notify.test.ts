import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, it } from 'vitest';

import { nativeCalls, unixAddress } from '#drivers/kit/native.ts';
import { readServiceEnvironment } from '#drivers/service/environment.ts';
import { serviceNotify } from '#drivers/service/notify.ts';
import type { ServiceDriverCommand, ServiceEvent } from '#machines/service/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

describe('readServiceEnvironment', () => {
  it.each([
    ['nothing', {}, { socket: null, listening: false, heartbeatMs: null }],
    [
      'a path',
      { NOTIFY_SOCKET: '/run/systemd/notify' },
      { socket: '/run/systemd/notify', listening: true, heartbeatMs: null },
    ],
    ['an abstract name', { NOTIFY_SOCKET: '@notify' }, { socket: '@notify', listening: true, heartbeatMs: null }],
    ['what is neither', { NOTIFY_SOCKET: 'vsock:2:1' }, { socket: null, listening: false, heartbeatMs: null }],
    [
      'a watchdog',
      { NOTIFY_SOCKET: '/n', WATCHDOG_USEC: '30000000' },
      { socket: '/n', listening: true, heartbeatMs: 15_000 },
    ],
    [
      'a watchdog of months',
      { NOTIFY_SOCKET: '/n', WATCHDOG_USEC: '9000000000000' },
      { socket: '/n', listening: true, heartbeatMs: 2 ** 31 - 1 },
    ],
    [
      'a watchdog for this process',
      { NOTIFY_SOCKET: '/n', WATCHDOG_USEC: '2000000', WATCHDOG_PID: '42' },
      { socket: '/n', listening: true, heartbeatMs: 1_000 },
    ],
    [
      'a watchdog for another process',
      { NOTIFY_SOCKET: '/n', WATCHDOG_USEC: '2000000', WATCHDOG_PID: '41' },
      { socket: '/n', listening: true, heartbeatMs: null },
    ],
    [
      'a watchdog and nobody to tell',
      { WATCHDOG_USEC: '2000000' },
      { socket: null, listening: false, heartbeatMs: null },
    ],
    [
      'a watchdog that is no number',
      { NOTIFY_SOCKET: '/n', WATCHDOG_USEC: 'soon' },
      { socket: '/n', listening: true, heartbeatMs: null },
    ],
  ])('%s', (_, env, expected) => {
    expect(readServiceEnvironment(env, 42)).toEqual(expected);
  });
});

describe('unixAddress', () => {
  it('ends a path with NUL and starts an abstract name with one', () => {
    expect([...(unixAddress('/n') ?? [])].slice(2)).toEqual([0x2f, 0x6e, 0]);
    expect([...(unixAddress('@n') ?? [])].slice(2)).toEqual([0, 0x6e]);
  });
  it('refuses what does not fit', () => {
    expect(unixAddress(`/${'a'.repeat(107)}`)).toBeNull();
    expect(unixAddress(`/${'a'.repeat(106)}`)).toHaveLength(110);
    expect(unixAddress('')).toBeNull();
  });
});

const RECEIVER = `
import socket, sys
name = sys.argv[1]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind('\\0' + name[1:] if name.startswith('@') else name)
print('bound', flush=True)
while True: print(repr(s.recv(4096).decode()), flush=True)
`;

/** A real receiver of datagrams; null without python3. */
async function listenOn(name: string) {
  const child = spawn('python3', ['-c', RECEIVER, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  let wake = (): void => {};
  reader.on('line', (line) => {
    lines.push(line);
    wake();
  });
  const failed = once(child, 'error').then(() => 'failed' as const);
  const until = async (count: number): Promise<readonly string[]> => {
    while (lines.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return lines.slice(1, count);
  };
  if ((await Promise.race([until(1), failed])) === 'failed') return null;
  return { until, stop: () => child.kill() };
}

describe('notifying the service manager', () => {
  it.for(['path', 'abstract'])(
    'reaches a socket with an %s name (skipped without python3 or koffi)',
    async (kind, { skip }) => {
      const folder = await mkdtemp(join(tmpdir(), 'sconce-notify-'));
      const name = kind === 'path' ? join(folder, 'notify') : `@sconce-test-${process.pid}-${folder.slice(-6)}`;
      const receiver = (await nativeCalls()) === null ? null : await listenOn(name).catch(() => null);
      if (receiver === null) {
        await rm(folder, { recursive: true });
        skip('no python3, or no koffi for this machine');
        return;
      }
      const driver = runDriver<ServiceDriverCommand, ServiceEvent>(serviceNotify(name));
      driver.tell({ type: 'notice.send', lines: ['READY=1', 'STATUS=All is\nwell'] });
      driver.tell({ type: 'notice.send', lines: ['WATCHDOG=1'] });
      expect(await receiver.until(3)).toEqual([String.raw`'READY=1\nSTATUS=All is well'`, "'WATCHDOG=1'"]);
      driver.stop();
      receiver.stop();
      await rm(folder, { recursive: true });
      expect(driver.facts).toEqual([]);
    },
  );

  it('says the code when nobody listens, and lives on', async ({ skip }) => {
    if ((await nativeCalls()) === null) skip('no koffi for this machine');
    const driver = runDriver<ServiceDriverCommand, ServiceEvent>(serviceNotify('/nowhere/notify'));
    driver.tell({ type: 'notice.send', lines: ['READY=1'] });
    expect(await driver.until(isFact('notice.refused'))).toEqual({ type: 'notice.refused', code: 'ENOENT' });
    driver.stop();
    expect(driver.crashed()).toBeUndefined();
  });

  it('says so where no system call can be made', async () => {
    const driver = runDriver<ServiceDriverCommand, ServiceEvent>(serviceNotify('/n', async () => null));
    driver.tell({ type: 'notice.send', lines: ['READY=1'] });
    expect(await driver.until(isFact('notice.refused'))).toEqual({ type: 'notice.refused', code: 'no-native-calls' });
    driver.stop();
  });
});
