import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdbDriver, AdbWish, WishFact } from '#machines/adb/events.ts';
import { adb } from '#machines/adb/index.ts';
import { adbMachine } from '#machines/adb/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the bridge to an Android panel is wired to. */
export interface AdbDeps {
  readonly registry: Registry;
  readonly bridge: AdbDriver;
}

const wishes = (registry: Registry) =>
  fromDriver<EventObject, undefined, WishFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): AdbWish | null => {
        const settings = snapshot?.context;
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

/** The bridge to an Android panel. */
export const adbSpec = ({ registry, bridge }: AdbDeps): Part =>
  part(adb, adbMachine.provide({ actors: { bridge, wishes: wishes(registry) } }), {
    stop: { event: { type: 'adb.stop' }, withinMs: 10 },
  });
