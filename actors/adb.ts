import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { AdbDriver, DeviceFact } from '#machines/adb/events.ts';
import { adb } from '#machines/adb/index.ts';
import { adbMachine } from '#machines/adb/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

export interface AdbDeps {
  readonly registry: Registry;
  readonly bridge: AdbDriver;
}

/** Reports the chosen device as soon as it is known: until then no device may be contacted. */
const deviceFollower = (registry: Registry) =>
  fromDriver<EventObject, undefined, DeviceFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): string | null => {
        const settings = snapshot?.context;
        return settings === undefined || settings.revision === 0 ? null : String(settings.values['adb_device'] ?? '');
      },
      (device) => {
        if (device !== null) send({ type: 'adb.chosen', device });
      },
    ),
  );

export const adbSpec = ({ registry, bridge }: AdbDeps): Part =>
  part(adb, adbMachine.provide({ actors: { bridge, device: deviceFollower(registry) } }));
