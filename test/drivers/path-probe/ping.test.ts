import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { hasSocket, pingWay, readPing } from '#drivers/path-probe/ping.ts';
import type { ConnectedRoute } from '#drivers/path-probe/route.ts';

/** As iputils 20221126 prints it. */
const iputils = `PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.045 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=12.3 ms
64 bytes from 192.0.2.1: icmp_seq=2 ttl=64 time=12.9 ms (DUP!)
From 192.0.2.7 icmp_seq=3 Destination Host Unreachable
64 bytes from 192.0.2.1: icmp_seq=4 ttl=64 time=1003 ms
64 bytes from 192.0.2.1: icmp_seq=5 ttl=64 time=7 ms

--- 192.0.2.1 ping statistics ---
5 packets transmitted, 4 received, +1 duplicates, +1 errors, 20% packet loss, time 4005ms
rtt min/avg/max/mdev = 0.045/255.586/1003.000/431.546 ms
`;
/** As busybox 1.35 prints it. */
const busybox = `PING ::1 (::1): 56 data bytes
64 bytes from ::1: seq=0 ttl=64 time=0.314 ms
64 bytes from ::1: seq=1 ttl=64 time=0.056 ms

--- ::1 ping statistics ---
5 packets transmitted, 2 packets received, 60% packet loss
round-trip min/avg/max = 0.056/0.185/0.314 ms
`;

describe('what ping printed', () => {
  it.each([
    ['iputils: without answers that came twice or too late', iputils, [0.045, 12.3, 7]],
    ['busybox', busybox, [0.314, 0.056]],
    ['an answer below a millisecond', '64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time<1 ms\n', [1]],
    ['nothing', '', []],
    ['something else', 'time=5 ms\nseq=1 time=ten ms\n', []],
    ['more answers than echoes', '64 bytes from x: seq=1 ttl=64 time=5 ms\n'.repeat(9), [5, 5, 5, 5, 5]],
  ])('%s', (_, text, expected) => expect(readPing(text)).toEqual(expected));
});

describe('whether ping was given a socket', () => {
  const summary = '\n--- 127.0.0.1 ping statistics ---\n1 packets transmitted, 0';
  it.each([
    ['iputils: it was answered', iputils, '', true],
    [
      'iputils: this machine is mute',
      `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n${summary} received`,
      '',
      true,
    ],
    [
      'busybox: this machine is mute',
      `PING 127.0.0.1 (127.0.0.1): 56 data bytes\n${summary} packets received`,
      '',
      true,
    ],
    ['iputils: this machine has no such address', '', 'ping: connect: Cannot assign requested address\n', true],
    ['busybox: this machine has no such address', '', 'ping: sendto: Network is unreachable\n', true],
    ['iputils: it was refused', '', 'ping: socktype: SOCK_RAW\nping: socket: Operation not permitted\n', false],
    ['busybox: it was refused', '', 'ping: permission denied (are you root?)\n', false],
    ['the kernel has no such family', '', 'ping: socket: Address family not supported by protocol\n', false],
    ['it does not know an argument', '', 'ping: invalid option -- W\n', false],
  ])('%s', (_, stdout, stderr, expected) => expect(hasSocket({ stdout, stderr })).toBe(expected));
});

describe('the way by ping', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-ping-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const route: ConnectedRoute = { address: 'fe80::1%eth0', family: 'ipv6' };

  /** A `ping` that does what a script says; without one there is none. */
  const pingThat = (script?: string) => {
    const own = mkdtempSync(join(folder, 'path-'));
    if (script !== undefined) {
      writeFileSync(join(own, 'ping'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(own, 'ping'), 0o755);
    }
    return pingWay({ PATH: own });
  };
  const run = (script?: string) => pingThat(script).burst(route, new AbortController().signal);

  it('asks with numbers only, in English, for five echoes of a second', async () => {
    const script = `[ "$LC_ALL:$*" = 'C:-n -c 5 -W 1 fe80::1%eth0' ] && echo '64 bytes: icmp_seq=1 ttl=64 time=3 ms'`;
    expect(await run(script)).toEqual({ sent: 5, roundTripsMs: [3] });
  });

  it('takes an end in failure for silence', async () => {
    expect(await run('exit 1')).toEqual({ sent: 5, roundTripsMs: [] });
    expect(await run('echo "ping: connect: Network is unreachable" >&2; exit 2')).toEqual({
      sent: 5,
      roundTripsMs: [],
    });
  });

  it('has sent nothing where there is no ping', async () => {
    const way = pingThat();
    expect(await way.burst(route, new AbortController().signal)).toEqual({ sent: 0, roundTripsMs: [] });
    expect(await way.works('ipv4', new AbortController().signal)).toBe(false);
  });

  it.each([
    ['ipv4', '127.0.0.1'],
    ['ipv6', '::1'],
  ] as const)('tries itself on this machine alone: %s', async (family, own) => {
    const works = (script: string) => pingThat(script).works(family, new AbortController().signal);
    const sent = 'echo "1 packets transmitted, 0 received"';
    expect(await works(`[ "$*" = '-n -c 1 -W 1 ${own}' ] && ${sent}`)).toBe(true);
    expect(await works(`${sent}; exit 1`)).toBe(true);
    expect(await works('echo "ping: socktype: SOCK_RAW" >&2; exit 2')).toBe(false);
  });

  it('ends the program when it is given up', async () => {
    const ends = new AbortController();
    const started = join(folder, 'started');
    const burst = pingThat(`echo $$ > ${started}; exec /bin/sleep 60`).burst(route, ends.signal);
    const pidOf = (): number => (existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0);
    await expect.poll(pidOf, { timeout: 10_000 }).toBeGreaterThan(0);
    ends.abort();
    await burst;
    await expect.poll(() => existsSync(`/proc/${pidOf()}`), { timeout: 10_000 }).toBe(false);
  });
});
