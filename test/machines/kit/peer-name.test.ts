import { describe, expect, it } from 'vitest';

import { LOOPBACK, peerName } from '#machines/kit/peer-name.ts';

describe('by what a peer is counted', () => {
  it.each([
    ['10.0.0.2', '10.0.0.2'],
    ['::ffff:10.0.0.2', '10.0.0.2'],
    ['::FFFF:a00:2', '10.0.0.2'],
    ['127.0.0.1', LOOPBACK],
    ['127.8.9.1', LOOPBACK],
    ['::ffff:127.0.0.1', LOOPBACK],
    ['::1', LOOPBACK],
    ['0:0:0:0:0:0:0:1', LOOPBACK],
    ['', ''],
    ['panel.local', ''],
  ])('%s: %s, of no network', (address, name) => expect(peerName(address)).toEqual({ name, network: '' }));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:1::2'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'FE80::1'],
  ])('%s as %s, the same address', (one, other) => expect(peerName(one)).toEqual(peerName(other)));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:1::3'],
    ['fe80::1', 'fe80::2'],
    ['::2', '::1'],
    ['10.0.0.2', '10.0.0.3'],
    ['128.0.0.1', '127.0.0.1'],
  ])('%s not as %s', (one, other) => expect(peerName(one).name).not.toBe(peerName(other).name));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:1:ffff:ffff:ffff:ffff'],
    ['fe80::1%eth0', 'FE80::2'],
    ['fe80::1', 'fe80:0:0:1::1'],
    ['fe80::1', 'febf:ffff::1'],
    ['2001:DB8::1', '2001:db8:0:0:8::'],
  ])('%s and %s can be one machine', (one, other) => expect(peerName(one).network).toBe(peerName(other).network));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:2::2'],
    ['fe80::1', 'fec0::1'],
    ['fe80::1', 'fe40::1'],
    ['::2', '::1'],
  ])('%s and %s cannot', (one, other) => expect(peerName(one).network).not.toBe(peerName(other).network));
});
