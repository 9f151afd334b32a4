import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { SettingsContext, SettingValue } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';

/**
 * Tells its parent the value of one setting, at once and whenever it changes; values that `toFact` answers null for are
 * left out, and so is the time in which the settings are absent.
 */
export const settingFollower = <TFact extends EventObject>(
  registry: Registry,
  key: string,
  toFact: (value: SettingValue) => TFact | null,
): DriverLogic<EventObject, undefined> =>
  fromDriver<EventObject, undefined, TFact>(({ send }) =>
    registry.follow<SettingValue | undefined>(
      'settings',
      // The settings actor's public facts, by its contract in machines/settings/events.ts.
      (snapshot) => (snapshot?.context as SettingsContext | undefined)?.values[key],
      (value) => {
        const fact = value === undefined ? null : toFact(value);
        if (fact !== null) send(fact);
      },
    ),
  );
