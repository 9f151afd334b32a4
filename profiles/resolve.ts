import { AdbLink } from '#drivers/adb/link.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatorDriver } from '#drivers/simulator/driver.ts';
import type { LightId } from '#machines/lights/events.ts';
import { relayIds } from '#machines/relays/events.ts';

import type { ChosenDriver, ProfileShape } from './document.ts';
import type { DriverKind, DriverParts, MadeByKind } from './driver-entry.ts';
import { driverById } from './drivers/all.ts';
import type { ProfileRevision, ResolvedProfile } from './resolved.ts';
import { wishesOf } from './wishes.ts';

/** Names of the lights beside buttons, in the order of the list. */
const buttonLeds: readonly LightId[] = ['button_led1', 'button_led2', 'button_led3', 'button_led4'];

/** A profile cannot be made into drivers by this build. */
export class UnresolvableProfileError extends Error {
  readonly code = 'unresolvable-profile';
  /** Id of the driver that cannot be made. */
  readonly driver: string;
  constructor(driver: string) {
    super(`driver ${driver} cannot be made`);
    this.name = 'UnresolvableProfileError';
    this.driver = driver;
  }
}

/** What drivers of one profile share, each made when the first of them asks for it. */
export const sharedParts = (device?: SimulatedDevice): DriverParts => {
  let made = device;
  let link: AdbLink | undefined;
  return { simulated: () => (made ??= new SimulatedDevice()), android: () => (link ??= new AdbLink()) };
};

/** Makes the drivers that a document names; throws `UnresolvableProfileError` where this build cannot. */
export const resolveProfile = (
  document: ProfileShape,
  revision: Pick<ProfileRevision, 'hash' | 'origin'>,
  parts: DriverParts = sharedParts(),
): ResolvedProfile => {
  const make = <Kind extends DriverKind>(kind: Kind, part: ChosenDriver | undefined): MadeByKind[Kind] | null => {
    if (part === undefined) return null;
    const entry = driverById(part.driver);
    const options = entry?.options.safeParse(part.options ?? {});
    if (entry?.kind !== kind || options?.success !== true) throw new UnresolvableProfileError(part.driver);
    // The kind says what a driver makes.
    return entry.create(options.data, parts) as MadeByKind[Kind];
  };
  const { hardware = {}, sensors = {}, input } = document;
  const screen = make('screen', hardware.screen);
  const lights: ResolvedProfile['lights'] = Object.fromEntries(
    [
      ['led', hardware.led] as const,
      ['buttons', hardware.button_backlight] as const,
      ...buttonLeds.map((id, index) => [id, hardware.button_leds?.[index]] as const),
    ].flatMap(([id, part]) => {
      const light = make('light', part);
      return light === null ? [] : [[id, light]];
    }),
  );
  const relays: ResolvedProfile['relays'] = Object.fromEntries(
    relayIds.flatMap((id, index) => {
      const relay = make('relay', hardware.relays?.[index]);
      return relay === null ? [] : [[id, relay]];
    }),
  );
  const simulated = document.platform.os === 'simulated';
  const buttons = input?.options?.['buttons'];
  return {
    id: document.id,
    title: document.display_name,
    revision: { ...revision, version: document.version, maturity: document.metadata.maturity },
    simulated,
    screen: screen?.first ?? null,
    furtherScreens: screen?.further ?? [],
    input: make('input', input),
    volume: make('volume', hardware.volume),
    loudspeaker: make('loudspeaker', hardware.loudspeaker),
    power: make('power', hardware.power),
    lights,
    relays,
    buttons: Array.isArray(buttons) && buttons.length > 0,
    illuminance: make('illuminance', sensors.illuminance),
    temperature: make('temperature', sensors.temperature),
    humidity: make('humidity', sensors.humidity),
    proximity: make('proximity', sensors.proximity),
    zigbee: make('zigbee', hardware.zigbee_gateway),
    adb: document.platform.os === 'android' ? parts.android() : null,
    simulator: simulated ? simulatorDriver(parts.simulated()) : null,
    declared: wishesOf(document),
    cameraSuppressed: hardware.camera === 'absent',
  };
};
