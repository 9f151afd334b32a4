import { describe, expect, it } from 'vitest';

import { homeAssistantOrigin, homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
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
    ['http:', 'scheme'],
    ['https:/ha.local', 'scheme'],
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
    ['192.168.1.', 'host'],
    ['http://192.168.1:8123', 'host'],
    ['http://192.168.1.20.', 'host'],
    ['http://192.168.1%2E', 'host'],
    ['http://１９２.168.1.20', 'host'],
    ['http://0x7f.1', 'host'],
    ['http://3232235777:8123', 'host'],
    ['http://192.168.1.300', 'host'],
  ])('%j is refused for its %s', (text, reason) => {
    const refused = homeAssistantOrigin(text);
    expect(refused).toMatchObject({ ok: false, reason });
    expect(JSON.stringify(refused)).not.toContain('marker');
  });

  it('is the same Home Assistant in another spelling, and no other', () => {
    const named = { scheme: 'http', host: 'ha.local', port: 8123, name: null };
    expect(homeAssistantRecipient('HTTP://HA.local:8123/config')).toEqual(named);
    expect(homeAssistantRecipient('http://ha.local')).toEqual({ ...named, port: 80 });
    expect(homeAssistantRecipient('http://ha.local:80')).toEqual({ ...named, port: 80 });
    expect(homeAssistantRecipient('https://ha.local')).toEqual({ ...named, scheme: 'https', port: 443 });
    expect(homeAssistantRecipient('http://[::1]:8123')).toEqual({ ...named, host: '[::1]' });
    for (const text of ['', 'nonsense://']) expect(homeAssistantRecipient(text)).toBeNull();
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
