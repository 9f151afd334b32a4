import { ownField } from '../kit/own-field.ts';
import type { SettingRule, SettingValue } from '../kit/setting.ts';
import { settingRules } from '../settings.ts';

type Values = Readonly<Record<string, SettingValue>>;

/** The other settings that are judged together with `key`. */
export const judgedWith = (key: string, rules: readonly SettingRule[] = settingRules): readonly string[] =>
  rules.filter(({ keys }) => keys.includes(key)).flatMap(({ keys }) => keys.filter((other) => other !== key));

/**
 * Why these posted settings are refused together with what else would be in force. A rule that none of them belongs to
 * is not judged, so that it never blocks the save of something else.
 */
export const refusedTogether = (
  values: Values,
  posted: readonly string[],
  rules: readonly SettingRule[] = settingRules,
): readonly (readonly [string, string])[] =>
  rules
    .filter(({ keys }) => keys.some((key) => posted.includes(key)))
    .flatMap(({ keys, judge }) => {
      const reasons = judge(values);
      const [first] = Object.values(reasons);
      if (first === undefined) return [];
      return keys
        .filter((key) => posted.includes(key))
        .map((key): readonly [string, string] => [key, ownField(reasons, key) ?? first]);
    });

/** The settings whose values contradict each other: all those of a rule that does not hold. */
export const contradicting = (values: Values, rules: readonly SettingRule[] = settingRules): readonly string[] =>
  rules.filter(({ judge }) => Object.keys(judge(values)).length > 0).flatMap(({ keys }) => keys);
