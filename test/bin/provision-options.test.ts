import { describe, expect, it } from 'vitest';
import { parseCommand } from '#bin/arguments.ts';

const read = (verb: 'run' | 'install', args: readonly string[]) => parseCommand([verb, ...args]);
const verbs = ['run', 'install'] as const;

describe.each(verbs)('what %s gives a panel', (verb) => {
  it.each<[readonly string[], object]>([
    [[], { settings: {}, mqttPassFile: null, haTokenFile: null, haLogin: null }],
    [['--name', ' Hall panel '], { settings: { friendly_name: 'Hall panel' } }],
    [['--panel-id', 'Hall-1'], { settings: { panel_id: 'hall_1' } }],
    [['--mqtt-broker', '192.168.1.10'], { settings: { mqtt_broker: 'mqtt://192.168.1.10' } }],
    [['--mqtt-user', 'wall', '--mqtt-pass-file', '/a'], { settings: { mqtt_user: 'wall' }, mqttPassFile: '/a' }],
    [['--ha-url', '192.168.1.20:8123/lovelace'], { settings: { ha_url: 'http://192.168.1.20:8123' }, haLogin: null }],
    [['--ha-url', 'homeassistant'], { settings: { ha_url: 'http://homeassistant:8123' } }],
    [['--ha-url', ' HomeAssistant.local/ '], { settings: { ha_url: 'http://homeassistant.local:8123' } }],
    [['--ha-url', '[fd00::1]'], { settings: { ha_url: 'http://[fd00::1]:8123' } }],
    [['--ha-url', 'http://homeassistant'], { settings: { ha_url: 'http://homeassistant' } }],
    [['--ha-url', 'homeassistant:80'], { settings: { ha_url: 'http://homeassistant' } }],
    [['--ha-token-file', '/t'], { haTokenFile: '/t', haLogin: null }],
    [
      ['--ha-url', 'http://HA.local:8123/', '--ha-user', 'wall', '--ha-pass-file', '/p'],
      {
        settings: { ha_url: 'http://ha.local:8123' },
        haLogin: { url: 'http://ha.local:8123', user: 'wall', passFile: '/p' },
      },
    ],
    [['--home-dashboard', 'lovelace/hall/'], { settings: { home_dashboard: '/lovelace/hall' } }],
    [['--home-dashboard', '/'], { settings: { home_dashboard: '' } }],
    [['--profile', 'linux'], { profile: 'linux' }],
  ])('%j', (args, options) => {
    expect(read(verb, args)).toMatchObject({ ok: true, value: { verb, options } });
  });

  it.each<[readonly string[], RegExp]>([
    [['--name', ''], /--name must not be empty/],
    [['--name', '  '], /--name must not be empty/],
    [['--name', 'x'.repeat(129)], /--name is refused: Name must be text of at most 128 characters/],
    [['--name', 'two\nlines'], /--name is refused: Name must be on one line/],
    [['--panel-id', '!!!'], /--panel-id is refused: Panel id must hold at least one letter/],
    [['--panel-id', 'Küche'], /--panel-id is refused: .* Did you mean --panel-id kuche\?$/],
    [['--panel-id', '日本'], /--panel-id is refused: Panel id must hold at least one letter/],
    [['--panel-id', 'x'.repeat(256)], /--panel-id is refused/],
    [['--mqtt-broker', 'http://h'], /--mqtt-broker is refused: Address of the broker must begin with mqtt:\/\//],
    [['--mqtt-broker', 'mqtt://wall:marker@h'], /--mqtt-broker is refused: .*user name or password/],
    [['--mqtt-broker', 'mqtt://h:99999'], /--mqtt-broker is refused: .*port/],
    [['--mqtt-user', 'x'.repeat(257)], /--mqtt-user is refused/],
    [['--mqtt-pass-file', ''], /--mqtt-pass-file must name a file/],
    [['--ha-url', 'ftp://h'], /--ha-url is refused: Address of Home Assistant must begin with http/],
    [['--ha-url', 'http://wall:marker@h'], /--ha-url is refused/],
    [['--ha-url', 'x'.repeat(2049)], /--ha-url is refused: .*2048/],
    [['--ha-user', 'wall'], /--ha-user needs --ha-pass-file/],
    [['--ha-pass-file', '/p'], /--ha-pass-file needs --ha-user/],
    [['--ha-url', 'h', '--ha-pass-file', '/p'], /--ha-pass-file needs --ha-user/],
    [['--ha-user', 'wall', '--ha-pass-file', '/p'], /--ha-pass-file needs --ha-url/],
    [['--ha-url', 'h', '--ha-user', '', '--ha-pass-file', '/p'], /--ha-user must be a name/],
    [['--ha-url', 'h', '--ha-user', 'wall', '--ha-pass-file', ''], /--ha-pass-file must name a file/],
    [
      ['--ha-url', 'h', '--ha-user', 'wall', '--ha-pass-file', '/p', '--ha-token-file', '/t'],
      /--ha-token-file and --ha-pass-file are two ways to sign in .* Leave one of them out/,
    ],
    [['--home-dashboard', 'http://h/x'], /--home-dashboard is refused: Home dashboard must be a path/],
    [['--home-dashboard', '/a b'], /--home-dashboard is refused/],
    [['--profile', 'toaster'], /--profile must be one of: auto, linux/],
    [['--name'], /--name/],
    [['--mqtt-password', 'marker'], /--mqtt-password/],
  ])('%j is refused with field, reason and fix', (args, why) => {
    const refused = read(verb, args);
    expect(refused).toMatchObject({ ok: false, reason: 'usage' });
    const message = refused.ok ? '' : refused.message;
    expect(message).toMatch(why);
    expect(message).not.toContain('marker');
  });
});

describe('the options that set a panel up', () => {
  it('are known to an installation by name alone', () => {
    const parsed = read('install', ['--name', 'Hall', '--mqtt-pass-file', '/p', '--yes', '--profile', 'linux']);
    expect(parsed).toMatchObject({ value: { options: { given: ['--name', '--mqtt-pass-file'] } } });
    expect(read('install', ['--yes'])).toMatchObject({ value: { options: { given: [] } } });
  });
});
