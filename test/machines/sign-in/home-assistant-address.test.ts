import { describe, expect, it } from 'vitest';

import { isSameHomeAssistant, homeAssistantOrigin } from '#machines/sign-in/home-assistant-address.ts';
import { signInSettings } from '#machines/sign-in/settings.ts';

describe('the address of Home Assistant', () => {
  it.each([
    ['http://192.168.1.20:8123', 'http://192.168.1.20:8123'],
    ['http://192.168.1.20:8123/', 'http://192.168.1.20:8123'],
    [' HTTP://HomeAssistant.local:8123/lovelace/hall ', 'http://homeassistant.local:8123'],
    ['homeassistant.local:8123', 'http://homeassistant.local:8123'],
    ['192.168.1.20', 'http://192.168.1.20'],
    ['https://home.example:443', 'https://home.example'],
    ['http://home.example:80', 'http://home.example'],
    ['http://[fd00::5]:8123', 'http://[fd00::5]:8123'],
    ['http://müller.example', 'http://xn--mller-kva.example'],
  ])('%j is %s', (text, origin) => {
    expect(homeAssistantOrigin(text)).toEqual({ ok: true, value: origin });
  });

  it.each([
    ['ftp://192.168.1.20', 'scheme'],
    ['javascript://192.168.1.20', 'scheme'],
    ['http://user:marker@192.168.1.20', 'userinfo'],
    ['http://192.168.1.20:8123/?external_auth=1', 'query'],
    ['http://192.168.1.20:8123#top', 'query'],
    ['http://', 'host'],
    ['http://192.168.1.20:70000', 'host'],
    ['http://a b', 'host'],
    ['http://a..b', 'host'],
    ['http://*', 'host'],
    ['http:\\\\192.168.1.20', 'host'],
    ['', 'host'],
  ])('%j is refused for its %s', (text, reason) => {
    const refused = homeAssistantOrigin(text);
    expect(refused).toMatchObject({ ok: false, reason });
    expect(JSON.stringify(refused)).not.toContain('marker');
  });

  it('is the same Home Assistant in another spelling, and no other', () => {
    expect(isSameHomeAssistant('http://ha.local:8123', 'HTTP://HA.local:8123/config')).toBe(true);
    expect(isSameHomeAssistant('http://ha.local', 'http://ha.local:80')).toBe(true);
    expect(isSameHomeAssistant('', '')).toBe(true);
    for (const other of ['https://ha.local:8123', 'http://ha.local', 'http://hb.local:8123', '', 'nonsense://'])
      expect(isSameHomeAssistant('http://ha.local:8123', other), other).toBe(false);
  });

  it('is stored as an origin', () => {
    expect(signInSettings.parse({ ha_url: 'ha.local:8123/lovelace' })).toEqual({
      ha_url: 'http://ha.local:8123',
      ha_token: '',
      ha_oauth: '',
    });
    expect(signInSettings.parse({})).toEqual({ ha_url: '', ha_token: '', ha_oauth: '' });
  });
});
