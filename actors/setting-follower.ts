import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SettingValue } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';

/**
 * Sends to its parent the fact that `toFact` makes of some settings, in the order of their keys, at once and whenever
 * one changes; null is not sent. Nothing is sent while the settings are absent.
 *
 * @public The example of machines/README.md follows three.
 */
export const settingsFollower = <TFact extends EventObject>(
  registry: Registry,
  keys: readonly string[],
  toFact: (values: readonly SettingValue[]) => TFact | null,
) =>
  fromDriver<EventObject, undefined, TFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): readonly SettingValue[] | undefined => {
        const all = snapshot?.context?.values;
        const values = keys.flatMap((key) => all?.[key] ?? []);
        return values.length === keys.length ? values : undefined;
      },
      (values) => {
        const fact = values === undefined ? null : toFact(values);
        if (fact !== null) send(fact);
      },
    ),
  );

/** The same for one setting. */
export const settingFollower = <TFact extends EventObject>(
  registry: Registry,
  key: string,
  toFact: (value: SettingValue) => TFact | null,
) => settingsFollower(registry, [key], ([value]) => (value === undefined ? null : toFact(value)));
