import { z } from 'zod';

import type { DriverEntry } from '../driver-entry.ts';
import { freeSlotRows, type Section, type Slot, slots, slotsIn } from '../slots.ts';

/** Schema of one driver and its options, which may be left out if none is required. */
const choiceOf = ({ id, title, options }: DriverEntry) =>
  z.strictObject({
    driver: z.literal(id).meta({ description: title }),
    options: options().safeParse({}).success ? options().optional() : options(),
  });

/** Schema of a slot's driver; undefined if this build has none for it. */
function driverOf({ family, about: description }: Slot) {
  const [first, ...further] = family.drivers.map(choiceOf);
  return first === undefined ? undefined : z.discriminatedUnion('driver', [first, ...further]).meta({ description });
}

type Part = NonNullable<ReturnType<typeof driverOf>>;

/** Schemas of a section's slots, without those that have no driver. */
const slotsOf = (section: Section): Record<string, z.ZodOptional<Part | z.ZodArray<Part>>> =>
  Object.fromEntries(
    slotsIn(section).flatMap(([key, slot]) => {
      const part = driverOf(slot);
      if (part === undefined) return [];
      const value = slot.list === true ? z.array(part).max(slot.ids.length).meta({ description: slot.about }) : part;
      return [[key, value.optional()]];
    }),
  );

const words = () => z.enum(['auto', 'absent']);

/** A word, or a driver. */
function wordOrDriver(slot: Slot) {
  const driver = driverOf(slot);
  const either = driver === undefined ? words() : z.union([words(), driver]);
  return either.optional().meta({ description: slot.about });
}

/**
 * Schema of `hardware`: what is built into the panel, except its sensors. Parts that are left out are declared absent.
 */
export const hardwareSection = () =>
  z.strictObject({
    ...slotsOf('hardware'),
    ...Object.fromEntries(freeSlotRows.map(([name, slot]) => [name, wordOrDriver(slot)])),
  });

export const sensorsSection = () => z.strictObject(slotsOf('sensors'));

/** Schema of `input`: touch screens, keys and buttons. */
export const inputSection = () => driverOf(slots.input) ?? z.never();
