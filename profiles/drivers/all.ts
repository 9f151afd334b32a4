import type { DriverEntry } from '../driver-entry.ts';
import { documentRows } from '../slots.ts';

/** Every compiled driver that a profile can name, by family in the order of the slots. */
export const allDrivers: readonly DriverEntry[] = [...new Set(documentRows.map(([, { family }]) => family))].flatMap(
  ({ drivers }) => drivers,
);

const byId = new Map(allDrivers.map((entry) => [entry.id, entry]));

/** The driver of that id; null if this build has none. */
export const driverById = (id: string): DriverEntry | null => byId.get(id) ?? null;
