import { describe, expect, it } from 'vitest';

import { primaryAddress, routeFamily } from '#drivers/readings/address.ts';
import {
  cpuShare,
  parseBootTime,
  parseCpuTimes,
  parseIpv4Route,
  parseIpv6Route,
  parseIwLink,
  parseMemory,
  parseWirelessSignal,
} from '#drivers/readings/parse-proc.ts';

const STAT =
  'cpu  100 5 45 800 50 0 0 0 30 0\ncpu0 100 5 45 800 50 0 0 0 30 0\nintr 1 2\nbtime 1767323045\nprocesses 9\n';

describe('/proc/stat', () => {
  it('counts waiting for the disk as idle and guests not twice', () => {
    expect(parseCpuTimes(STAT)).toEqual({ busy: 150, total: 1000 });
  });
  it.each([
    ['half busy', { busy: 0, total: 0 }, { busy: 50, total: 100 }, 50],
    ['no time passed', { busy: 5, total: 10 }, { busy: 5, total: 10 }, null],
    ['counters went back', { busy: 50, total: 100 }, { busy: 5, total: 10 }, null],
    ['idle counter went back', { busy: 0, total: 0 }, { busy: 11, total: 10 }, 100],
    ['first look', null, { busy: 5, total: 10 }, null],
  ])('%s', (_, before, after, expected) => {
    expect(cpuShare(before, after)).toBe(expected);
  });
  it('tells when the machine started', () => {
    expect(parseBootTime(STAT)).toBe(1767323045000);
    expect(parseBootTime('')).toBeNull();
    expect(parseCpuTimes('')).toBeNull();
  });
});

describe('/proc/meminfo', () => {
  it.each([
    ['MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    250 kB\n', 75],
    ['MemTotal:       1000 kB\n', null],
    ['', null],
  ])('%j', (text, expected) => {
    expect(parseMemory(text)).toBe(expected);
  });
});

const HEAD = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';

describe('routes', () => {
  it.each([
    [
      'one',
      `${HEAD}eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\neth0\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n`,
      'eth0',
    ],
    [
      'the cheaper one',
      `${HEAD}eth0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\nwlan0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n`,
      'wlan0',
    ],
    ['a rejecting one', `${HEAD}*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n`, null],
    ['half of the world for a VPN', `${HEAD}tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n`, null],
    ['none', HEAD, null],
    ['no file', '', null],
  ])('IPv4: %s', (_, table, expected) => {
    expect(parseIpv4Route(table)?.interface ?? null).toBe(expected);
  });

  const zero = '0'.repeat(32);
  it.each([
    [
      'through a router',
      `${zero} 00 ${zero} 00 fe80000000000000021122fffe334455 00000400 00000001 00000000 00450003 eth0\n`,
      'eth0',
    ],
    ["the kernel's reject route", `${zero} 00 ${zero} 00 ${zero} ffffffff 00000001 00000000 00200200       lo\n`, null],
    [
      'a network',
      `fe800000000000000000000000000000 40 ${zero} 00 ${zero} 00000100 00000001 00000000 00000001 eth0\n`,
      null,
    ],
    ['no file', '', null],
  ])('IPv6: %s', (_, table, expected) => {
    expect(parseIpv6Route(table)?.interface ?? null).toBe(expected);
  });
});

describe('the primary address', () => {
  const ipv4 = (address: string, internal = false) => ({
    address,
    netmask: '',
    family: 'IPv4' as const,
    mac: '',
    internal,
    cidr: null,
  });
  const ipv6 = (address: string) => ({
    address,
    netmask: '',
    family: 'IPv6' as const,
    mac: '',
    internal: false,
    cidr: null,
    scopeid: 0,
  });
  const interfaces = {
    lo: [ipv4('127.0.0.1', true)],
    docker0: [ipv4('172.17.0.1')],
    eth0: [ipv6('fe80::1'), ipv6('2001:db8::5'), ipv4('192.0.2.5')],
  };
  const eth0 = { interface: 'eth0', metric: 1 };
  it.each([
    ["is that of the default route's interface", { ipv4: eth0, ipv6: null }, '192.0.2.5', 'ipv4'],
    [
      'is IPv6 where only that has a way out, never a link-local one',
      { ipv4: null, ipv6: eth0 },
      '2001:db8::5',
      'ipv6',
    ],
    ['prefers IPv4 where both do', { ipv4: eth0, ipv6: eth0 }, '192.0.2.5', 'ipv4'],
    ['is the first that is not internal without a way out', { ipv4: null, ipv6: null }, '172.17.0.1', 'ipv4'],
  ] as const)('%s', (_, routes, address, family) => {
    expect(primaryAddress(routes, interfaces)).toBe(address);
    expect(routeFamily(routes)).toBe(family);
  });
  it('is null without a network', () => {
    expect(primaryAddress({ ipv4: null, ipv6: null }, { lo: [ipv4('127.0.0.1', true)] })).toBeNull();
  });
});

describe('the wireless network', () => {
  const table =
    'Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE\n face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22\n wlan0: 0000   56.  -54.  -256        0      0      0      0    120        0\n';
  it('has its signal in /proc/net/wireless', () => {
    expect(parseWirelessSignal(table, 'wlan0')).toBe(-54);
    expect(parseWirelessSignal(table, 'wlan1')).toBeNull();
    expect(parseWirelessSignal(table.replace('-54.', '0.'), 'wlan0')).toBeNull();
  });
  it.each([
    ['Connected to 00:11:22:33:44:55 (on wlan0)\n\tSSID: Attic\n\tfreq: 2437\n\tsignal: -61 dBm\n', 'Attic', -61],
    ['Connected to 00:11:22:33:44:55 (on wlan0)\n\tSSID: K\\xc3\\xbcche \\\\ 2\n', 'Küche \\ 2', null],
    ['Not connected.\n', null, null],
  ])('%j', (output, name, signalDbm) => {
    expect(parseIwLink(output)).toEqual({ name, signalDbm });
  });
});
