import type { DriverEntry } from '../driver-entry.ts';
import { inputDrivers } from './input.ts';
import { lightDrivers } from './lights.ts';
import { powerDrivers } from './power.ts';
import { proximityDrivers } from './proximity.ts';
import { relayDrivers } from './relays.ts';
import { screenDrivers } from './screen.ts';
import { sensorDrivers } from './sensors.ts';
import { soundDrivers } from './sound.ts';
import { zigbeeDrivers } from './zigbee.ts';

/** Every compiled driver that a profile can name, family by family. */
export const allDrivers: readonly DriverEntry[] = [
  ...screenDrivers,
  ...inputDrivers,
  ...soundDrivers,
  ...powerDrivers,
  ...proximityDrivers,
  ...lightDrivers,
  ...relayDrivers,
  ...sensorDrivers,
  ...zigbeeDrivers,
];

const byId = new Map(allDrivers.map((entry) => [entry.id, entry]));

/** The driver of that id; null where this build has none. */
export const driverById = (id: string): DriverEntry | null => byId.get(id) ?? null;
