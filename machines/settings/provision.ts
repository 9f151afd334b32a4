import { defaultConfiguration, type Configuration } from './merge.ts';
import { descriptorOf, plainSettings } from '../settings.ts';
import { checkValue } from './check-value.ts';
import type { SettingValue } from './events.ts';

/** What is done with values that a command line gives. */
export type Provision =
  | {
      readonly status: 'judged';
      /** What is taken, also where it is in force already. */
      readonly patch: Readonly<Record<string, SettingValue>>;
      /** Keys of what the panel has another value of, which somebody set there. */
      readonly kept: readonly string[];
      /** Every given value as it would be stored. */
      readonly wanted: Readonly<Record<string, SettingValue>>;
    }
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> };

/** Whether a value is the one that a command line gave last for that key; null where none ever gave one. */
export type WasGiven = (key: string, value: string) => boolean | null;

const inForce = ({ values, secrets }: Configuration, key: string): SettingValue | null =>
  values[key] ?? secrets[key] ?? null;

const isUnset = (current: Configuration, key: string): boolean =>
  inForce(current, key) === (defaultConfiguration.values[key] ?? null);

/**
 * Whether somebody set that key on the panel: it has a value that no command line gave, or not any more the one that
 * was given.
 */
const isOwners = (current: Configuration, key: string, wanted: SettingValue, wasGiven: WasGiven): boolean => {
  const now = inForce(current, key);
  if (now === wanted) return false;
  return !(wasGiven(key, String(now ?? '')) ?? isUnset(current, key));
};

/**
 * Judges values that a command line gives: each is taken where nothing was set before, or what the command line gave
 * last; what somebody set on the panel since is kept. A credential, and the user whose it is, go with the address that
 * they are given with: where another one is kept they go to nobody, and where that address is taken they are taken too.
 * Given without an address they are for the one that the panel has, or that its owner enters beside them later.
 */
export const judgeProvision = (
  current: Configuration,
  given: Readonly<Record<string, unknown>>,
  wasGiven: WasGiven,
): Provision => {
  const reasons: [string, string][] = [];
  const wanted = new Map<string, SettingValue>();
  for (const [key, raw] of Object.entries(given)) {
    const row = descriptorOf(key);
    const checked = row === undefined || row.readOnly || row.hidden ? null : checkValue(row, raw);
    if (checked === null) reasons.push([key, 'There is no such setting.']);
    else if (checked.ok) wanted.set(key, checked.value);
    else reasons.push([key, checked.message]);
  }
  if (reasons.length > 0) return { status: 'refused', reasons: Object.fromEntries(reasons) };
  const kept = new Set(
    [...wanted].filter(([key, value]) => isOwners(current, key, value, wasGiven)).map(([key]) => key),
  );
  for (const { key, recipientOf } of plainSettings) {
    const value = wanted.get(key);
    if (recipientOf === null || value === undefined) continue;
    if (recipientOf.isSame(String(current.values[key] ?? ''), String(value))) continue;
    const credentials = [...recipientOf.secrets, ...(recipientOf.names ?? [])];
    for (const credential of credentials.filter((name) => wanted.has(name)))
      if (kept.has(key)) kept.add(credential);
      else kept.delete(credential);
  }
  return {
    status: 'judged',
    patch: Object.fromEntries([...wanted].filter(([key]) => !kept.has(key))),
    kept: [...kept],
    wanted: Object.fromEntries(wanted),
  };
};

/** What is remembered of given values: by its mark each is recognised without being told. */
export interface GivenMarks {
  /** The key that the marks are made with, this panel's own. */
  readonly key: string;
  /** The mark of what was given last, by setting. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Name of these marks in the stored section of the settings. */
const MARKS = 'given';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** The marks in the stored section of the settings; null where nothing was ever given. */
export const readMarks = (settings: unknown): GivenMarks | null => {
  const { key, marks } = record(record(settings)[MARKS]);
  if (typeof key !== 'string' || key === '') return null;
  const texts = Object.entries(record(marks)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { key, marks: Object.fromEntries(texts) };
};

/** The section of the settings with these marks; whatever else is in it stays. */
export const withMarks = <T extends Readonly<Record<string, unknown>>>(settings: T, { key, marks }: GivenMarks): T => ({
  ...settings,
  [MARKS]: { key, marks },
});
