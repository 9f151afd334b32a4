import { describe, expect, it } from 'vitest';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { judgeProvision, readMarks, withMarks } from '#machines/settings/provision.ts';

const home = 'http://192.168.1.20:8123';
const broker = 'mqtt://192.168.1.10';

const panel = (values: Configuration['values'] = {}, secrets: Configuration['secrets'] = {}): Configuration => ({
  ...defaultConfiguration,
  values: { ...defaultConfiguration.values, ...values },
  secrets,
});

/** `last` is what was given the last time. */
const judge = (
  current: Configuration,
  given: Readonly<Record<string, unknown>>,
  last: Readonly<Record<string, string>> = {},
) => judgeProvision(current, given, (key, value) => (last[key] === undefined ? null : last[key] === value));

describe('values that are given', () => {
  it.each<[string, Configuration, Record<string, string>, Record<string, string>, Record<string, string>, string[]]>([
    ['are taken where nothing is set', panel(), { friendly_name: 'Hall' }, {}, { friendly_name: 'Hall' }, []],
    [
      'are kept out by what was set by hand',
      panel({ friendly_name: 'Mine' }),
      { friendly_name: 'Hall' },
      {},
      {},
      ['friendly_name'],
    ],
    [
      'follow a new command line where nobody changed what the former one gave',
      panel({ friendly_name: 'Hall' }),
      { friendly_name: 'Kitchen' },
      { friendly_name: 'Hall' },
      { friendly_name: 'Kitchen' },
      [],
    ],
    [
      'are kept out by what was changed by hand after they were given',
      panel({ friendly_name: 'Mine' }),
      { friendly_name: 'Hall' },
      { friendly_name: 'Hall' },
      {},
      ['friendly_name'],
    ],
    [
      'are kept out also where they were cleared by hand',
      panel(),
      { friendly_name: 'Hall' },
      { friendly_name: 'Hall' },
      {},
      ['friendly_name'],
    ],
    [
      'that are in force already are nothing kept, and belong to the command line from now on',
      panel({ friendly_name: 'Hall' }),
      { friendly_name: 'Hall' },
      {},
      { friendly_name: 'Hall' },
      [],
    ],
    ['are taken as they are stored', panel(), { panel_id: 'Küche' }, {}, { panel_id: 'kuche' }, []],
    ['may be secrets', panel(), { mqtt_password: 'one' }, {}, { mqtt_password: 'one' }, []],
    [
      'may be secrets that are kept out',
      panel({}, { mqtt_password: 'mine' }),
      { mqtt_password: 'two' },
      { mqtt_password: 'one' },
      {},
      ['mqtt_password'],
    ],
    [
      'may be secrets that take the place of those given before',
      panel({}, { mqtt_password: 'one' }),
      { mqtt_password: 'two' },
      { mqtt_password: 'one' },
      { mqtt_password: 'two' },
      [],
    ],
    [
      'stay away where somebody signed out',
      panel({ ha_url: home }),
      { ha_token: 'token' },
      { ha_token: 'token' },
      {},
      ['ha_token'],
    ],
    [
      'send neither user nor password to a broker that somebody chose',
      panel({ mqtt_broker: 'mqtt://192.168.1.99' }),
      { mqtt_broker: broker, mqtt_user: 'wall', mqtt_password: 'one' },
      {},
      {},
      ['mqtt_broker', 'mqtt_password', 'mqtt_user'],
    ],
    [
      'are the user of the broker that the panel has, where they name no broker',
      panel({ mqtt_broker: 'mqtt://192.168.1.99' }),
      { mqtt_user: 'wall' },
      {},
      { mqtt_user: 'wall' },
      [],
    ],
    [
      'do not bring back a user whom somebody cleared',
      panel({ mqtt_broker: 'mqtt://192.168.1.99' }),
      { mqtt_user: 'wall' },
      { mqtt_user: 'wall' },
      {},
      ['mqtt_user'],
    ],
    [
      'bring the user of a new broker with them',
      panel({ mqtt_broker: broker, mqtt_user: 'mine' }),
      { mqtt_broker: 'mqtt://192.168.1.11', mqtt_user: 'wall' },
      { mqtt_broker: broker, mqtt_user: 'old' },
      { mqtt_broker: 'mqtt://192.168.1.11', mqtt_user: 'wall' },
      [],
    ],
    [
      'send no token to a Home Assistant that somebody chose',
      panel({ ha_url: 'http://other:8123' }),
      { ha_url: home, ha_token: 'token' },
      {},
      {},
      ['ha_url', 'ha_token'],
    ],
    [
      'bring the password of a new broker with them, since the one of the old one goes',
      panel({ mqtt_broker: broker }, { mqtt_password: 'mine' }),
      { mqtt_broker: 'mqtt://192.168.1.11', mqtt_password: 'two' },
      { mqtt_broker: broker, mqtt_password: 'one' },
      { mqtt_broker: 'mqtt://192.168.1.11', mqtt_password: 'two' },
      [],
    ],
  ])('%s', (_, current, given, last, patch, kept) => {
    expect(judge(current, given, last)).toMatchObject({ status: 'judged', patch, kept });
    const judged = judge(current, given, last);
    expect(judged.status === 'judged' ? Object.keys(judged.patch) : []).toEqual(Object.keys(patch));
  });

  it('are refused all together where one is not valid, by field and reason and never by value', () => {
    const refused = judge(panel(), { friendly_name: 'Hall', mqtt_broker: 'ftp://marker', ha_oauth: 'x', proximity: 1 });
    expect(refused).toEqual({
      status: 'refused',
      reasons: {
        mqtt_broker: expect.stringContaining('mqtt://'),
        ha_oauth: 'There is no such setting.',
        proximity: 'There is no such setting.',
      },
    });
    expect(JSON.stringify(refused)).not.toContain('marker');
  });
});

describe('the marks of what was given', () => {
  it('stand in the section of the settings beside what is there', () => {
    const memory = { key: 'k', marks: { friendly_name: 'm' } };
    const section = withMarks({ revision: 2, values: { friendly_name: 'Hall' } }, memory);
    expect(section).toMatchObject({ revision: 2, values: { friendly_name: 'Hall' } });
    expect(readMarks(section)).toEqual(memory);
  });

  it.each([null, 7, {}, { given: null }, { given: { key: 3 } }, { given: { key: '' } }])('are none in %j', (stored) => {
    expect(readMarks(stored)).toBeNull();
  });

  it('are only texts', () => {
    expect(readMarks({ given: { key: 'k', marks: { a: 'm', b: 3 } } })).toEqual({ key: 'k', marks: { a: 'm' } });
  });
});
