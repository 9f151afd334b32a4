import { ASSIGNMENTS, type Assignments, readAssignments, withAssignments } from '../kit/recipient.ts';
import { labelOf, descriptorOf, EXPOSE_PREFIX, exposableSettings, plainSettings, secretSettings } from '../settings.ts';
import { checkStored } from './check-value.ts';
import { readConsents, withConsents } from './consents.ts';
import { configurationDigest } from './digest.ts';
import type { SettingsContext } from './events.ts';
import { defaultConfiguration } from './merge.ts';
import type { Changes, Configuration } from './merge.ts';
import { contradicting, judgedWith } from './rules.ts';
import { migratedValues, schemaOf, SETTINGS_SCHEMA, type SettingsMigration, settingsMigrations } from './schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** The two stored sections of the settings. Only what the owner chose is stored, never a default. */
export interface StoredSettings {
  /** `{ schema, revision, values, expose }`; unknown fields are preserved. */
  readonly settings: Json;
  /** Credentials by key, and under `recipients` the recipient of each. */
  readonly secrets: Json;
}

/** The stored sections as read. */
export interface ReadSettings {
  readonly configuration: Configuration;
  /** Number of saved changes plus one, so at least 1. */
  readonly revision: number;
  /** Stored keys that this version refuses or does not know; they are at their defaults. */
  readonly dropped: readonly string[];
}

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** The section of settings in the present schema; one of a newer schema stays as it is. */
export function inSchema(stored: unknown, migrations: readonly SettingsMigration[] = settingsMigrations): Json {
  const settings = record(stored);
  const schema = schemaOf(settings);
  if (schema > migrations.length) return settings;
  const flags: Json = Object.fromEntries(
    Object.entries(record(settings['expose'])).map(([key, shown]) => [`${EXPOSE_PREFIX}${key}`, shown]),
  );
  const values = migratedValues({ ...record(settings['values']), ...flags }, schema, migrations);
  const isFlag = ([key]: readonly [string, unknown]): boolean => key.startsWith(EXPOSE_PREFIX);
  const all = Object.entries(values);
  return {
    ...settings,
    values: Object.fromEntries(all.filter((entry) => !isFlag(entry))),
    expose: Object.fromEntries(all.filter(isFlag).map(([key, shown]) => [key.slice(EXPOSE_PREFIX.length), shown])),
  };
}

const plain = new Set(plainSettings.map((row) => row.key));

const valuesOf = (values: Configuration['values'], keys: readonly string[]): Configuration['values'] =>
  Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));

/** The stored values that are valid by themselves, and the keys of all others. */
function readValues(stored: unknown): { readonly values: Configuration['values']; readonly dropped: string[] } {
  const values = { ...defaultConfiguration.values };
  const dropped: string[] = [];
  for (const [key, raw] of Object.entries(record(stored))) {
    const row = descriptorOf(key);
    const checked = row !== undefined && plain.has(key) ? checkStored(row, raw) : undefined;
    if (checked?.ok === true) values[key] = checked.value;
    else dropped.push(key);
  }
  return { values, dropped };
}

/**
 * Validates the stored sections by the current rules: whatever does not fit falls back to its default and is listed in
 * `dropped`; never fails. Values that contradict each other fall back together: which of them was meant is unknown, and
 * the defaults fit each other. What needs a consent is off, unless it was given on the machine `installId`.
 */
export function readStored(
  stored: { readonly settings: unknown; readonly secrets: unknown; readonly consents?: unknown },
  installId: string | null = null,
): ReadSettings {
  const settings = inSchema(stored.settings);
  const { values: read, dropped } = readValues(settings['values']);
  const valid = withConsents(read, readConsents(stored.consents), installId);
  const unfit = contradicting(valid);
  const values = { ...valid, ...valuesOf(defaultConfiguration.values, unfit) };
  dropped.push(...unfit.filter((key) => Object.hasOwn(record(settings['values']), key) && !dropped.includes(key)));
  const expose = { ...defaultConfiguration.expose };
  const secrets: Record<string, string> = {};
  const exposable = new Set(exposableSettings.map((row) => row.key));
  for (const [key, raw] of Object.entries(record(settings['expose']))) {
    if (exposable.has(key) && typeof raw === 'boolean') expose[key] = raw;
    else dropped.push(`${EXPOSE_PREFIX}${key}`);
  }
  const credentials = new Set(secretSettings.map((row) => row.key));
  for (const [key, raw] of Object.entries(record(stored.secrets))) {
    if (key === ASSIGNMENTS) continue;
    const row = descriptorOf(key);
    if (row !== undefined && credentials.has(key) && typeof raw === 'string' && raw !== '' && checkStored(row, raw).ok)
      secrets[key] = raw;
    else dropped.push(key);
  }
  const revision = settings['revision'];
  return {
    configuration: { values, secrets, expose },
    revision: typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0 ? revision : 1,
    dropped,
  };
}

function patched(target: unknown, changes: Json): Json {
  const next = new Map(Object.entries(record(target)));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return Object.fromEntries(next);
}

/**
 * Stored values that contradict one that is changed now. They were not in force, so that the owner did not choose them
 * together with the new one.
 */
function overtaken(stored: unknown, changed: readonly string[]): Readonly<Record<string, null>> {
  const unfit = contradicting(readValues(stored).values);
  const others = changed.filter((key) => unfit.includes(key)).flatMap((key) => judgedWith(key));
  return Object.fromEntries(others.map((key) => [key, null]));
}

/** The sections after a save; everything else stays as stored. Removing a credential also removes its assignment. */
export function withChanges(
  stored: { readonly settings: unknown; readonly secrets: unknown },
  changes: Changes,
  revision: number,
  assignments: Assignments = readAssignments(stored.secrets),
): StoredSettings {
  const settings = inSchema(stored.settings);
  const gone = overtaken(settings['values'], Object.keys(changes.values));
  return {
    settings: {
      ...settings,
      schema: Math.max(SETTINGS_SCHEMA, schemaOf(settings)),
      revision,
      values: patched(settings['values'], { ...gone, ...changes.values }),
      expose: patched(settings['expose'], changes.expose),
    },
    secrets: withAssignments(patched(stored.secrets, changes.secrets), assignments),
  };
}

const nothingBesides = { openFiles: [], recipientChange: null, unsavedOff: [] };

/** The public facts of a configuration: secrets become flags. */
export function publicFacts(
  read: ReadSettings,
  besides: Pick<SettingsContext, 'openFiles' | 'recipientChange' | 'unsavedOff'> = nothingBesides,
): SettingsContext {
  const { values, expose } = read.configuration;
  const secrets = Object.fromEntries(
    secretSettings.map((row) => [row.key, read.configuration.secrets[row.key] !== undefined]),
  );
  return {
    values,
    secrets,
    expose,
    digest: configurationDigest({ values, secrets, expose }),
    revision: read.revision,
    dropped: read.dropped,
    ...besides,
    unsavedOffLabels: besides.unsavedOff.map(labelOf),
  };
}

/** The facts before the store was read: the defaults, with revision 0. */
export const unread: SettingsContext = {
  ...publicFacts({ configuration: defaultConfiguration, revision: 1, dropped: [] }),
  revision: 0,
};
