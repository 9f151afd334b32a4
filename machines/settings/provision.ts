import { defaultConfiguration, type Configuration } from './merge.ts';
import { isSameRecipient, type Recipient } from '../kit/recipient.ts';
import type { SettingDescriptor } from '../kit/setting.ts';
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
      /** Every given value as it would be stored, but for those that are refused. */
      readonly wanted: Readonly<Record<string, SettingValue>>;
      /** Whom the credentials of the patch are for; null for nobody until a person confirms one. */
      readonly recipients: ReadonlyMap<string, Recipient | null>;
      /** Credentials that are refused, because no address is given beside them. */
      readonly unaddressed: readonly string[];
    }
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> };

/** True if a value is the one that a command line gave last for that key; null where none ever gave one. */
export type WasGiven = (key: string, value: string) => boolean | null;

/** Whom the content of a file was for before, by the setting of the credential; null where that is not known. */
export type RecordedFor = (key: string, value: string) => Recipient | null;

const inForce = ({ values, secrets }: Configuration, key: string): SettingValue | null =>
  values[key] ?? secrets[key] ?? null;

const isUnset = (current: Configuration, key: string): boolean =>
  inForce(current, key) === (defaultConfiguration.values[key] ?? null);

/**
 * True if somebody set that key on the panel: it has a value that no command line gave, or not any more the one that
 * was given.
 */
function isOwners(current: Configuration, key: string, wanted: SettingValue, wasGiven: WasGiven): boolean {
  const now = inForce(current, key);
  if (now === wanted) return false;
  return !(wasGiven(key, String(now ?? '')) ?? isUnset(current, key));
}

/**
 * Whom a given credential is for. The address beside it says so. Without one it is for whom its content was for before,
 * whatever address the panel has by now; else for nobody until a person confirms one, or it is refused where nobody
 * could be found and confirmed. Undefined where the panel has that very credential: a file that is read again frees
 * nothing.
 */
function givenRecipient(
  current: Configuration,
  { key: setting, recipientOf }: SettingDescriptor,
  [secret, value]: readonly [string, string],
  beside: string | null,
  recordedFor: RecordedFor,
): Recipient | null | undefined | 'refused' {
  if (recipientOf === null) return null;
  const named = beside === null ? null : recipientOf.recipient(beside);
  if (named !== null) return named;
  if (current.secrets[secret] === value) return undefined;
  const recorded = recordedFor(secret, value);
  if (recipientOf.unnamed === null) return recorded;
  const here = recipientOf.recipient(String(current.values[setting] ?? ''));
  return isSameRecipient(recorded, here) ? recorded : 'refused';
}

/**
 * Judges values that a command line gives: each is taken where nothing was set before, or what the command line gave
 * last; what somebody set on the panel since is kept. A credential, and the user whose it is, go with the address that
 * they are given with: where another one is kept they go to nobody, and where that address is taken they are taken too.
 */
export function judgeProvision(
  current: Configuration,
  given: Readonly<Record<string, unknown>>,
  wasGiven: WasGiven,
  recordedFor: RecordedFor,
): Provision {
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
  const recipients = new Map<string, Recipient | null>();
  const unaddressed: string[] = [];
  const leftAlone = new Set<string>();
  for (const row of plainSettings) {
    const { key, recipientOf } = row;
    if (recipientOf === null) continue;
    const value = wanted.get(key);
    const named = value === undefined ? null : recipientOf.recipient(String(value));
    const here = recipientOf.recipient(String(current.values[key] ?? ''));
    const isMoved = value !== undefined && value !== (current.values[key] ?? '') && !isSameRecipient(named, here);
    const credentials = [...recipientOf.secrets, ...(recipientOf.names ?? [])];
    for (const credential of isMoved ? credentials.filter((name) => wanted.has(name)) : [])
      if (kept.has(key)) kept.add(credential);
      else kept.delete(credential);
    for (const secret of recipientOf.secrets) {
      const content = wanted.get(secret);
      if (content === undefined || kept.has(secret)) continue;
      const isKeptOut = kept.has(key) && !isSameRecipient(named, here);
      const beside = value === undefined || isKeptOut ? null : String(value);
      const recipient = givenRecipient(current, row, [secret, String(content)], beside, recordedFor);
      if (recipient === 'refused') unaddressed.push(secret);
      else if (recipient === undefined) leftAlone.add(secret);
      else recipients.set(secret, recipient);
    }
  }
  for (const secret of unaddressed) wanted.delete(secret);
  return {
    status: 'judged',
    patch: Object.fromEntries([...wanted].filter(([key]) => !kept.has(key) && !leftAlone.has(key))),
    kept: [...kept],
    wanted: Object.fromEntries(wanted),
    recipients,
    unaddressed,
  };
}

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
export function readMarks(settings: unknown): GivenMarks | null {
  const { key, marks } = record(record(settings)[MARKS]);
  if (typeof key !== 'string' || key === '') return null;
  const texts = Object.entries(record(marks)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { key, marks: Object.fromEntries(texts) };
}

/** The section of the settings with these marks; whatever else is in it stays. */
export const withMarks = <T extends Readonly<Record<string, unknown>>>(settings: T, { key, marks }: GivenMarks): T => ({
  ...settings,
  [MARKS]: { key, marks },
});

/** The section of the settings without the marks of those keys. */
export function withoutMarks<T extends Readonly<Record<string, unknown>>>(settings: T, keys: readonly string[]): T {
  const given = readMarks(settings);
  if (given === null || keys.length === 0) return settings;
  const marks = Object.fromEntries(Object.entries(given.marks).filter(([key]) => !keys.includes(key)));
  return withMarks(settings, { ...given, marks });
}
