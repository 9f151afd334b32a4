import { describe, expect, it } from 'vitest';

import { isLocalAddress, isOwnAddress, localAddressAdvice } from '#machines/kit/own-address.ts';

const own = ['192.0.2.40', '2001:db8::40', 'fd00::40'];

describe('an address that is this machine, or only on its link', () => {
  it.each([
    ['127.0.0.1', true, true],
    ['127.255.255.254', true, true],
    ['0.0.0.0', true, true],
    ['0.1.2.3', true, true],
    ['::1', true, true],
    ['::', true, true],
    ['0:0:0:0:0:0:0:1', true, true],
    ['::ffff:127.0.0.1', true, true],
    ['::ffff:7f00:1', true, true],
    ['192.0.2.40', true, true],
    ['::ffff:192.0.2.40', true, true],
    ['2001:DB8:0::40', true, true],
    ['169.254.0.1', false, true],
    ['::ffff:169.254.169.254', false, true],
    ['fe80::1', false, true],
    ['fe80::1%eth0', false, true],
    ['febf::1', false, true],
    ['192.0.2.41', false, false],
    ['10.0.0.1', false, false],
    ['128.0.0.1', false, false],
    ['169.253.0.1', false, false],
    ['fec0::1', false, false],
    ['fd00::41', false, false],
    ['::2', false, false],
    ['localhost', false, false],
    ['', false, false],
  ])('%s', (address, isOwn, isLocal) => {
    expect([isOwnAddress(address, own), isLocalAddress(address, own)]).toEqual([isOwn, isLocal]);
  });

  it('is told in one sentence that says what to do, without the address', () => {
    expect(localAddressAdvice('the broker')).toMatch(/cannot be tested before it is saved.*save it and check it again/);
  });
});
