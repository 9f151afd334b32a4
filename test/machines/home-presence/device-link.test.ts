import { describe, expect, it } from 'vitest';

import { deviceLink } from '#machines/home-presence/device-link.ts';

describe('the link to the device in Home Assistant', () => {
  it.each([
    ['http://home.test:8123', 'c0ffee', 'http://home.test:8123/config/devices/device/c0ffee'],
    ['http://home.test:8123/', '../x', 'http://home.test:8123/config/devices/device/..%2Fx'],
    ['https://home.test', null, 'https://home.test/config/integrations/integration/mqtt'],
    ['', 'c0ffee', null],
  ])('at %j for %j is %j', (origin, deviceId, link) => {
    expect(deviceLink(origin, { deviceId })).toBe(link);
  });

  it('without a device leads to the integration that has the entities', () => {
    expect(deviceLink('https://home.test', { deviceId: null }, 'native')).toBe(
      'https://home.test/config/integrations/integration/sconce',
    );
  });

  it('is none while Home Assistant shows nothing of the panel', () => {
    expect(deviceLink('http://home.test:8123', null)).toBeNull();
  });
});
