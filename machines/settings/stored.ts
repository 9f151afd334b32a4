import { ASSIGNMENTS, type Assignments, readAssignments, withAssignments } from '../kit/recipient.ts';
import { descriptorOf, exposableSettings, plainSettings, secretSettings } from '../settings.ts';
import { checkStored } from './check-value.ts';
import { configurationDigest } from './digest.ts';
import type { SettingsContext } from './events.ts';
import { defaultConfiguration } from './merge.ts';
import type { Changes, Configuration } from './merge.ts';

type Json = Readonly<Record<string, unknown>>;

/** The two stored sections of the settings. Only what the owner chose is stored, never a default. */
export interface StoredSettings {
  /** `{ revision, values, expose }`; unknown fields are preserved. */
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

/**
 * Validates the stored sections by the current rules: whatever does not fit falls back to its default and is listed in
 * `dropped`; never fails.
 */
export function readStored(stored: { readonly settings: unknown; readonly secrets: unknown }): ReadSettings {
  const settings = record(stored.settings);
  const dropped: string[] = [];
  const values = { ...defaultConfiguration.values };
  const expose = { ...defaultConfiguration.expose };
  const secrets: Record<string, string> = {};
  const plain = new Set(plainSettings.map((row) => row.key));

  for (const [key, raw] of Object.entries(record(settings['values']))) {
    const row = descriptorOf(key);
    const checked = row !== undefined && plain.has(key) ? checkStored(row, raw) : undefined;
    if (checked?.ok === true) values[key] = checked.value;
    else dropped.push(key);
  }
  const exposable = new Set(exposableSettings.map((row) => row.key));
  for (const [key, raw] of Object.entries(record(settings['expose']))) {
    if (exposable.has(key) && typeof raw === 'boolean') expose[key] = raw;
    else dropped.push(`ha_expose_${key}`);
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

/** The sections after a save; everything else stays as stored. Removing a credential also removes its assignment. */
export function withChanges(
  stored: { readonly settings: unknown; readonly secrets: unknown },
  changes: Changes,
  revision: number,
  assignments: Assignments = readAssignments(stored.secrets),
): StoredSettings {
  const settings = record(stored.settings);
  return {
    settings: {
      ...settings,
      revision,
      values: patched(settings['values'], changes.values),
      expose: patched(settings['expose'], changes.expose),
    },
    secrets: withAssignments(patched(stored.secrets, changes.secrets), assignments),
  };
}

const nothingBesides = { openFiles: [], recipientChange: null };

/** The public facts of a configuration: secrets become flags. */
export function publicFacts(
  read: ReadSettings,
  { openFiles, recipientChange }: Pick<SettingsContext, 'openFiles' | 'recipientChange'> = nothingBesides,
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
    openFiles,
    recipientChange,
  };
}

/** The facts before the store was read: the defaults, with revision 0. */
export const unread: SettingsContext = {
  ...publicFacts({ configuration: defaultConfiguration, revision: 1, dropped: [] }),
  revision: 0,
};
