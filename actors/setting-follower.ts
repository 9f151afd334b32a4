import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { SettingValue } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';

/**
 * Reports to its parent the value of one setting, at once and whenever it changes; values that `toFact` answers null
 * for are left out, and so is the time in which the settings are absent.
 */
export const settingFollower = <TFact extends EventObject>(
  registry: Registry,
  key: string,
  toFact: (value: SettingValue) => TFact | null,
) =>
  fromDriver<EventObject, undefined, TFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): SettingValue | undefined => snapshot?.context?.values[key],
      (value) => {
        const fact = value === undefined ? null : toFact(value);
        if (fact !== null) send(fact);
      },
    ),
  );
