import { describe, expect, it } from 'vitest';
import type { Recipient } from '#machines/kit/recipient.ts';
import { type Configuration, defaultConfiguration } from '#machines/settings/merge.ts';
import { judgeProvision, type RecordedFor, readMarks, withMarks } from '#machines/settings/provision.ts';

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
  recordedFor: RecordedFor = () => null,
) =>
  judgeProvision(current, given, (key, value) => (last[key] === undefined ? null : last[key] === value), recordedFor);

describe('values that are given', () => {
  it.each<[string, Configuration, Record<string, string>, Record<string, string>, Record<string, string>, string[]]>([
    ['are taken where nothing is set', panel(), { ha_url: home }, {}, { ha_url: home }, []],
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

describe('whom a given credential is for', () => {
  const named: Recipient = { scheme: 'mqtt', host: '192.168.1.10', port: 1883, name: null };
  const found: Recipient = { ...named, name: 'home.local' };
  const homeRecipient: Recipient = { scheme: 'http', host: '192.168.1.20', port: 8123, name: null };
  const last = { mqtt_password: 'one', ha_token: 't' };
  it.each<[string, Configuration, Record<string, string>, Recipient | null, [string, Recipient | null][], string[]]>([
    [
      'the broker beside it',
      panel(),
      { mqtt_broker: broker, mqtt_password: 'one' },
      null,
      [['mqtt_password', named]],
      [],
    ],
    [
      'the broker beside it, whoever it was for before',
      panel(),
      { mqtt_broker: broker, mqtt_password: 'one' },
      found,
      [['mqtt_password', named]],
      [],
    ],
    ['nobody yet', panel(), { mqtt_password: 'one' }, null, [['mqtt_password', null]], []],
    [
      'nobody yet, whatever broker is set',
      panel({ mqtt_broker: broker }),
      { mqtt_password: 'one' },
      null,
      [['mqtt_password', null]],
      [],
    ],
    ['whom it was for before', panel(), { mqtt_password: 'one' }, found, [['mqtt_password', found]], []],
    [
      'whom it was for before, whatever broker is set',
      panel({ mqtt_broker: 'mqtt://192.168.1.66' }),
      { mqtt_password: 'one' },
      named,
      [['mqtt_password', named]],
      [],
    ],
    [
      'whom it is for, where the panel has it',
      panel({}, { mqtt_password: 'one' }),
      { mqtt_password: 'one' },
      null,
      [],
      [],
    ],
    ['the Home Assistant beside it', panel(), { ha_url: home, ha_token: 't' }, null, [['ha_token', homeRecipient]], []],
    ['refused without an address', panel(), { ha_token: 't' }, null, [], ['ha_token']],
    ['refused whatever address is set', panel({ ha_url: home }), { ha_token: 't' }, null, [], ['ha_token']],
    [
      'whom the token was for before',
      panel({ ha_url: home }),
      { ha_token: 't' },
      homeRecipient,
      [['ha_token', homeRecipient]],
      [],
    ],
    [
      'refused at another address than before',
      panel({ ha_url: 'http://other:8123' }),
      { ha_token: 't' },
      homeRecipient,
      [],
      ['ha_token'],
    ],
    ['refused where the address is gone', panel(), { ha_token: 't' }, homeRecipient, [], ['ha_token']],
    [
      'whom the token is for, where the panel has it',
      panel({ ha_url: home }, { ha_token: 't' }),
      { ha_token: 't' },
      null,
      [],
      [],
    ],
  ])('is %s', (_, current, given, recorded, recipients, unaddressed) => {
    const judged = judge(current, given, last, () => recorded);
    if (judged.status !== 'judged') throw new Error('refused');
    // What was given before and cleared since is kept out of these cases by their settings alone.
    const kept = new Set(judged.kept);
    expect([...judged.recipients].filter(([key]) => !kept.has(key))).toEqual(
      recipients.filter(([key]) => !kept.has(key)),
    );
    expect(judged.unaddressed).toEqual(unaddressed.filter((key) => !kept.has(key)));
    for (const key of judged.unaddressed) expect([judged.patch, judged.wanted]).not.toHaveProperty(key);
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
