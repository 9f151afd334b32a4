import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { NetworkInterfaceInfo } from 'node:os';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, expect, it } from 'vitest';

import { lanWatch } from '#drivers/advertiser/lan-watch.ts';
import type { AdvertiserCommand, AdvertiserEvent, Lan } from '#machines/advertiser/events.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

const root = mkdtempSync(join(tmpdir(), 'sconce-lan-'));
mkdirSync(join(root, 'proc/net'), { recursive: true });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  rmSync(join(root, 'proc/net/route'), { force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (address: string, internal = false): NetworkInterfaceInfo[] => [
  address.includes(':')
    ? { address, netmask: '', mac: '', internal, cidr: null, family: 'IPv6', scopeid: 0 }
    : { address, netmask: '255.255.255.0', mac: '', internal, cidr: null, family: 'IPv4' },
];
const loopback = at('127.0.0.1', true);
const route = (name: string): string =>
  `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n${name}\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n`;

it.each<[string, Record<string, NetworkInterfaceInfo[]>, string | null, Lan | null]>([
  ['the loopback alone is no way to anyone', { lo: loopback }, null, null],
  [
    'the interface of the default route',
    { lo: loopback, docker0: at('172.17.0.1'), wlan0: at('192.0.2.7') },
    'wlan0',
    { interface: 'wlan0', address: '192.0.2.7', family: 'ipv4' },
  ],
  [
    'the first one where there is no route',
    { lo: loopback, eth1: at('192.0.2.9'), eth0: at('192.0.2.8') },
    null,
    { interface: 'eth0', address: '192.0.2.8', family: 'ipv4' },
  ],
  [
    'IPv6 where there is nothing else',
    { lo: loopback, eth0: at('2001:db8::7') },
    null,
    { interface: 'eth0', address: '2001:db8::7', family: 'ipv6' },
  ],
])('%s', async (_, interfaces, routed, lan) => {
  if (routed !== null) writeFileSync(join(root, 'proc/net/route'), route(routed));
  const driver = runDriver<AdvertiserCommand, AdvertiserEvent>(lanWatch({ root, interfaces: () => interfaces }));
  stops.push(driver.stop);
  expect(await driver.until(isFact('lan.observed'))).toEqual({ type: 'lan.observed', lan });
});
