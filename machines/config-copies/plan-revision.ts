import type { SettingValue } from '../kit/setting.ts';
import { descriptorOf, EXPOSE_PREFIX, exposableSettings, plainSettings } from '../settings.ts';
import { type Configuration, judgePosted, SETTINGS_SCHEMA } from '../configuration.ts';
import type { SkippedKey } from './events.ts';
import { skipped } from './judge-key.ts';
import type { Revision } from './revisions.ts';
import { defaultText, textOf } from './text-of.ts';

/** What a restore of a revision would do. */
export interface RevisionPlan {
  /** For `settings.merge`: what differs from the configuration in force; null returns to the default. */
  readonly patch: Readonly<Record<string, SettingValue | null>>;
  readonly skipped: readonly SkippedKey[];
}

const names: readonly string[] = [
  ...plainSettings.filter(({ hidden, local }) => !hidden && !local).map(({ key }) => key),
  ...exposableSettings.map(({ key }) => EXPOSE_PREFIX + key),
];

/** The value that a revision gives a key, null for its default; or why the key stays as it is. */
function judge(name: string, { values }: Pick<Revision, 'values'>): SettingValue | null | SkippedKey {
  if (!Object.hasOwn(values, name)) return null;
  const row = descriptorOf(name);
  // Turning it off is open to everyone.
  if (row !== undefined && row.consent !== null && values[name] !== false) return skipped(name, 'consent', row);
  const judged = judgePosted(name, values[name]);
  return judged.ok ? judged.value : skipped(name, 'invalid', row, judged.message);
}

/** True if a revision was saved by a newer version, whose values this one cannot read. */
export const isFromNewer = ({ schema }: Pick<Revision, 'schema'>): boolean => schema > SETTINGS_SCHEMA;

/**
 * The way from the configuration in force to that of a revision: a key that it lacks returns to its default, and a
 * credential stays only while its recipient does (`mergeSettings`). It turns on nothing that needs a consent.
 */
export function planRevision(
  current: Pick<Configuration, 'values' | 'expose'>,
  revision: Pick<Revision, 'values'>,
): RevisionPlan {
  const patch: [string, SettingValue | null][] = [];
  const left: SkippedKey[] = [];
  const strange = Object.keys(revision.values).filter((key) => !names.includes(key));
  for (const name of names) {
    const now = textOf(current, name);
    const wanted = judge(name, revision);
    if (wanted !== null && typeof wanted === 'object') {
      // What is in force already is no loss.
      if (String(revision.values[name]) !== now) left.push(wanted);
    } else if (String(wanted ?? defaultText(name)) !== now) patch.push([name, wanted]);
  }
  return { patch: Object.fromEntries(patch), skipped: [...left, ...strange.map((key) => skipped(key, 'unknown'))] };
}
