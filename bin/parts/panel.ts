import type { Part } from '#actors/kit/part.ts';
import { provisioningSpec } from '#actors/provisioning.ts';
import { readingsSpec } from '#actors/readings.ts';
import { provisioningObserver } from '#drivers/provisioning/observe.ts';
import { linuxReadings } from '#drivers/readings/linux.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { screenIds } from '#machines/screen/events.ts';
import { type PartDeps, present, presentIn, type Wiring } from './deps.ts';
import { needsWatcher } from './optional.ts';

const chunks = {
  adb: chunk(() => import('./adb.ts')),
  autoBrightness: chunk(() => import('./auto-brightness.ts')),
  autoSleep: chunk(() => import('./auto-sleep.ts')),
  input: chunk(() => import('#actors/input.ts')),
  lights: chunk(() => import('#actors/lights.ts')),
  power: chunk(() => import('#actors/power.ts')),
  proximity: chunk(() => import('#actors/proximity.ts')),
  relays: chunk(() => import('#actors/relays.ts')),
  relight: chunk(() => import('./relight.ts')),
  screen: chunk(() => import('#actors/screen.ts')),
  sensors: chunk(() => import('#actors/sensors.ts')),
  simulator: chunk(() => import('./simulator.ts')),
  zigbee: chunk(() => import('#actors/zigbee.ts')),
};

function provisioningOf({ profile, now }: PartDeps): Part {
  const requirements = profile.declared.map(({ requirement }) => requirement);
  const probes = profile.declared.map(({ requirement: { slot }, probe }) => ({ slot, probe }));
  return provisioningSpec({ requirements, observer: provisioningObserver({ requirements, probes, now }) });
}

/** The hardware of the panel, by the slots of its profile, and the machine it runs on. */
export const panelParts: Wiring = (deps) => {
  const { registry, readOnly, profile } = deps;
  const { slots } = profile;
  const displays = screenIds;
  return [
    ...present('simulator', profile.simulator, async (hardware) => (await chunks.simulator()).simulatorPart(hardware)),
    ...present('adb', profile.adb, async (link) => (await chunks.adb()).adbPart(deps, link)),
    ...present('relight', needsWatcher(deps) ? deps.relight : null, async (script) =>
      (await chunks.relight()).relightPart(script),
    ),
    ...presentIn(slots.screen, async (one) => (await chunks.screen()).screenSpec({ registry, ...one, readOnly })),
    ...presentIn([slots.input], async (one) => (await chunks.input()).inputSpec({ registry, ...one, displays })),
    ...presentIn([slots.power], async (one) => (await chunks.power()).powerSpec(one)),
    ...presentIn([slots.led, slots.button_backlight, ...slots.button_leds], async (one) =>
      (await chunks.lights()).lightSpec({ registry, ...one }),
    ),
    ...presentIn(slots.relays, async (one) => (await chunks.relays()).relaySpec({ registry, ...one, readOnly })),
    ...presentIn([slots.illuminance, slots.temperature, slots.humidity], async (one) =>
      (await chunks.sensors()).sensorSpec({ registry, ...one }),
    ),
    ...presentIn([slots.zigbee], async (one) => (await chunks.zigbee()).zigbeeSpec(one)),
    readingsSpec({ driver: linuxReadings() }),
    provisioningOf(deps),
    ...presentIn([slots.proximity], async (one) =>
      (await chunks.proximity()).proximitySpec({ registry, ...one, displays }),
    ),
    ...present('auto-brightness', deps, async (wired) => (await chunks.autoBrightness()).autoBrightnessPart(wired)),
    ...present('auto-sleep', deps, async (wired) => (await chunks.autoSleep()).autoSleepPart(wired)),
  ];
};
