import { isSameRecipient } from '../kit/recipient.ts';
import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';
import { descriptorOf, descriptors, EXPOSE_PREFIX, exposableSettings, labelOf, plainSettings } from '../settings.ts';
import { type Configuration, type Merge, mergeSettings } from '../configuration.ts';
import type { PlannedChange, SkippedKey } from './events.ts';
import { type Crossing, judgeKey, skipped } from './judge-key.ts';
import { defaultText, textOf } from './text-of.ts';

/** What an import would do; the text of a credential is only in the patch. */
export interface ImportPlan {
  /** For `settings.merge`: what differs from the configuration in force. */
  readonly patch: Readonly<Record<string, SettingValue | null>>;
  readonly changes: readonly PlannedChange[];
  /** The credentials that are taken, those that are stored already included. */
  readonly credentials: readonly string[];
  readonly skipped: readonly SkippedKey[];
  /** What the owner should know, one plain sentence each. */
  readonly warnings: readonly string[];
  /** Why keys that belong here are not taken, one plain sentence each. */
  readonly errors: readonly string[];
  /** Why nothing of it can be saved, by key; null if it can. */
  readonly rejected: Readonly<Record<string, string>> | null;
}

const isExported = ({ readOnly, hidden, local, consent }: SettingDescriptor): boolean =>
  !readOnly && !hidden && !local && consent === null;

/**
 * The configuration as text: every setting and flag with its value, also if it is the default. Readings, the sign-in,
 * what is of this installation alone and what needs a consent never are among them; credentials only with `secrets`,
 * and only those that are set.
 */
export function exportedValues(
  configuration: Configuration,
  { secrets }: { readonly secrets: boolean },
): Readonly<Record<string, string>> {
  const settings = descriptors.filter(isExported).flatMap(({ key, secret }): (readonly [string, string])[] => {
    const text = secret ? (secrets ? configuration.secrets[key] : undefined) : textOf(configuration, key);
    return text === undefined || text === null ? [] : [[key, text]];
  });
  const flags = exposableSettings.map(({ key }) => {
    const name = EXPOSE_PREFIX + key;
    return [name, textOf(configuration, name) ?? ''] as const;
  });
  return Object.fromEntries([...settings, ...flags]);
}

type Taken = ReadonlyMap<string, SettingValue | null>;

/** The keys that are taken, those in force already included, and those that are not. */
function taken(
  current: Configuration,
  values: Readonly<Record<string, unknown>>,
  crossing: Crossing,
): { readonly keys: Taken; readonly skipped: readonly SkippedKey[] } {
  const keys = new Map<string, SettingValue | null>();
  const left: SkippedKey[] = [];
  for (const [name, raw] of Object.entries(values)) {
    const row = descriptorOf(name);
    // A credential that is empty is one that was not set.
    if (row?.secret === true && raw === '') continue;
    const judged = judgeKey(name, raw, crossing);
    if (judged.ok) keys.set(name, judged.value);
    // An earlier version may have accepted what is in force.
    else if (judged.reason === 'invalid' && typeof raw === 'string' && raw === textOf(current, name))
      keys.set(name, raw);
    else left.push({ ...skipped(name, judged.reason), message: judged.message });
  }
  return { keys, skipped: left };
}

/** The setting that names the recipient of a credential. */
const addressOf = (secret: string): SettingDescriptor | undefined =>
  plainSettings.find(({ recipientOf }) => recipientOf?.secrets.includes(secret) === true);

/**
 * What becomes of a credential: it goes only to the address that came with it, and one that is stored for that address
 * already stays as it is.
 */
function judgeSecret(current: Configuration, keys: Taken, row: SettingDescriptor): 'take' | 'stored' | SkippedKey {
  const address = addressOf(row.key);
  if (address?.recipientOf == null) return 'take';
  if (!keys.has(address.key)) return skipped(row.key, 'recipient-changed', row);
  const { recipient, unnamed } = address.recipientOf;
  const before = recipient(String(current.values[address.key] ?? ''));
  const after = recipient(String(keys.get(address.key) ?? address.default));
  const stays = isSameRecipient(before, after) || (before === null && after === null);
  if (stays && current.secrets[row.key] === keys.get(row.key)) return 'stored';
  return after === null && unnamed !== null ? skipped(row.key, 'invalid', row, unnamed) : 'take';
}

/** True for a value that a setting or flag has already; a credential has none to compare. */
const isInForce = (current: Configuration, name: string, value: SettingValue | null): boolean =>
  textOf(current, name) === String(value ?? defaultText(name));

/** The keys that differ from what is in force, as a patch, and the credentials that are and are not taken. */
function patchOf(current: Configuration, keys: Taken) {
  const patch: [string, SettingValue | null][] = [];
  const left: SkippedKey[] = [];
  const credentials: string[] = [];
  for (const [name, value] of keys) {
    const row = descriptorOf(name);
    const judged = row?.secret === true ? judgeSecret(current, keys, row) : 'take';
    if (row?.secret === true && typeof judged === 'string') credentials.push(name);
    if (typeof judged === 'object') left.push(judged);
    else if (judged === 'take' && !isInForce(current, name, value)) patch.push([name, value]);
  }
  return { patch: Object.fromEntries(patch), credentials, skipped: left };
}

/** The changes that a merge makes, without the texts of credentials. */
const changesOf = (current: Configuration, patch: ImportPlan['patch'], merge: Merge): readonly PlannedChange[] =>
  merge.status === 'saved'
    ? merge.applied.map((key) => {
        const from = textOf(current, key);
        const to = patch[key] ?? defaultText(key);
        return { key, from, to: from === null ? null : String(to) };
      })
    : [];

/**
 * Changes for a reader who may not read credentials: all that are taken count as changed, in their own order. Otherwise
 * a preview would say if a guess is right.
 */
export function withCredentials(
  changes: readonly PlannedChange[],
  credentials: readonly string[],
): readonly PlannedChange[] {
  const named = new Set(credentials);
  const shown = [...named].map((key) => ({ key, from: null, to: null }));
  return [...changes.filter(({ key }) => !named.has(key)), ...shown];
}

const clearedWords = (key: string): string => `${labelOf(key)} is removed: it is for the address that is in force now.`;

function warningsOf(left: readonly SkippedKey[], merge: Merge): readonly string[] {
  const unknown = left.filter(({ reason }) => reason === 'unknown').length;
  return [
    ...(unknown === 0
      ? []
      : [`${unknown === 1 ? 'One key is' : `${unknown} keys are`} unknown to this version of Sconce and left out.`]),
    ...(merge.status === 'saved' ? merge.orphaned.map(clearedWords) : []),
  ];
}

/** Reasons that make an import partial: the key belongs here, and its value could not be taken. */
const faults: ReadonlySet<SkippedKey['reason']> = new Set(['invalid', 'recipient-changed']);

/**
 * Decides what an import takes of values from outside, which are in the present schema and not judged. `current` has
 * the credentials, so this is only called where they may be.
 */
export function planImport(
  current: Configuration,
  values: Readonly<Record<string, unknown>>,
  crossing: Crossing,
): ImportPlan {
  const { keys, skipped: left } = taken(current, values, crossing);
  const { patch, credentials, skipped: orphans } = patchOf(current, keys);
  const all = [...left, ...orphans];
  const merge = mergeSettings(current, patch);
  const errors = all.filter(({ reason }) => faults.has(reason)).map(({ message }) => message);
  return {
    patch,
    changes: changesOf(current, patch, merge),
    credentials,
    skipped: all,
    warnings: warningsOf(all, merge),
    errors,
    rejected: merge.status === 'refused' ? merge.reasons : null,
  };
}
