import type { ActorId } from '#machines/actors.ts';
import { relayIds } from '#machines/relays/events.ts';
import { screenIds } from '#machines/screen/events.ts';

import type { DriverFamily } from './driver-entry.ts';
import { cameraDrivers } from './drivers/camera.ts';
import { inputDrivers } from './drivers/input.ts';
import { lightDrivers } from './drivers/lights.ts';
import { microphoneDrivers } from './drivers/microphone.ts';
import { powerDrivers } from './drivers/power.ts';
import { proximityDrivers } from './drivers/proximity.ts';
import { relayDrivers } from './drivers/relays.ts';
import { screenDrivers } from './drivers/screen.ts';
import { humidityDrivers, illuminanceDrivers, temperatureDrivers } from './drivers/sensors.ts';
import { loudspeakerDrivers, volumeDrivers } from './drivers/sound.ts';
import { zigbeeDrivers } from './drivers/zigbee.ts';

/** The sections of a document that contain slots; `input` is a slot itself. */
export type Section = 'hardware' | 'sensors';

/** One slot of a profile. */
export interface Slot<Made = unknown> {
  /** Path at which a document names its driver. */
  readonly path: readonly [Section, string] | readonly ['input'];
  /** Set if the document has a list there, with at most as many drivers as there are ids. */
  readonly list?: true;
  /** One sentence for the authors of profiles. */
  readonly about: string;
  readonly family: DriverFamily<Made>;
  /** Registry ids of the actors for its drivers, in order; with a single id the slot has at most one driver. */
  readonly ids: readonly [ActorId, ...ActorId[]];
  /** Capabilities that are absent while the slot is empty; the part is judged as the first. Defaults to the ids. */
  readonly capabilities?: readonly [string, ...string[]];
  /**
   * Capabilities that are also absent while an option of the driver lists nothing, by the name of that option. Each is
   * judged as a separate part.
   */
  readonly listed?: Readonly<Record<string, string>>;
  /** By default recommended, or optional if an option of the driver says so. */
  readonly importance?: 'required' | 'optional';
}

/**
 * Every slot of a profile by name, in the order of the document. Schema, drivers, requirements, absent capabilities and
 * the types of a resolved profile derive from this table.
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
    about: 'Plays announcements.',
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
    about: 'Whether a person is near.',
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

/** The table, with the exact type of each row. */
export type Slots = typeof slots;

export type SlotName = keyof Slots;

/**
 * Camera and microphone. They are no slots: their parts run on every panel, since they also say that there is none, and
 * a document that names no driver leaves them to the system (`left-to-system.ts`).
 */
export const freeSlots = {
  camera: {
    path: ['hardware', 'camera'],
    about: 'auto uses the camera that the system shows, absent says that there is none; a driver names one.',
    family: cameraDrivers,
    ids: ['camera'],
    importance: 'optional',
  },
  microphone: {
    path: ['hardware', 'microphone'],
    about: 'auto uses the microphone that the system shows, absent says that there is none; a driver names one.',
    family: microphoneDrivers,
    ids: ['microphone'],
    importance: 'optional',
  },
} as const satisfies Readonly<Record<string, Slot>>;

/** The name of a part that a document may leave to the system. */
export type FreePart = keyof typeof freeSlots;

/** Each of them with its name, in the order of the document. */
export const freeSlotRows: readonly (readonly [FreePart, Slot])[] =
  // The keys of a constant object are exactly those of its type.
  Object.entries(freeSlots) as [FreePart, Slot][];

/** Every slot with its name, in the order of the document. */
export const slotRows: readonly (readonly [SlotName, Slot])[] =
  // The keys of a constant object are exactly those of its type.
  Object.entries(slots) as [SlotName, Slot][];

/** All that a document can name a driver for. */
export const documentRows: readonly (readonly [SlotName | FreePart, Slot])[] = [...slotRows, ...freeSlotRows];

/** The slots of one section, by their names in it. */
export const slotsIn = (section: Section): readonly (readonly [string, Slot])[] =>
  slotRows.flatMap(([, slot]) => (slot.path[0] === section ? [[slot.path[1], slot] as const] : []));
