import { z } from 'zod';

import type { DriverEntry, DriverKind } from '../driver-entry.ts';
import { allDrivers } from '#profiles/drivers/all.ts';
import { hardwareLists, hardwareSlots, sensorSlots } from '../slots.ts';

/** One driver with its options, which may be left out where none is required. */
const choiceOf = ({ id, title, options }: DriverEntry) =>
  z.strictObject({
    driver: z.literal(id).meta({ description: title }),
    options: options.safeParse({}).success ? options.optional() : options,
  });

/** A capability reached by one of the drivers of a kind; undefined where this build has no such driver. */
const capability = (kind: DriverKind, description: string) => {
  const [first, ...further] = allDrivers.filter((entry) => entry.kind === kind).map(choiceOf);
  return first === undefined ? undefined : z.discriminatedUnion('driver', [first, ...further]).meta({ description });
};

type Part = NonNullable<ReturnType<typeof capability>>;

/** Slots for which there is a driver. */
const slotsOf = (
  slots: Readonly<Record<string, DriverKind>>,
  descriptions: Readonly<Record<string, string>>,
): Record<string, z.ZodOptional<Part>> =>
  Object.fromEntries(
    Object.entries(slots).flatMap(([slot, kind]) => {
      const part = capability(kind, descriptions[slot] ?? slot);
      return part === undefined ? [] : [[slot, part.optional()]];
    }),
  );

const listsOf = (descriptions: Readonly<Record<string, string>>): Record<string, z.ZodOptional<z.ZodArray<Part>>> =>
  Object.fromEntries(
    Object.entries(hardwareLists).flatMap(([slot, { kind, most }]) => {
      const description = descriptions[slot] ?? slot;
      const part = capability(kind, description);
      return part === undefined ? [] : [[slot, z.array(part).max(most).meta({ description }).optional()]];
    }),
  );

const presence = (description: string) => z.enum(['auto', 'absent']).optional().meta({ description });

/** What is built into the panel beside its sensors; what is left out is declared absent. */
export const hardwareSection = () =>
  z.strictObject({
    ...slotsOf(hardwareSlots, {
      screen: 'The screen, and further displays.',
      volume: 'Volume of the music stream.',
      loudspeaker: 'What announcements are played with.',
      power: 'Reboots the panel.',
      led: 'The light of the panel.',
      button_backlight: 'The light behind the buttons.',
      zigbee_gateway: 'The Zigbee radio of the panel.',
    }),
    ...listsOf({
      button_leds: 'Lamps beside the buttons, from the first to the fourth.',
      relays: 'Relays, from the first to the fourth.',
    }),
    camera: presence('auto takes the camera that the system shows; absent says that there is none.'),
    microphone: presence('Whether there is a microphone. Said for people only; no part of Sconce listens.'),
  });

export const sensorsSection = () =>
  z.strictObject(
    slotsOf(sensorSlots, {
      illuminance: 'Light on the panel, in lux.',
      temperature: 'Temperature at the panel, in degrees Celsius.',
      humidity: 'Relative humidity at the panel, in percent.',
      proximity: 'Whether somebody is near.',
    }),
  );

/** Touch screens, keys and buttons. */
export const inputSection = () => capability('input', 'Touch screens, keys and buttons.') ?? z.never();
