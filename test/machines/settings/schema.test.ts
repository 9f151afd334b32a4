import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { descriptorOf, exposableSettings, plainSettings, secretSettings } from '#machines/settings.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import {
  migratedValues,
  schemaOf,
  SETTINGS_SCHEMA,
  type SettingsMigration,
  settingsMigrations,
} from '#machines/settings/schema.ts';
import { inSchema, readStored, withChanges } from '#machines/settings/stored.ts';

interface Stored {
  readonly settings: {
    readonly schema: number;
    readonly revision: number;
    readonly values: Readonly<Record<string, unknown>>;
    readonly expose: Readonly<Record<string, boolean>>;
  };
  readonly secrets: Readonly<Record<string, string>>;
}

const fixtureOf = (schema: number): string => fileURLToPath(new URL(`schemas/${schema}.json`, import.meta.url));
/**
 * What each schema could store: every key that a version with it had, each with a value that is not the default. A key
 * is added to the newest one and never removed.
 */
const schemas = Array.from({ length: SETTINGS_SCHEMA }, (_, index) => index + 1);
const storedIn = (schema: number): Stored => JSON.parse(readFileSync(fixtureOf(schema), 'utf8')) as Stored;
const unchanged = { values: {}, secrets: {}, expose: {} };

describe('the schemas of the settings', () => {
  it('have a fixture each, and a migration each but the present one', () => {
    expect(schemas.filter((schema) => !existsSync(fixtureOf(schema)))).toEqual([]);
    expect(settingsMigrations.map(({ from }) => from)).toEqual(schemas.slice(0, -1));
  });

  it.each(schemas)('have a reader of each key that schema %i stored', (schema) => {
    const stored = storedIn(schema);
    expect(schemaOf(stored.settings)).toBe(schema);
    const { configuration, dropped } = readStored(stored);
    expect(dropped).toEqual([]);
    const before = Object.keys(stored.settings.values);
    // A key may have another name by now, or several may be one: none is without a reader.
    for (const key of before)
      expect(Object.keys(migratedValues({ [key]: stored.settings.values[key] }, schema)), key).not.toEqual([]);
    for (const key of Object.keys(migratedValues(stored.settings.values, schema)))
      expect(descriptorOf(key), key).toBeDefined();
    expect(configuration.secrets).toEqual(stored.secrets);
  });

  it('have all settings, flags and credentials of today in the present one', () => {
    const { settings, secrets } = storedIn(SETTINGS_SCHEMA);
    expect(plainSettings.map(({ key }) => key).filter((key) => !(key in settings.values))).toEqual([]);
    expect(exposableSettings.map(({ key }) => key).filter((key) => !(key in settings.expose))).toEqual([]);
    expect(secretSettings.map(({ key }) => key).filter((key) => !(key in secrets))).toEqual([]);
    const consents = Object.fromEntries(consentKeys.map((key) => [key, 'this machine']));
    const { values, expose } = readStored({ settings, secrets, consents }, 'this machine').configuration;
    expect(values).toEqual(settings.values);
    expect(expose).toEqual(settings.expose);
  });

  it('are one for settings without a number, which all earlier versions stored', () => {
    expect([{}, { schema: 0 }, { schema: '2' }, { schema: 1.5 }].map(schemaOf)).toEqual([1, 1, 1, 1]);
    const { schema: _, ...unnumbered } = storedIn(1).settings;
    expect(readStored({ settings: unnumbered, secrets: {} })).toMatchObject({
      configuration: { values: readStored({ settings: storedIn(1).settings, secrets: {} }).configuration.values },
      dropped: [],
    });
  });
});

describe('the number of the schema', () => {
  it('is stored with each save, also over settings that had none', () => {
    const before = { settings: { revision: 2, values: { friendly_name: 'Hall' }, later: 1 }, secrets: {} };
    expect(withChanges(before, { ...unchanged, values: { model: 'One' } }, 3).settings).toEqual({
      schema: SETTINGS_SCHEMA,
      revision: 3,
      values: { friendly_name: 'Hall', model: 'One' },
      expose: {},
      later: 1,
    });
  });

  it('is never lowered', () => {
    const settings = { schema: SETTINGS_SCHEMA + 1, values: {}, expose: {} };
    expect(withChanges({ settings, secrets: {} }, unchanged, 1).settings['schema']).toBe(SETTINGS_SCHEMA + 1);
  });
});

describe('values of an earlier schema', () => {
  const renamed: SettingsMigration = {
    from: 1,
    migrate: ({ dashboard, ...others }) => ({ ...others, ...(dashboard !== undefined && { home: dashboard }) }),
  };
  const inSeconds: SettingsMigration = {
    from: 2,
    migrate: ({ idle_min: minutes, ...others }) => ({
      ...others,
      ...(typeof minutes === 'number' && { idle_s: minutes * 60 }),
    }),
  };
  const migrations = [renamed, inSeconds];

  it('pass the migrations from theirs on, in order', () => {
    const values = { dashboard: '/hall', idle_min: 2, ha_expose_volume: true };
    expect(migratedValues(values, 1, migrations)).toEqual({ home: '/hall', idle_s: 120, ha_expose_volume: true });
    expect(migratedValues(values, 2, migrations)).toEqual({
      dashboard: '/hall',
      idle_s: 120,
      ha_expose_volume: true,
    });
    expect(migratedValues(values, 3, migrations)).toEqual(values);
    expect(values).toEqual({ dashboard: '/hall', idle_min: 2, ha_expose_volume: true });
  });

  it('are split again into values and flags, and all else of the section stays', () => {
    const shown: SettingsMigration = {
      from: 1,
      migrate: ({ ha_expose_loudness: flag, ...others }) => ({ ...others, ha_expose_volume: flag }),
    };
    const section = { revision: 4, values: { dashboard: '/hall' }, expose: { loudness: true }, given: { key: 'k' } };
    expect(inSchema(section, [shown])).toEqual({ ...section, expose: { volume: true } });
    expect(inSchema({ ...section, schema: 2 }, [shown])).toEqual({ ...section, schema: 2 });
    expect(inSchema('torn', [shown])).toEqual({ values: {}, expose: { volume: undefined } });
  });

  it('are not read where the schema is a newer one', () => {
    expect(migratedValues({ home: '/hall' }, 4, migrations)).toEqual({});
    expect(migratedValues({ friendly_name: 'Hall' }, SETTINGS_SCHEMA + 1)).toEqual({});
  });
});
