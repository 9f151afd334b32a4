import { type ChangeNeed, needOfChange } from '../kit/change-need.ts';
import type { SettingDescriptor, SettingValue } from '../kit/setting.ts';
import { descriptors } from '../settings.ts';
import { judgeValue } from './merge.ts';

/** A change of a setting that needs a person at the panel. */
export interface ProtectedChange extends ChangeNeed {
  readonly setting: SettingDescriptor;
  /** The value after the change. */
  readonly to: SettingValue;
}

/** The settings of which some change needs a person. */
export const protectedSettings: readonly SettingDescriptor[] = descriptors.filter(
  ({ consent, protects }) => consent !== null || protects !== null,
);

/** The changes of a patch that need a person, given the values in force; a value that is refused changes nothing. */
export const operationsOf = (
  patch: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, SettingValue>>,
  settings: readonly SettingDescriptor[] = protectedSettings,
): readonly ProtectedChange[] =>
  settings.flatMap((setting) => {
    const { key, defaultValue } = setting;
    if (!Object.hasOwn(patch, key) || defaultValue === null) return [];
    const judged = judgeValue(setting, patch[key]);
    if (!judged.ok) return [];
    const to = judged.value ?? defaultValue;
    const need = needOfChange(setting, values[key] ?? defaultValue, to);
    return need === null ? [] : [{ ...need, setting, to }];
  });
