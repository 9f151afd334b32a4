import { describe, expect, it } from 'vitest';

import { isPartialIpv4 } from '#machines/kit/host-name.ts';
import { parseBrokerAddress } from '#machines/mqtt/broker-address.ts';

describe('a host that is a part of an IPv4 address', () => {
  it.each([
    '192.168.1.',
    '192.168.1',
    '192.168',
    '192',
    '10.1',
    '0x7f.1',
    '127.0.0.1.',
    '1.2.3.4.5',
    '1.2.3.256',
    '0x',
  ])('%s is one', (host) => expect(isPartialIpv4(host)).toBe(true));

  it.each([
    '192.168.1.20',
    '127.0.0.1',
    'home',
    'home.',
    'homeassistant.local',
    'panel-2',
    '4.home',
    'x1',
    '',
    '[::1]',
    '::ffff:127.0.0.1',
    '[::ffff:10.0.0.1]',
  ])('%j is none', (host) => expect(isPartialIpv4(host)).toBe(false));

  it.each(['192.168.1.', 'mqtt://192.168.1:1883', 'mqtts://10.1', '0x7f000001'])('%s names no broker', (text) => {
    const refused = parseBrokerAddress(text);
    expect(refused).toMatchObject({ ok: false, reason: 'host' });
    expect(refused.ok ? '' : refused.message).toContain('four numbers');
  });
});
