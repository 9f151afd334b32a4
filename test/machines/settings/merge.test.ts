import { describe, expect, it } from 'vitest';
import { defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import type { Changes, Configuration } from '#machines/settings/merge.ts';

const configured: Configuration = {
  ...defaultConfiguration,
  values: {
    ...defaultConfiguration.values,
    mqtt_broker: 'mqtt://192.0.2.1',
    mqtt_user: 'panel',
    friendly_name: 'Hall',
  },
  secrets: { mqtt_password: 'marker' },
};

const changes = (part: Partial<Changes>): Changes => ({ values: {}, secrets: {}, expose: {}, ...part });

type Patch = Readonly<Record<string, unknown>>;

describe('a patch that is saved', () => {
  it.each<[string, Patch, Partial<Changes>, readonly string[]]>([
    ['trims text', { friendly_name: '  Kitchen ' }, { values: { friendly_name: 'Kitchen' } }, ['friendly_name']],
    ['takes a number as text', { friendly_name: 42 }, { values: { friendly_name: '42' } }, ['friendly_name']],
    ['slugs a panel id', { panel_id: 'Küche (Süd)' }, { values: { panel_id: 'kuche_sud' } }, ['panel_id']],
    ['cuts a long panel id', { panel_id: 'a'.repeat(100) }, { values: { panel_id: 'a'.repeat(63) } }, ['panel_id']],
    [
      'takes a whole number',
      { screen_minimum_percent: 50 },
      { values: { screen_minimum_percent: 50 } },
      ['screen_minimum_percent'],
    ],
    [
      'takes a whole number as text',
      { volume_limit_percent: ' 60 ' },
      { values: { volume_limit_percent: 60 } },
      ['volume_limit_percent'],
    ],
    ['takes an option in any case', { log_level: 'DEBUG' }, { values: { log_level: 'debug' } }, ['log_level']],
    ['takes the alias of an option', { log_level: 'Warning' }, { values: { log_level: 'warn' } }, ['log_level']],
    [
      'takes an option with spaces',
      { mqtt_address_family: 'force ipv4' },
      { values: { mqtt_address_family: 'Force IPv4' } },
      ['mqtt_address_family'],
    ],
    [
      'evens out a path',
      { home_dashboard: 'lovelace/../lovelace/hall/' },
      { values: { home_dashboard: '/lovelace/hall' } },
      ['home_dashboard'],
    ],
    [
      'keeps the query of a path',
      { home_dashboard: '/hall?kiosk' },
      { values: { home_dashboard: '/hall?kiosk' } },
      ['home_dashboard'],
    ],
    [
      'evens out host names',
      { http_allowed_hosts: 'A.Example., b.example a.example' },
      { values: { http_allowed_hosts: 'a.example, b.example' } },
      ['http_allowed_hosts'],
    ],
    [
      'takes another prefix',
      { mqtt_discovery_prefix: 'ha/discovery' },
      { values: { mqtt_discovery_prefix: 'ha/discovery' } },
      ['mqtt_discovery_prefix'],
    ],
    ['restores a default with null', { friendly_name: null }, { values: { friendly_name: null } }, ['friendly_name']],
    [
      'replaces a secret, untrimmed',
      { mqtt_password: ' new ' },
      { secrets: { mqtt_password: ' new ' } },
      ['mqtt_password'],
    ],
    ['clears a secret with null', { mqtt_password: null }, { secrets: { mqtt_password: null } }, ['mqtt_password']],
    ['shows an entity', { ha_expose_log_level: 'on' }, { expose: { log_level: true } }, ['ha_expose_log_level']],
    ['hides an entity', { ha_expose_screen: false }, { expose: { screen: false } }, ['ha_expose_screen']],
    [
      'applies only what differs',
      { friendly_name: 'Hall', mqtt_user: 'other' },
      { values: { mqtt_user: 'other' } },
      ['mqtt_user'],
    ],
  ])('%s', (_, patch, expected, applied) => {
    expect(mergeSettings(configured, patch)).toMatchObject({ status: 'saved', applied, changes: changes(expected) });
  });
});

describe('a changed broker', () => {
  it.each<[string, string, Patch, readonly string[]]>([
    [
      'another host clears the password',
      'mqtt://192.0.2.1',
      { mqtt_broker: 'mqtt://192.0.2.2' },
      ['mqtt_broker', 'mqtt_password'],
    ],
    [
      'another port clears it',
      'mqtt://192.0.2.1',
      { mqtt_broker: 'mqtt://192.0.2.1:1884' },
      ['mqtt_broker', 'mqtt_password'],
    ],
    [
      'another scheme clears it',
      'mqtt://192.0.2.1:8883',
      { mqtt_broker: 'mqtts://192.0.2.1:8883' },
      ['mqtt_broker', 'mqtt_password'],
    ],
    [
      'an empty password does not keep it',
      'mqtt://192.0.2.1',
      { mqtt_broker: 'mqtt://192.0.2.2', mqtt_password: '' },
      ['mqtt_broker', 'mqtt_password'],
    ],
    ['going back to finding it clears it', 'mqtt://192.0.2.1', { mqtt_broker: null }, ['mqtt_broker', 'mqtt_password']],
    ['leaving what was found clears it', '', { mqtt_broker: 'mqtt://192.0.2.2' }, ['mqtt_broker', 'mqtt_password']],
    [
      'null clears it once',
      'mqtt://192.0.2.1',
      { mqtt_password: null, mqtt_broker: 'mqtt://192.0.2.2' },
      ['mqtt_password', 'mqtt_broker'],
    ],
  ])('%s', (_, from, patch, applied) => {
    const current = { ...configured, values: { ...configured.values, mqtt_broker: from } };
    const merged = mergeSettings(current, patch);
    expect(merged).toMatchObject({ status: 'saved', applied, changes: { secrets: { mqtt_password: null } } });
    expect(merged).toMatchObject({ brought: [], orphaned: ['mqtt_password'] });
  });

  it.each<[string, Patch]>([
    ['another spelling of the scheme', { mqtt_broker: 'tcp://192.0.2.1' }],
    ['the default port written out', { mqtt_broker: 'mqtt://192.0.2.1:1883' }],
    ['a slash at the end', { mqtt_broker: 'MQTT://192.0.2.1/' }],
  ])('keeps the password for %s', (_, patch) => {
    expect(mergeSettings(configured, patch)).toMatchObject({
      status: 'saved',
      applied: ['mqtt_broker'],
      changes: { secrets: {} },
    });
  });

  it('takes the password of the same save, before or after the broker, even the old one', () => {
    for (const patch of [
      { mqtt_broker: 'mqtts://broker.example', mqtt_password: 'new' },
      { mqtt_password: 'new', mqtt_broker: 'mqtts://broker.example' },
    ]) {
      expect(mergeSettings(configured, patch)).toMatchObject({
        status: 'saved',
        changes: { secrets: { mqtt_password: 'new' } },
      });
    }
    const same = mergeSettings(configured, { mqtt_broker: 'mqtts://broker.example', mqtt_password: 'marker' });
    expect(same).toEqual({
      status: 'saved',
      applied: ['mqtt_broker'],
      changes: changes({ values: { mqtt_broker: 'mqtts://broker.example' } }),
      brought: ['mqtt_password'],
      orphaned: [],
    });
  });
});

describe('a patch that changes nothing', () => {
  it.each<[string, Patch]>([
    ['nothing', {}],
    ['an empty secret', { mqtt_password: '' }],
    ['the same values', { friendly_name: ' Hall ', log_level: 'INFO' }],
    ['null where the default is in force', { log_level: null, ha_expose_screen: null }],
    ['an emptied field whose default is in force', { mqtt_discovery_prefix: '', log_level: ' ' }],
    ['a bare root as path', { home_dashboard: '/' }],
    ['a flag as it is', { ha_expose_screen: 'yes' }],
  ])('%s', (_, patch) => expect(mergeSettings(configured, patch)).toEqual({ status: 'no-op', brought: [] }));

  it('says that the same secret was brought again', () =>
    expect(mergeSettings(configured, { mqtt_password: 'marker' })).toEqual({
      status: 'no-op',
      brought: ['mqtt_password'],
    }));
});

describe('a patch that is refused', () => {
  const broker = 'user:marker@';
  it.each<[string, unknown, RegExp]>([
    ['mqtt_brokr', 'x', /no setting named mqtt_brokr; did you mean mqtt_broker\?/],
    ['zzzzzzzzzz', 'x', /no setting named zzzzzzzzzz; .*schema/],
    ['__proto__', 'x', /no setting named __proto__/],
    ['constructor', 'x', /no setting named constructor/],
    ['screen', 10, /Screen is a reading and cannot be set/],
    ['ha_expose_mqtt_password', true, /cannot be shown in Home Assistant/],
    ['ha_expose_screan', true, /did you mean ha_expose_screen\?/],
    ['ha_expose_screen', 'perhaps', /must be true or false/],
    ['friendly_name', 'x'.repeat(129), /^Name must be text of at most 128 characters\.$/],
    ['friendly_name', 'one\ntwo', /one line/],
    ...['\u202E', '\u2066', '\u200E', '\u200F', '\u061C', '\uFEFFx', '\u2028'].flatMap(
      (mark): [string, string, RegExp][] =>
        ['friendly_name', 'manufacturer', 'model'].map((key) => [key, `Hall${mark}lenap`, /other invisible ones\.$/]),
    ),
    ['friendly_name', ['x'], /single value/],
    ['friendly_name', undefined, /single value/],
    ['panel_id', '---', /^Panel id must hold at least one letter/],
    ['panel_id', 'x'.repeat(256), /255 characters/],
    ['screen_minimum_percent', 0, /^Minimum brightness while on must be a whole number from 1 to 50 %\.$/],
    ['screen_minimum_percent', 51, /from 1 to 50/],
    ['screen_minimum_percent', 1.5, /whole number/],
    ['screen_minimum_percent', 'NaN', /whole number/],
    ['screen_minimum_percent', true, /whole number/],
    ['volume_limit_percent', '1e2', /from 1 to 100/],
    ['log_level', 'loud', /one of: error, warn, info, debug, trace/],
    ['mqtt_address_family', 'toString', /one of: Automatic/],
    ['mqtt_broker', 'http://192.0.2.1', /must begin with mqtt:\/\//],
    ['mqtt_broker', 'mqtt//192.0.2.1', /must begin with mqtt:\/\//],
    ['mqtt_broker', `mqtt://${broker}192.0.2.1`, /own fields/],
    ['mqtt_broker', 'mqtt://', /must name a host/],
    ['mqtt_broker', 'mqtt://a b', /must name a host/],
    ['mqtt_broker', 'mqtt://192.0.2.1:70000', /port from 1 to 65535/],
    ['mqtt_broker', 'mqtt://192.0.2.1/path', /must end after the host/],
    ['mqtt_broker', `mqtt://${'a'.repeat(2048)}`, /2048/],
    ['mqtt_user', 'x'.repeat(257), /256/],
    ['mqtt_password', 'x'.repeat(4097), /4096/],
    ['mqtt_discovery_prefix', 'ha/#', /without spaces/],
    ['http_allowed_hosts', 'http://a.example', /plain names/],
    ['http_allowed_hosts', '*.example', /plain names/],
    ['http_allowed_hosts', 'a'.repeat(254), /253/],
    ['http_allowed_hosts', Array.from({ length: 129 }, (_, n) => `h${n}`).join(' '), /at most 128 names/],
    ['http_allowed_hosts', 'a '.repeat(2100), /4096/],
    ['home_dashboard', 'https://evil.example/x', /path on Home Assistant/],
    ['home_dashboard', '//evil.example/x', /path on Home Assistant/],
    ['home_dashboard', '/x/..//evil.example', /path on Home Assistant/],
    ['home_dashboard', 'javascript:alert(1)', /path on Home Assistant/],
    ['home_dashboard', '/a b', /%20/],
    ['home_dashboard', '\\\\evil', /backslashes/],
    ['home_dashboard', `/${'ü'.repeat(1000)}`, /at most 255 characters, as long as a state of Home Assistant/],
    ['home_dashboard', `/lovelace/${'a'.repeat(246)}`, /at most 255 characters, as long as a state of Home Assistant/],
    [
      'home_dashboard',
      `/${'ü'.repeat(50)}`,
      /at most 255 characters once encoded, as long as a state of Home Assistant/,
    ],
  ])('%s: %j', (key, value, reason) => {
    const patch = Object.fromEntries([
      ['mqtt_user', 'somebody'],
      [key, value],
    ]);
    const merged = mergeSettings(configured, patch);
    expect(merged.status).toBe('refused');
    if (merged.status !== 'refused') return;
    expect(Object.keys(merged.reasons)).toEqual([key]);
    expect(Object.entries(merged.reasons)[0]?.[1]).toMatch(reason);
    expect(JSON.stringify(merged)).not.toContain('marker');
  });

  it('names every offending key', () => {
    const merged = mergeSettings(configured, { nonsense: 1, log_level: 'loud', friendly_name: 'fine' });
    expect(merged).toMatchObject({ status: 'refused' });
    if (merged.status === 'refused') expect(Object.keys(merged.reasons)).toEqual(['nonsense', 'log_level']);
  });
});

describe('a changed Home Assistant', () => {
  const signedIn = {
    ...configured,
    values: { ...configured.values, ha_url: 'http://192.0.2.5:8123' },
    secrets: { ha_token: 'a', ha_oauth: 'b' },
  };
  const cleared = (patch: Patch, own: { expect: Record<string, string> } | null = null): unknown => {
    const merged = mergeSettings(signedIn, patch, own);
    return merged.status === 'saved' ? merged.changes.secrets : merged;
  };

  it.each<[string, Patch, Record<string, string | null>]>([
    ['clears both credentials', { ha_url: 'http://192.0.2.6:8123' }, { ha_token: null, ha_oauth: null }],
    ['clears them at another port', { ha_url: 'http://192.0.2.5:8124' }, { ha_token: null, ha_oauth: null }],
    ['clears them over https', { ha_url: 'https://192.0.2.5:8123' }, { ha_token: null, ha_oauth: null }],
    ['clears them when the address is emptied', { ha_url: '' }, { ha_token: null, ha_oauth: null }],
    [
      'keeps a token of the same save',
      { ha_url: 'http://192.0.2.6:8123', ha_token: 'new' },
      { ha_token: 'new', ha_oauth: null },
    ],
    ['is not made by another path', { ha_url: 'http://192.0.2.5:8123/lovelace/0', log_level: 'debug' }, {}],
  ])('%s', (_, patch, secrets) => {
    expect(cleared(patch)).toEqual(secrets);
  });

  it('clears a token that an earlier version took before there was an address', () => {
    const waiting = { ...configured, secrets: { ha_token: 'a' } };
    expect(mergeSettings(waiting, { ha_url: 'http://192.0.2.5:8123' })).toMatchObject({
      status: 'saved',
      applied: ['ha_url', 'ha_token'],
      changes: { secrets: { ha_token: null } },
    });
  });

  it('refuses a token without an address, and one that the same save empties', () => {
    const reasons = { ha_token: expect.stringMatching(/^A token is for one Home Assistant only: enter its address/) };
    expect(mergeSettings(configured, { ha_token: 'a', log_level: 'debug' })).toEqual({ status: 'refused', reasons });
    expect(mergeSettings(signedIn, { ha_token: 'new', ha_url: '' })).toEqual({ status: 'refused', reasons });
    for (const patch of [{ ha_token: 'a', ha_url: 'http://192.0.2.5:8123' }, { ha_token: null }, { ha_token: '' }])
      expect(mergeSettings(configured, patch).status).not.toBe('refused');
  });

  it('takes the hidden sign-in from the agent alone', () => {
    expect(mergeSettings(signedIn, { ha_oauth: 'x' })).toEqual({
      status: 'refused',
      reasons: { ha_oauth: expect.stringMatching(/^There is no setting named ha_oauth/) },
    });
    expect(cleared({ ha_oauth: 'x', ha_token: null }, { expect: { ha_url: 'http://192.0.2.5:8123' } })).toEqual({
      ha_oauth: 'x',
      ha_token: null,
    });
    expect(cleared({ ha_oauth: 'x' }, { expect: { ha_url: 'http://192.0.2.6:8123' } })).toEqual({
      status: 'refused',
      reasons: { ha_url: 'Address of Home Assistant was changed meanwhile.' },
    });
  });
});
