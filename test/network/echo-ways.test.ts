import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { nativeCalls } from '#drivers/kit/native.ts';
import { whyNoNamespaces } from './routed.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const Seen = z.object({
  works: z.object({ ipv4: z.boolean(), ipv6: z.boolean() }),
  bursts: z.array(z.object({ sent: z.number(), roundTripsMs: z.array(z.number()) })),
  givenUpMs: z.number(),
});

/** Addresses by what is there; the silent ones are on a wire whose other end takes nothing. */
const addresses = {
  silent: '10.9.8.9',
  'silent by IPv6': 'fd00:9::9',
  'this machine': '127.0.0.1',
  'this machine by IPv6': '::1',
  'an address of a link alone': 'fe80::9:1%near',
  'without a route': '203.0.113.9',
  'without a route by IPv6': '2001:db8:9::9',
} as const;
type Place = keyof typeof addresses;

/** A network of its own: a wire with this machine at both ends, and neighbours that are known and not there. */
const network = (groups: string): string =>
  [
    `echo '${groups}' > /proc/sys/net/ipv4/ping_group_range`,
    'ip link add near type veth peer name far',
    'ip addr add 10.9.8.1/24 dev near',
    'ip addr add fd00:9::1/64 dev near nodad',
    'ip addr add fe80::9:1/64 dev near nodad',
    ...['lo', 'near', 'far'].map((link) => `ip link set ${link} up`),
    ...['10.9.8.9', 'fd00:9::9'].map(
      (address) => `ip neigh add ${address} lladdr 02:00:00:00:00:09 dev near nud permanent`,
    ),
  ].join(' && ');

interface Rig {
  readonly name: string;
  readonly way: 'datagram' | 'ping';
  /** What is `ping` there; the machine's own when absent. */
  readonly ping?: string;
  /** Why it cannot be tried here. */
  readonly missing: () => string | null | Promise<string | null>;
}

const whyNo = (...command: readonly [string, ...string[]]): string | null =>
  spawnSync(command[0], command.slice(1)).error === undefined ? null : `${command[0]} is not installed`;

const rigs: readonly Rig[] = [
  {
    name: 'a datagram socket',
    way: 'datagram',
    missing: async () => ((await nativeCalls()) === null ? 'no koffi for this machine' : null),
  },
  { name: 'ping of iputils', way: 'ping', missing: () => whyNo('ping', '-V') },
  { name: 'ping of busybox', way: 'ping', ping: 'busybox', missing: () => whyNo('busybox', 'true') },
];

// Each waits for seconds, in a network of its own.
describe.concurrent('the ways to send echoes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-echoes-'));
  const program = join(folder, 'echoes.mjs');
  const noNamespaces = whyNoNamespaces();
  beforeAll(async () => {
    // Beside the bundle, where it looks for the native library.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    await build({
      entryPoints: [join(root, 'test/network/echoes-alone.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['koffi'],
      logLevel: 'silent',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const send = async ({ way, ping }: Rig, groups: string, before = 'true') => {
    const path = join(folder, `path-${ping ?? 'own'}`);
    mkdirSync(path, { recursive: true });
    if (ping !== undefined) {
      const { stdout } = await run('which', [ping]);
      rmSync(join(path, 'ping'), { force: true });
      symlinkSync(stdout.trim(), join(path, 'ping'));
    }
    const command = [process.execPath, program, way, ...Object.values(addresses)].map((word) => `'${word}'`).join(' ');
    const { stdout } = await run(
      'unshare',
      ['--net', 'sh', '-c', `${before} && ${network(groups)} && exec ${command}`],
      {
        env: { ...process.env, PATH: `${path}:${process.env['PATH'] ?? ''}` },
        timeout: 60_000,
      },
    );
    const seen = Seen.parse(JSON.parse(stdout));
    return { ...seen, to: (place: Place) => seen.bursts[Object.keys(addresses).indexOf(place)] };
  };

  for (const rig of rigs)
    it(`by ${rig.name}`, { timeout: 90_000 }, async ({ skip }) => {
      const missing = noNamespaces ?? (await rig.missing());
      if (missing !== null) skip(`skipped: ${missing}`);
      const seen = await send(rig, '0 2147483647');
      expect(seen.works).toEqual({ ipv4: true, ipv6: true });
      for (const place of ['this machine', 'this machine by IPv6', 'an address of a link alone'] as const) {
        expect(seen.to(place)?.roundTripsMs, place).toHaveLength(5);
        expect(Math.min(...(seen.to(place)?.roundTripsMs ?? [])), place).toBeGreaterThanOrEqual(0);
        expect(seen.to(place)?.sent, place).toBe(5);
      }
      for (const place of ['silent', 'silent by IPv6', 'without a route', 'without a route by IPv6'] as const)
        expect(seen.to(place), place).toEqual({ sent: 5, roundTripsMs: [] });
      expect(seen.givenUpMs).toBeLessThan(1000);
    });

  for (const rig of rigs.filter(({ way }) => way === 'ping'))
    it(`by ${rig.name} where this machine itself is mute`, { timeout: 90_000 }, async ({ skip }) => {
      const missing = noNamespaces ?? (await rig.missing());
      if (missing !== null) skip(`skipped: ${missing}`);
      const mute =
        'echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all && echo 1 > /proc/sys/net/ipv6/icmp/echo_ignore_all';
      const seen = await send(rig, '1 0', mute);
      expect(seen.works).toEqual({ ipv4: true, ipv6: true });
      for (const place of ['this machine', 'this machine by IPv6'] as const)
        expect(seen.to(place), place).toEqual({ sent: 5, roundTripsMs: [] });
    });

  it('not by a datagram socket where the kernel refuses it', { timeout: 60_000 }, async ({ skip }) => {
    const [rig] = rigs;
    const missing = noNamespaces ?? (await rig?.missing());
    if (rig === undefined || missing !== null) return skip(`skipped: ${missing}`);
    const seen = await send(rig, '1 0');
    expect(seen.works).toEqual({ ipv4: false, ipv6: false });
    for (const burst of seen.bursts) expect(burst).toEqual({ sent: 0, roundTripsMs: [] });
  });
});
