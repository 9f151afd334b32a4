import type { ActorId } from '#machines/actors.ts';
import { relayIds } from '#machines/relays/events.ts';
import { screenIds } from '#machines/screen/events.ts';

import type { DriverFamily } from './driver-entry.ts';
import { inputDrivers } from './drivers/input.ts';
import { lightDrivers } from './drivers/lights.ts';
import { powerDrivers } from './drivers/power.ts';
import { proximityDrivers } from './drivers/proximity.ts';
import { relayDrivers } from './drivers/relays.ts';
import { screenDrivers } from './drivers/screen.ts';
import { humidityDrivers, illuminanceDrivers, temperatureDrivers } from './drivers/sensors.ts';
import { loudspeakerDrivers, volumeDrivers } from './drivers/sound.ts';
import { zigbeeDrivers } from './drivers/zigbee.ts';

/** The parts of a document that hold slots; `input` is a slot by itself. */
export type Section = 'hardware' | 'sensors';

/** One slot of a profile. */
export interface Slot<Made = unknown> {
  /** Where a document names its driver. */
  readonly path: readonly [Section, string] | readonly ['input'];
  /** Whether the document gives a list there, with at most as many drivers as there are ids. */
  readonly list?: true;
  /** One sentence for whoever writes a profile. */
  readonly about: string;
  /** The drivers that fit. */
  readonly family: DriverFamily<Made>;
  /** Registry ids of the actors that its drivers are for, in order; where there is one, the slot makes one at most. */
  readonly ids: readonly [ActorId, ...ActorId[]];
  /**
   * Capabilities that are absent while nothing is in the slot; the part is judged as the first. Left out where each id
   * is a capability of its own.
   */
  readonly capabilities?: readonly [string, ...string[]];
  /**
   * Capabilities that are absent also while an option of the driver lists nothing, by the name of that option; each of
   * what is listed is a part of its own beside the first.
   */
  readonly listed?: Readonly<Record<string, string>>;
  /** Recommended where left out, optional where an option of the driver says so. */
  readonly importance?: 'required';
}

/**
 * Every slot of a profile by its name, in the order of the document: schema, drivers, requirements, absent capabilities
 * and the types of a resolved profile are read off this table.
 */
export const slots = {
  screen: {
    path: ['hardware', 'screen'],
    about: 'The screen, and further displays.',
    family: screenDrivers,
    ids: screenIds,
    capabilities: ['screen'],
    importance: 'required',
  },
  volume: {
    path: ['hardware', 'volume'],
    about: 'Volume of the music stream.',
    family: volumeDrivers,
    ids: ['volume'],
  },
  loudspeaker: {
    path: ['hardware', 'loudspeaker'],
    about: 'What announcements are played with.',
    family: loudspeakerDrivers,
    ids: ['announcer'],
    capabilities: ['announcements'],
  },
  power: {
    path: ['hardware', 'power'],
    about: 'Reboots the panel.',
    family: powerDrivers,
    ids: ['power'],
    capabilities: ['reboot', 'power'],
  },
  led: {
    path: ['hardware', 'led'],
    about: 'The light of the panel.',
    family: lightDrivers,
    ids: ['led'],
  },
  button_backlight: {
    path: ['hardware', 'button_backlight'],
    about: 'The light behind the buttons.',
    family: lightDrivers,
    ids: ['buttons'],
    capabilities: ['button_backlight'],
  },
  zigbee: {
    path: ['hardware', 'zigbee_gateway'],
    about: 'The Zigbee radio of the panel.',
    family: zigbeeDrivers,
    ids: ['zigbee'],
  },
  button_leds: {
    path: ['hardware', 'button_leds'],
    list: true,
    about: 'Lamps beside the buttons, from the first to the fourth.',
    family: lightDrivers,
    ids: ['button_led1', 'button_led2', 'button_led3', 'button_led4'],
  },
  relays: {
    path: ['hardware', 'relays'],
    list: true,
    about: 'Relays, from the first to the fourth.',
    family: relayDrivers,
    ids: relayIds,
  },
  illuminance: {
    path: ['sensors', 'illuminance'],
    about: 'Light on the panel, in lux.',
    family: illuminanceDrivers,
    ids: ['illuminance'],
  },
  temperature: {
    path: ['sensors', 'temperature'],
    about: 'Temperature at the panel, in degrees Celsius.',
    family: temperatureDrivers,
    ids: ['temperature'],
  },
  humidity: {
    path: ['sensors', 'humidity'],
    about: 'Relative humidity at the panel, in percent.',
    family: humidityDrivers,
    ids: ['humidity'],
  },
  proximity: {
    path: ['sensors', 'proximity'],
    about: 'Whether somebody is near.',
    family: proximityDrivers,
    ids: ['proximity'],
  },
  input: {
    path: ['input'],
    about: 'Touch screens, keys and buttons.',
    family: inputDrivers,
    ids: ['input'],
    capabilities: ['touch', 'buttons'],
    listed: { buttons: 'buttons' },
  },
} as const satisfies Readonly<Record<string, Slot>>;

/** The rows of the table, each of its own type. */
export type Slots = typeof slots;

/** Name of a slot. */
export type SlotName = keyof Slots;

/** Every slot with its name, in the order of the document. */
export const slotRows: readonly (readonly [SlotName, Slot])[] =
  // The keys of a constant table are its type.
  Object.entries(slots) as [SlotName, Slot][];

/** The slots of one section with their names there. */
export const slotsIn = (section: Section): readonly (readonly [string, Slot])[] =>
  slotRows.flatMap(([, slot]) => (slot.path[0] === section ? [[slot.path[1], slot] as const] : []));
