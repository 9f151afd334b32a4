import type { ChosenDriver, ProfileShape } from './document.ts';
import type { DriverKind } from './driver-entry.ts';
import type { Path } from './yaml/places.ts';

/** Capabilities under `hardware` that name one driver, and the kind of driver that fits. */
export const hardwareSlots = {
  screen: 'screen',
  volume: 'volume',
  loudspeaker: 'loudspeaker',
  power: 'power',
  led: 'light',
  button_backlight: 'light',
  zigbee_gateway: 'zigbee',
} as const satisfies Readonly<Record<string, DriverKind>>;

/** Capabilities under `hardware` that are lists of drivers, and how many a panel can have. */
export const hardwareLists = {
  button_leds: { kind: 'light', most: 4 },
  relays: { kind: 'relay', most: 4 },
} as const satisfies Readonly<Record<string, { readonly kind: DriverKind; readonly most: number }>>;

/** Capabilities under `sensors`. */
export const sensorSlots = {
  illuminance: 'illuminance',
  temperature: 'temperature',
  humidity: 'humidity',
  proximity: 'proximity',
} as const satisfies Readonly<Record<string, DriverKind>>;

/** A declared part with its place in the document. */
export interface PlacedPart {
  readonly path: Path;
  readonly kind: DriverKind;
  readonly part: ChosenDriver;
}

const keysOf = <Key extends string>(slots: Readonly<Record<Key, unknown>>): readonly Key[] =>
  // The keys of these constant tables are their types.
  Object.keys(slots) as Key[];

/** Every part that a document declares, in the order of the schema. */
export const declaredParts = ({ hardware = {}, sensors = {}, input }: ProfileShape): readonly PlacedPart[] => {
  const found: PlacedPart[] = [];
  const take = (path: Path, kind: DriverKind, part: ChosenDriver | undefined): void => {
    if (part !== undefined) found.push({ path, kind, part });
  };
  for (const slot of keysOf(hardwareSlots)) take(['hardware', slot], hardwareSlots[slot], hardware[slot]);
  for (const list of keysOf(hardwareLists))
    for (const [index, part] of (hardware[list] ?? []).entries())
      take(['hardware', list, index], hardwareLists[list].kind, part);
  for (const slot of keysOf(sensorSlots)) take(['sensors', slot], sensorSlots[slot], sensors[slot]);
  take(['input'], 'input', input);
  return found;
};
