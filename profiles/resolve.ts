import { AdbLink } from '#drivers/adb/link.ts';
import { createReadQueue } from '#drivers/sensors/read-queue.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatorDriver } from '#drivers/simulator/driver.ts';

import { absentCapabilities, chosenFor, optionalCapabilities } from './declared-parts.ts';
import type { ChosenDriver, ProfileParts, ProfileShape } from './document.ts';
import type { DriverParts } from './driver-entry.ts';
import { cameraOf, microphoneOf } from './left-to-system.ts';
import { make } from './make.ts';
import type { ProfileRevision, ResolvedProfile, ResolvedSlots, SlotDriver } from './resolved.ts';
import { type Slot, slotRows } from './slots.ts';
import { requirementsOf } from './requirements.ts';

/** Creates what the drivers of one profile share, each on first use. */
export function sharedParts(device?: SimulatedDevice): DriverParts {
  let made = device;
  let link: AdbLink | undefined;
  return {
    simulated: () => (made ??= new SimulatedDevice()),
    android: () => (link ??= new AdbLink()),
    sensorReads: createReadQueue(),
  };
}

function driversFor(slot: Slot, chosen: readonly ChosenDriver[], parts: DriverParts) {
  const made = chosen.flatMap((part) => make(slot.family, part, parts));
  const drivers = slot.ids.flatMap((id, index): readonly SlotDriver<string, unknown>[] =>
    index < made.length ? [{ id, driver: made[index] }] : [],
  );
  return slot.ids.length === 1 ? (drivers[0] ?? null) : drivers;
}

/**
 * Creates the drivers that the parts of a document name, by slot; throws `UnresolvableProfileError` if this build
 * cannot.
 */
export const resolveSlots = (document: ProfileParts, parts: DriverParts): ResolvedSlots =>
  // Value and type of each driver come from the same row of the table.
  Object.fromEntries(
    slotRows.map(([name, slot]) => [name, driversFor(slot, chosenFor(slot, document), parts)]),
  ) as unknown as ResolvedSlots;

const simulatedHardware = (device: SimulatedDevice) => ({ driver: simulatorDriver(device), device });

/** Creates the drivers that a document names; throws `UnresolvableProfileError` if this build cannot. */
export function resolveProfile(
  document: ProfileShape,
  revision: Pick<ProfileRevision, 'hash' | 'origin'>,
  parts: DriverParts = sharedParts(),
): ResolvedProfile {
  const { os } = document.platform;
  return {
    id: document.id,
    title: document.display_name,
    revision: { ...revision, version: document.version, maturity: document.metadata.maturity },
    simulated: os === 'simulated',
    slots: resolveSlots(document, parts),
    adb: os === 'android' ? parts.android() : null,
    simulator: os === 'simulated' ? simulatedHardware(parts.simulated()) : null,
    declared: requirementsOf(document),
    absent: [...absentCapabilities(document), ...(os === 'android' ? [] : ['adb'])],
    optional: optionalCapabilities(document),
    camera: cameraOf(document, parts),
    microphone: microphoneOf(document, parts),
  };
}
