import type { AnyActorLogic, EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdbEvent, AdbWish } from '#machines/adb/events.ts';
import { adbMachine } from '#machines/adb/machine.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';

/** What the bridge to an Android panel is wired to. */
export interface AdbDeps {
  readonly registry: Registry;
  readonly bridge: AnyActorLogic;
}

const wishes = (registry: Registry): DriverLogic<EventObject, undefined> =>
  fromDriver<EventObject, undefined, AdbEvent>(({ send }) =>
    registry.follow<AdbWish | null>(
      'settings',
      (snapshot) => {
        // The settings actor's public facts, by its contract in machines/settings/events.ts.
        const settings = snapshot?.context as SettingsContext | undefined;
        if (settings === undefined || settings.revision === 0) return null;
        return {
          device: String(settings.values['adb_device'] ?? ''),
          hardened: settings.values['security_mode'] === 'hardened',
        };
      },
      (wish) => {
        if (wish !== null) send({ type: 'adb.wished', wish });
      },
    ),
  );

/** The bridge to an Android panel: permanent; asked to stop, it ends at once. */
export const adbSpec = ({ registry, bridge }: AdbDeps): ChildSpec => ({
  id: 'adb',
  logic: adbMachine.provide({ actors: { bridge, wishes: wishes(registry) } }),
  restart: 'permanent',
  stop: { event: { type: 'adb.stop' }, withinMs: 10 },
});
