import { plainSettings } from '../settings.ts';
import type { SettingValue } from './events.ts';
import type { Changes } from './merge.ts';

type Json = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, SettingValue>>;

/** Section `consents` of the stored document: by setting, the install id of the machine on which a person agreed. */
export type Consents = Readonly<Record<string, string>>;

/** Keys of the settings that only a person at the panel turns on. */
export const consentKeys: readonly string[] = plainSettings.flatMap(({ key, consent }) =>
  consent === null ? [] : [key],
);

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** Reads the section; what names no setting with a consent, or no install id, is left out. */
export const readConsents = (stored: unknown, keys: readonly string[] = consentKeys): Consents =>
  Object.fromEntries(
    Object.entries(record(stored)).filter(
      (entry): entry is [string, string] => keys.includes(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '',
    ),
  );

/** The section as stored; null, which removes it, without any consent. */
export const consentsSection = (consents: Consents): Consents | null =>
  Object.keys(consents).length === 0 ? null : consents;

/** True if a person agreed to it on this machine; `installId` is null while the machine does not know itself. */
const isGiven = (consents: Consents, key: string, installId: string | null): boolean =>
  installId !== null && consents[key] === installId;

/** The values with these settings off. */
export const turnedOff = (values: Values, keys: readonly string[]): Values =>
  keys.some((key) => values[key] === true)
    ? { ...values, ...Object.fromEntries(keys.map((key) => [key, false] as const)) }
    : values;

/** The values that are in force: each setting that needs a consent is off unless it was given on this machine. */
export const withConsents = (
  values: Values,
  consents: Consents,
  installId: string | null,
  keys: readonly string[] = consentKeys,
): Values =>
  turnedOff(
    values,
    keys.filter((key) => !isGiven(consents, key, installId)),
  );

/**
 * The consents after a save: what is turned on has that of this machine, what is turned off none. Those of another
 * machine go with any save, once this one knows itself.
 */
export const consentsAfter = (
  consents: Consents,
  { values }: Pick<Changes, 'values'>,
  installId: string | null,
  keys: readonly string[] = consentKeys,
): Consents =>
  Object.fromEntries(
    keys.flatMap((key): readonly (readonly [string, string])[] => {
      const to = values[key];
      if (to === true) return installId === null ? [] : [[key, installId]];
      const given = consents[key];
      if (to !== undefined || given === undefined) return [];
      return installId === null || given === installId ? [[key, given]] : [];
    }),
  );

/**
 * The changes of a save with what is stored as on, but has no consent of this machine, back at its default: a later
 * consent to something else finds no such leftover.
 */
export function withoutLeftovers(
  changes: Changes,
  stored: unknown,
  consents: Consents,
  installId: string | null,
  keys: readonly string[] = consentKeys,
): Changes {
  if (installId === null) return changes;
  const values = record(record(stored)['values']);
  const leftovers = keys.filter(
    (key) => Object.hasOwn(values, key) && !Object.hasOwn(changes.values, key) && !isGiven(consents, key, installId),
  );
  if (leftovers.length === 0) return changes;
  return { ...changes, values: { ...changes.values, ...Object.fromEntries(leftovers.map((key) => [key, null])) } };
}
