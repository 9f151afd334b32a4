import { defaultConfiguration, type Configuration } from './merge.ts';
import { isSameRecipient, type Recipient } from '../kit/recipient.ts';
import type { SettingDescriptor } from '../kit/setting.ts';
import { descriptorOf, plainSettings } from '../settings.ts';
import { checkValue } from './check-value.ts';
import { idOfName } from './id-of-name.ts';
import type { SettingValue } from './events.ts';

/** The result of judging values from the command line. */
export type Provision =
  | {
      readonly status: 'judged';
      /** Values to apply, also those already in force. */
      readonly patch: Readonly<Record<string, SettingValue>>;
      /** Keys for which the owner set another value on the panel. */
      readonly kept: readonly string[];
      /** All given values as they would be stored, except refused ones. */
      readonly wanted: Readonly<Record<string, SettingValue>>;
      /** Recipients of the credentials in the patch; null until a person confirms one. */
      readonly recipients: ReadonlyMap<string, Recipient | null>;
      /** Credentials that are refused because they come without an address. */
      readonly unaddressed: readonly string[];
    }
  | { readonly status: 'refused'; readonly reasons: Readonly<Record<string, string>> };

/** True if the command line last gave this value for the key; null if it never gave one. */
export type WasGiven = (key: string, value: string) => boolean | null;

/** The earlier recipient of a credential file's content, by setting; null if unknown. */
export type RecordedFor = (key: string, value: string) => Recipient | null;

const inForce = ({ values, secrets }: Configuration, key: string): SettingValue | null =>
  values[key] ?? secrets[key] ?? null;

const isUnset = (current: Configuration, key: string): boolean =>
  inForce(current, key) === (defaultConfiguration.values[key] ?? null);

/**
 * True if the owner set the key on the panel: its value did not come from the command line, or differs from the one
 * that did.
 */
function isOwners(current: Configuration, key: string, wanted: SettingValue, wasGiven: WasGiven): boolean {
  const now = inForce(current, key);
  if (now === wanted) return false;
  return !(wasGiven(key, String(now ?? '')) ?? isUnset(current, key));
}

/**
 * The recipient of a given credential: the address given with it. Without one, the earlier recipient of the same
 * content, whatever address the panel has now; otherwise none until a person confirms one, or it is refused if none can
 * be found and confirmed. Undefined if the panel already has this credential: reading a file again must not reopen it.
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

/** The settings that a name sets. */
const NAME = 'friendly_name';
const ID = 'panel_id';

/**
 * Judges values from the command line: each is applied if the key is unset or has the value that the command line gave
 * last; what the owner set on the panel since is kept. A credential and its user name follow the address given with
 * them: if the panel keeps another address, they are not applied, and if the address is applied, so are they. A name
 * without a panel id makes one (`idOfName`).
 */
export function judgeProvision(
  current: Configuration,
  given: Readonly<Record<string, unknown>>,
  wasGiven: WasGiven,
  recordedFor: RecordedFor,
  announced: unknown = null,
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
  const called = kept.has(NAME) || wanted.has(ID) ? undefined : wanted.get(NAME);
  const id = called === undefined ? null : idOfName(String(called), current, announced);
  if (id !== null) wanted.set(ID, id);
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

/** Marks of given values: each recognises its value without revealing it. */
export interface GivenMarks {
  /** This panel's key for the marks. */
  readonly key: string;
  /** The mark of the value given last, by setting. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Key of the marks in the stored section of the settings. */
const MARKS = 'given';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** The marks in the stored section of the settings; null if nothing was ever given. */
export function readMarks(settings: unknown): GivenMarks | null {
  const { key, marks } = record(record(settings)[MARKS]);
  if (typeof key !== 'string' || key === '') return null;
  const texts = Object.entries(record(marks)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { key, marks: Object.fromEntries(texts) };
}

/** The section of the settings with these marks; everything else in it stays. */
export const withMarks = <T extends Readonly<Record<string, unknown>>>(settings: T, { key, marks }: GivenMarks): T => ({
  ...settings,
  [MARKS]: { key, marks },
});

/** The section of the settings without the marks of these keys. */
export function withoutMarks<T extends Readonly<Record<string, unknown>>>(settings: T, keys: readonly string[]): T {
  const given = readMarks(settings);
  if (given === null || keys.length === 0) return settings;
  const marks = Object.fromEntries(Object.entries(given.marks).filter(([key]) => !keys.includes(key)));
  return withMarks(settings, { ...given, marks });
}
