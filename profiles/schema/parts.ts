import { z } from 'zod';

import type { DriverEntry } from '../driver-entry.ts';
import { type Section, type Slot, slots, slotsIn } from '../slots.ts';

/** One driver with its options, which may be left out where none is required. */
const choiceOf = ({ id, title, options }: DriverEntry) =>
  z.strictObject({
    driver: z.literal(id).meta({ description: title }),
    options: options().safeParse({}).success ? options().optional() : options(),
  });

/** One of the drivers that fit a slot; undefined where this build has none. */
function driverOf({ family, about: description }: Slot) {
  const [first, ...further] = family.drivers.map(choiceOf);
  return first === undefined ? undefined : z.discriminatedUnion('driver', [first, ...further]).meta({ description });
}

type Part = NonNullable<ReturnType<typeof driverOf>>;

/** Slots of a section for which there is a driver. */
const slotsOf = (section: Section): Record<string, z.ZodOptional<Part | z.ZodArray<Part>>> =>
  Object.fromEntries(
    slotsIn(section).flatMap(([key, slot]) => {
      const part = driverOf(slot);
      if (part === undefined) return [];
      const value = slot.list === true ? z.array(part).max(slot.ids.length).meta({ description: slot.about }) : part;
      return [[key, value.optional()]];
    }),
  );

const presence = (description: string) => z.enum(['auto', 'absent']).optional().meta({ description });

/** What is built into the panel beside its sensors; what is left out is declared absent. */
export const hardwareSection = () =>
  z.strictObject({
    ...slotsOf('hardware'),
    camera: presence('auto takes the camera that the system shows; absent says that there is none.'),
    microphone: presence('Whether there is a microphone. Said for people only; no part of Sconce listens.'),
  });

export const sensorsSection = () => z.strictObject(slotsOf('sensors'));

/** Touch screens, keys and buttons. */
export const inputSection = () => driverOf(slots.input) ?? z.never();
