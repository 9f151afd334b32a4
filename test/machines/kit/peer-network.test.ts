import { describe, expect, it } from 'vitest';

import { LOOPBACK, peerNetwork } from '#machines/kit/ip-address.ts';

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
  ])('%s: %s', (address, name) => expect(peerNetwork(address)).toBe(name));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:1:ffff:ffff:ffff:ffff'],
    ['fe80::1%eth0', 'FE80::2'],
    ['2001:DB8::1', '2001:db8:0:0:8::'],
  ])('%s as %s, of the same 64 bits', (one, other) => expect(peerNetwork(one)).toBe(peerNetwork(other)));

  it.each([
    ['2001:db8:0:1::2', '2001:db8:0:2::2'],
    ['::2', '::1'],
    ['10.0.0.2', '10.0.0.3'],
    ['128.0.0.1', '127.0.0.1'],
  ])('%s not as %s', (one, other) => expect(peerNetwork(one)).not.toBe(peerNetwork(other)));
});
