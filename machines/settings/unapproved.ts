import { needOfChange } from '../kit/change-need.ts';
import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';
import { descriptorOf } from '../settings.ts';

/** What a person approved at the panel for a save. */
export interface Approved {
  /** The operation whose approval itself makes this save; no other save turns on what needs a consent. */
  readonly consent?: string | undefined;
  /** Operations that were admitted in Hardened mode; `all` where none is asked for. */
  readonly admitted: readonly string[] | 'all';
}

/** A save that no approval belongs to, where nothing is asked in Hardened mode: the command line, for example. */
export const everyWay: Approved = { admitted: 'all' };

const wordsOf = ({ label, key }: SettingDescriptor, isConsent: boolean): string =>
  isConsent
    ? `${label}: only a person at the panel turns this on. Leave ${key} out here; turn it on by itself on the panel’s pages, and approve it at the panel.`
    : `${label}: in Hardened mode a person must approve this change at the panel. Change ${key} on the panel’s pages, and approve it there.`;

/** The changes that lack the approval of a person, each with the reason; `to` is null for the default. */
export const unapproved = (
  values: Readonly<Record<string, SettingValue>>,
  changes: Readonly<Record<string, SettingValue | null>>,
  { consent, admitted }: Approved,
  rowOf: (key: string) => SettingDescriptor | undefined = descriptorOf,
): readonly (readonly [string, string])[] =>
  Object.entries(changes).flatMap(([key, to]): (readonly [string, string])[] => {
    const row = rowOf(key);
    if (row === undefined || row.defaultValue === null) return [];
    const need = needOfChange(row, values[key] ?? row.defaultValue, to ?? row.defaultValue);
    if (need === null || need.operation === consent) return [];
    if (!need.isConsent && (admitted === 'all' || admitted.includes(need.operation))) return [];
    return [[key, wordsOf(row, need.isConsent)]];
  });
