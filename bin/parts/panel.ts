import type { Part } from '#actors/kit/part.ts';
import { join } from 'node:path';
import { adbSpec } from '#actors/adb.ts';
import { inputSpec } from '#actors/input.ts';
import { lightSpec } from '#actors/lights.ts';
import { powerSpec } from '#actors/power.ts';
import { provisioningSpec } from '#actors/provisioning.ts';
import { proximitySpec } from '#actors/proximity.ts';
import { readingsSpec } from '#actors/readings.ts';
import { relaySpec } from '#actors/relays.ts';
import { relightSpec } from '#actors/relight.ts';
import { screenSpec } from '#actors/screen.ts';
import { sensorSpec } from '#actors/sensors.ts';
import { simulatorSpec } from '#actors/simulator.ts';
import { zigbeeSpec } from '#actors/zigbee.ts';
import { adbBridge } from '#drivers/adb/bridge.ts';
import { provisioningObserver } from '#drivers/provisioning/observe.ts';
import { linuxReadings } from '#drivers/readings/linux.ts';
import { relightWatcher } from '#drivers/relight/watcher.ts';
import { ADB_FOLDER } from '#drivers/store/folder.ts';
import { screenIds } from '#machines/screen/events.ts';
import { type PartDeps, type Wiring, present } from './deps.ts';

/**
 * With a service manager the unit's own step lights the screen, and a read-only agent has nothing to put right.
 */
const needsWatcher = ({ profile, service, readOnly }: PartDeps): boolean =>
  !profile.simulated && profile.slots.screen.length > 0 && service.socket === null && !readOnly;

const provisioningOf = ({ profile, now }: PartDeps): Part => {
  const requirements = profile.declared.map(({ requirement }) => requirement);
  const probes = profile.declared.map(({ requirement: { slot }, probe }) => ({ slot, probe }));
  return provisioningSpec({ requirements, observer: provisioningObserver({ requirements, probes, now }) });
};

/** The hardware of the panel, by the slots of its profile, and the machine it runs on. */
export const panelParts: Wiring = (deps) => {
  const { registry, readOnly, profile } = deps;
  const { slots } = profile;
  return [
    ...present(profile.simulator, (driver) => simulatorSpec({ driver })),
    ...present(profile.adb, (link) =>
      adbSpec({ registry, bridge: adbBridge({ link, folder: join(deps.folder, ADB_FOLDER) }) }),
    ),
    ...present(needsWatcher(deps) ? deps.relight : null, (script) =>
      relightSpec({ driver: relightWatcher({ script }) }),
    ),
    ...slots.screen.map((screen) => screenSpec({ registry, ...screen, readOnly })),
    ...present(slots.input, (input) => inputSpec({ registry, ...input, displays: screenIds })),
    ...present(slots.power, powerSpec),
    ...[slots.led, slots.button_backlight, ...slots.button_leds].flatMap((light) => present(light, lightSpec)),
    ...slots.relays.map((relay) => relaySpec({ registry, ...relay, readOnly })),
    ...[slots.illuminance, slots.temperature, slots.humidity].flatMap((slot) =>
      present(slot, (sensor) => sensorSpec({ registry, ...sensor })),
    ),
    ...present(slots.zigbee, zigbeeSpec),
    readingsSpec({ driver: linuxReadings() }),
    provisioningOf(deps),
    ...present(slots.proximity, (sensor) => proximitySpec({ registry, ...sensor, displays: screenIds })),
  ];
};
