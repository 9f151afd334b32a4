import { describe, expect, it } from 'vitest';
import { rows as homeRows } from '#machines/dashboard/entities.ts';
import { configurationDigest, fnv1a } from '#machines/settings/digest.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { secretKeys } from '#machines/settings/redact.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { publicFacts, readStored, withChanges } from '#machines/settings/stored.ts';

describe('the digest', () => {
  it.each([
    ['', '811c9dc5'],
    ['a', 'e40c292c'],
    ['foobar', 'bf9cf968'],
  ])('is 32-bit FNV-1a (test vectors of the draft): %j', (text, digest) => expect(fnv1a(text)).toBe(digest));

  it('depends on content, not on key order', () => {
    const facts = { values: { a: 1, b: 'x' }, secrets: { s: false }, expose: {} };
    expect(configurationDigest({ ...facts, values: { b: 'x', a: 1 } })).toBe(configurationDigest(facts));
    expect(configurationDigest({ ...facts, secrets: { s: true } })).not.toBe(configurationDigest(facts));
  });
});

describe('redaction', () => {
  it('knows every credential', () => {
    expect([...secretKeys]).toEqual(['ha_token', 'ha_oauth', 'mqtt_password']);
  });
});

describe('stored settings', () => {
  it('are the defaults where nothing was stored or nothing fits', () => {
    for (const stored of [null, 7, 'x', [], {}, { values: 3, expose: null, revision: 'x' }]) {
      expect(readStored({ settings: stored, secrets: Array.isArray(stored) ? stored : null })).toEqual({
        configuration: defaultConfiguration,
        revision: 1,
        dropped: [],
      });
    }
  });

  it('fall back key by key, and say which', () => {
    const read = readStored({
      settings: {
        revision: 7,
        values: { friendly_name: 'Hall', log_level: 'loud', gone: 1, mqtt_password: 'x', screen: 3 },
        expose: { screen: false, volume: 'x', gone: true },
      },
      secrets: { mqtt_password: 'marker', other: 'x' },
    });
    expect(read.configuration.values).toEqual({ ...defaultConfiguration.values, friendly_name: 'Hall' });
    expect(read.configuration.expose).toEqual({ ...defaultConfiguration.expose, screen: false });
    expect(read.configuration.secrets).toEqual({ mqtt_password: 'marker' });
    expect(read.revision).toBe(7);
    expect(read.dropped).toEqual([
      'log_level',
      'gone',
      'mqtt_password',
      'screen',
      'ha_expose_volume',
      'ha_expose_gone',
      'other',
    ]);
    expect(JSON.stringify(publicFacts(read))).not.toContain('marker');
    expect(publicFacts(read).secrets).toEqual({ ha_token: false, ha_oauth: false, mqtt_password: true });
  });

  it('keep a home dashboard that is longer than what is taken now', () => {
    const home = `/lovelace/${'a'.repeat(300)}`;
    const read = readStored({ settings: { values: { home_dashboard: home } }, secrets: {} });
    expect([read.configuration.values['home_dashboard'], read.dropped]).toEqual([home, []]);
    const [row] = homeRows;
    expect(row?.available?.({ value: 'ready', context: publicFacts(read) })).toBe(false);
  });

  it('change only by what the patch names', () => {
    const before = {
      settings: { revision: 2, later: true, values: { gone: 1, model: 'M', mqtt_user: 'u' } },
      secrets: { mqtt_password: 'marker' },
    };
    const after = withChanges(
      before,
      { values: { model: null, friendly_name: 'Hall' }, secrets: { mqtt_password: null }, expose: { screen: false } },
      3,
    );
    expect(after).toEqual({
      settings: {
        schema: SETTINGS_SCHEMA,
        revision: 3,
        later: true,
        values: { gone: 1, mqtt_user: 'u', friendly_name: 'Hall' },
        expose: { screen: false },
      },
      secrets: {},
    });
    expect(before.settings.values).toHaveProperty('model');
  });
});
