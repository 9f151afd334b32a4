import { describe, expect, it } from 'vitest';

import {
  consentKeys,
  consentsAfter,
  consentsSection,
  readConsents,
  withConsents,
  withoutLeftovers,
} from '#machines/settings/consents.ts';
import { mergeSettings } from '#machines/settings/merge.ts';
import { offIn } from '#machines/settings/off-in.ts';
import { readStored, publicFacts } from '#machines/settings/stored.ts';

const here = 'a'.repeat(32);
const there = 'b'.repeat(32);
const keys = ['one', 'two'];
const nothing = { secrets: {}, expose: {} };

it('there is a setting that needs a consent', () => {
  expect(consentKeys).toContain('camera_enabled');
});

describe.each(consentKeys)('what the settings show of %s when they are loaded', (key) => {
  const settings = { revision: 3, values: { [key]: true, friendly_name: 'Hall' } };

  it.each<[string, unknown, string | null, boolean]>([
    ['agreed to on this machine', { [key]: here }, here, true],
    ['agreed to on another one', { [key]: there }, here, false],
    ['agreed to, on a machine that does not know itself yet', { [key]: here }, null, false],
    ['without any consent', null, here, false],
    ['with the consent to something else', { other: here }, here, false],
    ['with an empty consent, before the machine knows itself', { [key]: '' }, null, false],
    ['with an empty consent and an empty id', { [key]: '' }, '', false],
    ['with a consent that is no text', { [key]: true }, here, false],
    ['with a consent that is null', { [key]: null }, here, false],
    ['with a list for a section', [here], here, false],
    ['with a list of pairs for a section', [[key, here]], here, false],
    ['with text for a section', here, here, false],
    ['with a number for a section', 7, here, false],
    ['with a name that every object has', JSON.parse(`{"__proto__":{"${key}":"${here}"}}`), here, false],
  ])('%s', (_, consents, installId, isOn) => {
    const read = readStored({ settings, secrets: {}, consents }, installId);
    expect(read.configuration.values).toMatchObject({ [key]: isOn, friendly_name: 'Hall' });
    // It is no stored value that was refused.
    expect([read.revision, read.dropped]).toEqual([3, []]);
    expect(publicFacts(read).digest === publicFacts(readStored({ settings: null, secrets: {} })).digest).toBe(false);
  });

  it('is another configuration, by its digest, where it is off', () => {
    const digest = (installId: string) =>
      publicFacts(readStored({ settings, secrets: {}, consents: { [key]: here } }, installId)).digest;
    expect(digest(here)).not.toBe(digest(there));
  });

  it('is off for whatever reads the settings without the consents', () => {
    expect(readStored({ settings, secrets: {} }).configuration.values[key]).toBe(false);
    expect(readStored({ settings, secrets: {}, consents: { [key]: here } }).configuration.values[key]).toBe(false);
  });

  it('is not on by the consent alone', () => {
    const read = readStored({ settings: null, secrets: {}, consents: { [key]: here } }, here);
    expect(read.configuration.values[key]).toBe(false);
  });

  it('is turned on by no save, import or restore of values', () => {
    const { configuration } = readStored({ settings, secrets: {}, consents: { [key]: there } }, here);
    for (const patch of [{ [key]: true }, { [key]: 'on' }, { friendly_name: 'Attic', [key]: 1 }])
      expect(mergeSettings(configuration, patch).status).toBe('refused');
  });
});

describe('the values in force', () => {
  const values = { one: true, two: true, three: true };

  it.each<[string, Readonly<Record<string, string>>, string | null, object]>([
    ['all that was agreed to here', { one: here, two: here }, here, values],
    ['without what was not', { one: here }, here, { one: true, two: false, three: true }],
    ['nothing of another machine', { one: there, two: there }, here, { one: false, two: false, three: true }],
    [
      'nothing before the machine knows itself',
      { one: here, two: here },
      null,
      { one: false, two: false, three: true },
    ],
  ])('%s', (_, consents, installId, expected) => {
    expect(withConsents(values, consents, installId, keys)).toEqual(expected);
  });

  it('are the same object where nothing is turned off', () => {
    const off = { one: false, two: false };
    expect(withConsents(off, {}, here, keys)).toBe(off);
  });
});

describe('the consents after a save', () => {
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, boolean | null>>, string | null, object]>([
    ['have that of this machine for what is turned on', {}, { one: true }, here, { one: here }],
    ['replace that of another machine', { one: there }, { one: true }, here, { one: here }],
    ['keep the others', { two: here }, { one: true }, here, { one: here, two: here }],
    ['lose what is turned off', { one: here, two: here }, { one: false }, here, { two: here }],
    ['lose what is back at its default', { one: here }, { one: null }, here, {}],
    ['lose those of another machine with any save', { one: there, two: here }, {}, here, { two: here }],
    ['keep all while the machine does not know itself', { one: there, two: here }, {}, null, { one: there, two: here }],
    ['give none while the machine does not know itself', {}, { one: true }, null, {}],
    ['lose what is turned off before the machine knows itself', { one: here }, { one: null }, null, {}],
  ])('%s', (_, before, values, installId, expected) => {
    expect(consentsAfter(before, { values }, installId, keys)).toEqual(expected);
  });

  it('are no section without any', () => {
    expect([consentsSection({}), consentsSection({ one: here })]).toEqual([null, { one: here }]);
  });

  it('are read back as they were stored', () => {
    expect(readConsents(consentsSection({ one: here }), keys)).toEqual({ one: here });
  });
});

describe('a value that is stored as on without a consent of this machine', () => {
  const stored = { values: { one: true, two: true, three: true } };
  const changes = { ...nothing, values: {} };

  it('goes with the next save, so that no later consent finds it', () => {
    expect(withoutLeftovers(changes, stored, { one: there, two: here }, here, keys).values).toEqual({ one: null });
  });

  it('stays while the machine does not know itself', () => {
    expect(withoutLeftovers(changes, stored, { one: there }, null, keys)).toBe(changes);
  });

  it('is what a save makes of it', () => {
    const on = { ...nothing, values: { one: true } };
    expect(withoutLeftovers(on, stored, { two: here }, here, keys)).toBe(on);
  });
});

describe('what a patch turns off', () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['false', { camera_enabled: false }, ['camera_enabled']],
    ['its default', { camera_enabled: null }, ['camera_enabled']],
    ['however it is spelled', { camera_enabled: 'OFF', friendly_name: 'Hall' }, ['camera_enabled']],
    ['nothing of what is turned on', { camera_enabled: true }, []],
    ['nothing of what is refused', { camera_enabled: 'perhaps' }, []],
    ['nothing of other settings', { friendly_name: '', ha_expose_camera_enabled: false }, []],
    ['nothing of an inherited name', JSON.parse('{"__proto__":{"camera_enabled":false}}'), []],
  ])('%s', (_, patch, expected) => expect(offIn(patch)).toEqual(expected));
});
