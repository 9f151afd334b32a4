import { judgePosted } from '../configuration.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';
import { descriptorOf, EXPOSE_PREFIX, exposableSettings } from '../settings.ts';
import type { SkippedKey } from './events.ts';

/** Where values come from, for the panel that takes them. */
export interface Crossing {
  /** `fleet` takes what any panel may have, and no credentials. */
  readonly mode: 'restore' | 'fleet';
  /** True if they are from this very machine. */
  readonly isOrigin: boolean;
  /** True if this panel takes the place of the one that they are from. */
  readonly replaces?: boolean;
}

export type SkipReason = SkippedKey['reason'];

/** Longest name of a key that is repeated, in characters. */
const KEY_LENGTH = 64;

const words: Readonly<Record<SkipReason, (label: string) => string>> = {
  unknown: () => 'This version of Sconce has no such setting.',
  invalid: (label) => `${label} has a value that is not valid.`,
  reading: (label) => `${label} is a reading of the panel, not a setting.`,
  hidden: (label) => `${label} does not travel with a configuration; sign in on this panel.`,
  local: (label) => `${label} is chosen on each panel, and does not travel with a configuration.`,
  consent: (label) => `${label} is turned on only by a person at the panel.`,
  'identity-of-another-panel': (label) => `${label} is of the panel that the configuration is from.`,
  'device-of-another-panel': (label) => `${label} is for the panel that the configuration is from.`,
  'not-portable': (label) => `${label} is not for other panels.`,
  secret: (label) => `${label} is a credential, which is not for other panels.`,
  'recipient-changed': (label) => `${label} is for an address that is not taken from this configuration.`,
};

/** A key that is not taken, with its sentence. */
export function skipped(
  key: string,
  reason: SkipReason,
  row?: Pick<SettingDescriptor, 'label'>,
  message?: string,
): SkippedKey {
  const shown = key.slice(0, KEY_LENGTH).toWellFormed();
  return { key: shown, reason, message: message ?? words[reason](row?.label ?? shown) };
}

/** True if values of every scope may be taken: they are of this machine, or of the one that it replaces. */
const isOwn = ({ mode, isOrigin, replaces }: Crossing): boolean =>
  mode === 'restore' && (isOrigin || replaces === true);

/** Why a setting is not taken whatever its value is; null if it may be. */
export function whyNotTaken(
  row: Pick<SettingDescriptor, 'readOnly' | 'hidden' | 'local' | 'consent' | 'secret' | 'scope'>,
  crossing: Crossing,
): SkipReason | null {
  if (row.readOnly) return 'reading';
  if (row.hidden) return 'hidden';
  if (row.local) return 'local';
  if (row.consent !== null) return 'consent';
  if (isOwn(crossing)) return null;
  if (row.secret) return 'secret';
  if (row.scope === 'PORTABLE') return null;
  if (crossing.mode === 'fleet') return 'not-portable';
  return row.scope === 'IDENTITY' ? 'identity-of-another-panel' : 'device-of-another-panel';
}

const exposable: ReadonlySet<string> = new Set(exposableSettings.map(({ key }) => EXPOSE_PREFIX + key));

const isScalar = (raw: unknown): raw is SettingValue =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';

/** The value of a key as it is saved, null for the default; or why the key is not taken. */
export function judgeKey(name: string, raw: unknown, crossing: Crossing): Result<SettingValue | null, SkipReason> {
  const row = descriptorOf(name);
  const refused = (reason: SkipReason): ReturnType<typeof refuse<SkipReason>> =>
    refuse(reason, skipped(name, reason, row).message);
  if (row === undefined && !exposable.has(name)) return refused('unknown');
  const why = row === undefined ? null : whyNotTaken(row, crossing);
  if (why !== null) return refused(why);
  if (!isScalar(raw)) return refused('invalid');
  // Its own address is not taken from a panel by one that has none.
  if (row !== undefined && row.recipientOf !== null && String(raw).trim() === '' && !isOwn(crossing))
    return refuse('not-portable', `${row.label} is empty there, which does not replace that of this panel.`);
  const judged = judgePosted(name, raw);
  return judged.ok ? ok(judged.value) : refuse('invalid', judged.message);
}
