import type { SettingDescriptor, SettingValue } from './setting.ts';

/** What a change of a setting needs a person for. */
export interface ChangeNeed {
  readonly operation: string;
  /** True if only the approval itself makes the change, in every mode; false if it is asked for in Hardened mode. */
  readonly isConsent: boolean;
}

/** What changing a setting from `before` to `after` needs; null if the change is open, or there is none. */
export function needOfChange(
  { consent, protects }: Pick<SettingDescriptor, 'consent' | 'protects'>,
  before: SettingValue,
  after: SettingValue,
): ChangeNeed | null {
  if (before === after) return null;
  if (consent !== null && after === true) return { operation: consent, isConsent: true };
  if (protects === null || protects.when?.(before, after) === false) return null;
  return { operation: protects.operation, isConsent: false };
}
