import { describe, expect, it } from 'vitest';

import type { SkippedKey } from '#machines/config-copies/events.ts';
import { type Crossing, whyNotTaken } from '#machines/config-copies/judge-key.ts';
import { exportedValues, planImport } from '#machines/config-copies/values.ts';
import type { SettingDescriptor } from '#machines/kit/setting.ts';
import { descriptors, EXPOSE_PREFIX, exposableSettings } from '#machines/settings.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { type Configuration, defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import { otherConfiguration } from '#test/fakes/other-values.ts';

const full = otherConfiguration();
const withSecrets = exportedValues(full, { secrets: true });

const crossings = {
  own: { mode: 'restore', isOrigin: true },
  replaced: { mode: 'restore', isOrigin: false, replaces: true },
  foreign: { mode: 'restore', isOrigin: false },
  fleet: { mode: 'fleet', isOrigin: false },
  'own fleet': { mode: 'fleet', isOrigin: true },
} as const satisfies Readonly<Record<string, Crossing>>;
type Where = keyof typeof crossings;

const localKeys = descriptors.filter(({ local }) => local).map(({ key }) => key);

type Kind = 'reading' | 'hidden' | 'local' | 'consent' | 'secret' | 'identity' | 'device' | 'portable';

/** What a setting is, from its description alone. */
function kindOf({ readOnly, hidden, local, consent, secret, scope }: SettingDescriptor): Kind {
  if (readOnly) return 'reading';
  if (hidden) return 'hidden';
  if (local) return 'local';
  if (consent !== null) return 'consent';
  if (secret) return 'secret';
  return scope === 'IDENTITY' ? 'identity' : scope === 'DEVICE' ? 'device' : 'portable';
}

const never = <R extends SkippedKey['reason']>(reason: R) =>
  ({ own: reason, replaced: reason, foreign: reason, fleet: reason, 'own fleet': reason }) as const;

/** What crosses where: null for what does, else the reason. */
const table: Readonly<Record<Kind, Readonly<Record<Where, SkippedKey['reason'] | null>>>> = {
  reading: never('reading'),
  hidden: never('hidden'),
  local: never('local'),
  consent: never('consent'),
  secret: { own: null, replaced: null, foreign: 'secret', fleet: 'secret', 'own fleet': 'secret' },
  identity: {
    own: null,
    replaced: null,
    foreign: 'identity-of-another-panel',
    fleet: 'not-portable',
    'own fleet': 'not-portable',
  },
  device: {
    own: null,
    replaced: null,
    foreign: 'device-of-another-panel',
    fleet: 'not-portable',
    'own fleet': 'not-portable',
  },
  portable: { own: null, replaced: null, foreign: null, fleet: null, 'own fleet': null },
};

/** Every key with a value, also those that no export has. */
const everything = {
  ...withSecrets,
  ...Object.fromEntries(descriptors.filter(({ key }) => !Object.hasOwn(withSecrets, key)).map(({ key }) => [key, '1'])),
};

describe('an export', () => {
  it('has every setting and flag as text, also those at their defaults', () => {
    const exported = exportedValues(defaultConfiguration, { secrets: false });
    const settings = descriptors.filter((row) => ['identity', 'device', 'portable'].includes(kindOf(row)));
    expect(settings.length).toBeGreaterThan(30);
    expect(Object.keys(exported).toSorted()).toEqual(
      [...settings.map(({ key }) => key), ...exposableSettings.map(({ key }) => EXPOSE_PREFIX + key)].toSorted(),
    );
    expect(exported).toMatchObject({ volume_limit_percent: '100', mqtt_broker: '', ha_expose_screen: 'true' });
  });

  it('has the credentials only if they are asked for, and never the sign-in', () => {
    expect(JSON.stringify(exportedValues(full, { secrets: false }))).not.toContain('marker-');
    expect(withSecrets).toMatchObject({ ha_token: 'marker-ha_token', mqtt_password: 'marker-mqtt_password' });
    expect(JSON.stringify(withSecrets)).not.toContain('marker-ha_oauth');
    expect(exportedValues(defaultConfiguration, { secrets: true })).not.toHaveProperty('ha_token');
  });
});

describe.each(Object.keys(crossings) as Where[])('from a panel that is %s', (where) => {
  const plan = planImport(defaultConfiguration, everything, crossings[where]);
  const skipped = new Map(plan.skipped.map((one) => [one.key, one]));

  it.each(descriptors.map((row) => [row.key, kindOf(row), row] as const))('%s (%s)', (key, kind) => {
    const reason = table[kind][where];
    expect(skipped.get(key)?.reason ?? null).toBe(reason);
    expect(Object.hasOwn(plan.patch, key)).toBe(reason === null);
    if (reason === null) expect(String(plan.patch[key])).toBe(everything[key]);
    else expect(skipped.get(key)?.message).toMatch(/^[A-Z].*\.$/);
  });

  it('shows the same entities', () => {
    for (const { key } of exposableSettings) expect(plan.patch).toHaveProperty(EXPOSE_PREFIX + key, full.expose[key]);
  });

  it('can be saved, and lists what it changes without any credential', () => {
    expect([plan.rejected, plan.errors, plan.warnings]).toEqual([null, [], []]);
    const merge = mergeSettings(defaultConfiguration, plan.patch);
    expect(merge.status === 'saved' && merge.applied.toSorted()).toEqual(plan.changes.map(({ key }) => key).toSorted());
    expect(JSON.stringify([plan.changes, plan.skipped])).not.toContain('marker-');
  });
});

it('gives a setting that needs a consent to no one', () => {
  const row = {
    readOnly: false,
    hidden: false,
    local: false,
    consent: 'CAMERA_ENABLE',
    secret: false,
    scope: 'PORTABLE',
  } as const;
  for (const crossing of Object.values(crossings)) expect(whyNotTaken(row, crossing)).toBe('consent');
});

it('returns a panel to all that it had', () => {
  const plan = planImport(defaultConfiguration, withSecrets, crossings.own);
  const after = applied(defaultConfiguration, plan.patch);
  // But for what only a person at that panel turns on, and what is of one installation alone.
  const own = Object.fromEntries(localKeys.map((key) => [key, full.values[key] ?? '']));
  const values = { ...after.values, ...own, ...Object.fromEntries(consentKeys.map((key) => [key, true])) };
  expect({ ...after, values, secrets: { ...after.secrets, ha_oauth: 'marker-ha_oauth' } }).toEqual(full);
});

it('keeps to each installation how the entities reach Home Assistant', () => {
  expect(localKeys).toEqual(['entity_surface']);
  expect(full.values['entity_surface']).toBe('native');
});

it.each([...consentKeys, ...localKeys])('has %s in no export, and takes it from none', (key) => {
  expect(Object.keys(withSecrets)).not.toContain(key);
  for (const crossing of Object.values(crossings)) {
    const foreign = { ...withSecrets, [key]: 'true' };
    expect(applied(defaultConfiguration, planImport(defaultConfiguration, foreign, crossing).patch).values[key]).toBe(
      defaultConfiguration.values[key],
    );
  }
});

it('changes nothing on a panel that has it all', () => {
  for (const crossing of Object.values(crossings)) {
    const plan = planImport(full, withSecrets, crossing);
    expect([plan.patch, plan.changes, plan.errors, plan.rejected]).toEqual([{}, [], [], null]);
  }
});

/** The configuration after a patch. */
function applied(before: Configuration, patch: Readonly<Record<string, unknown>>): Configuration {
  const merge = mergeSettings(before, patch);
  if (merge.status !== 'saved') return before;
  const put = <T>(record: Readonly<Record<string, T>>, changes: Readonly<Record<string, T | null>>, usual?: object) =>
    Object.fromEntries(
      Object.entries({ ...record, ...changes }).flatMap(([key, value]) =>
        value !== null ? [[key, value]] : usual === undefined ? [] : [[key, (usual as Record<string, T>)[key]]],
      ),
    ) as Readonly<Record<string, T>>;
  return {
    values: put(before.values, merge.changes.values, defaultConfiguration.values),
    secrets: put(before.secrets, merge.changes.secrets),
    expose: put(before.expose, merge.changes.expose, defaultConfiguration.expose),
  };
}

describe('a key', () => {
  const own = crossings.own;
  it.each<[string, Readonly<Record<string, unknown>>, Crossing, string, SkippedKey['reason'] | null]>([
    ['that is unknown', { lava_lamp: 'on' }, own, 'lava_lamp', 'unknown'],
    ['of an entity that cannot be shown', { ha_expose_panel_id: 'true' }, own, 'ha_expose_panel_id', 'unknown'],
    ['out of range', { volume_limit_percent: '700' }, own, 'volume_limit_percent', 'invalid'],
    ['that is null', { volume_limit_percent: null }, own, 'volume_limit_percent', 'invalid'],
    ['that is a list', { friendly_name: ['Hall'] }, own, 'friendly_name', 'invalid'],
    ['with a flag that is none', { ha_expose_screen: 'perhaps' }, own, 'ha_expose_screen', 'invalid'],
    ['of the language', { constructor: 'x' }, own, 'constructor', 'unknown'],
    ['with an empty credential', { mqtt_password: '' }, own, 'mqtt_password', null],
    ['with an empty address, from elsewhere', { mqtt_broker: '' }, crossings.foreign, 'mqtt_broker', 'not-portable'],
    ['with an empty address, for a fleet', { ha_url: ' ' }, crossings.fleet, 'ha_url', 'not-portable'],
  ])('%s', (_, values, crossing, key, reason) => {
    const plan = planImport(full, values, crossing);
    expect([plan.patch, plan.skipped.find((one) => one.key === key)?.reason ?? null]).toEqual([{}, reason]);
    expect(plan.errors).toHaveLength(reason === 'invalid' ? 1 : 0);
    expect(plan.warnings).toHaveLength(reason === 'unknown' ? 1 : 0);
  });

  it('with a very long name is listed by its beginning', () => {
    const { skipped } = planImport(full, { ['x'.repeat(100_000)]: '1' }, own);
    expect(skipped).toEqual([{ key: 'x'.repeat(64), reason: 'unknown', message: expect.any(String) }]);
  });

  it('returns to its default where the other panel has that', () => {
    expect(planImport(full, { volume_limit_percent: '100', ha_url: '' }, own).patch).toEqual({
      volume_limit_percent: 100,
      ha_url: '',
    });
  });
});

describe('values that contradict each other', () => {
  it('refuse all of it', () => {
    const plan = planImport(
      defaultConfiguration,
      { auto_brightness_minimum_percent: '60', auto_brightness_maximum_percent: '50', friendly_name: 'Hall' },
      crossings.own,
    );
    expect(Object.keys(plan.rejected ?? {})).toContain('auto_brightness_minimum_percent');
    expect(plan.changes).toEqual([]);
  });
});

describe('a credential', () => {
  const here: Configuration = {
    ...defaultConfiguration,
    values: { ...defaultConfiguration.values, ha_url: 'http://192.0.2.1:8123' },
    secrets: { ha_token: 'here', ha_oauth: 'signed-in' },
  };
  const plan = (values: Readonly<Record<string, string>>, crossing: Crossing = crossings.own, current = here) =>
    planImport(current, values, crossing);
  const reasonOf = (key: string, { skipped }: ReturnType<typeof plan>) =>
    skipped.find((one) => one.key === key)?.reason ?? null;

  it('comes with its address', () => {
    const values = { ha_url: 'http://192.0.2.2:8123', ha_token: 'there' };
    expect(plan(values).patch).toEqual(values);
    expect(plan(values).changes).toEqual([
      { key: 'ha_url', from: 'http://192.0.2.1:8123', to: 'http://192.0.2.2:8123' },
      { key: 'ha_token', from: null, to: null },
      { key: 'ha_oauth', from: null, to: null },
    ]);
    expect(plan(values).warnings).toEqual([expect.stringMatching(/^Sign-in to Home Assistant is removed/)]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['is missing', { ha_token: 'there' }],
    ['is not valid', { ha_url: 'ftp://192.0.2.2', ha_token: 'there' }],
  ])('is not taken where its address %s: it would go to the one in force', (_, values) => {
    expect([plan(values).patch, reasonOf('ha_token', plan(values))]).toEqual([{}, 'recipient-changed']);
    expect(plan(values).errors).not.toEqual([]);
  });

  it('is not taken without any address', () => {
    const values = { ha_url: '', ha_token: 'there' };
    const planned = plan(values, crossings.own, { ...here, secrets: {} });
    expect([planned.patch, reasonOf('ha_token', planned)]).toEqual([{ ha_url: '' }, 'invalid']);
  });

  it('for the same address is replaced, and stays if it is the same', () => {
    const ha_url = 'http://192.0.2.1:8123';
    expect(plan({ ha_url, ha_token: 'newer' }).patch).toEqual({ ha_token: 'newer' });
    expect(plan({ ha_url, ha_token: 'here' }).patch).toEqual({});
  });

  it('stays for another address if it comes with that', () => {
    const values = { ha_url: 'http://192.0.2.2:8123', ha_token: 'here' };
    expect(plan(values).patch).toEqual(values);
  });

  it('goes where another panel brings another address', () => {
    const planned = plan({ ha_url: 'http://192.0.2.2:8123', ha_token: 'there' }, crossings.foreign);
    expect([planned.patch, reasonOf('ha_token', planned)]).toEqual([{ ha_url: 'http://192.0.2.2:8123' }, 'secret']);
    expect(planned.warnings).toHaveLength(2);
  });
});
