import { describe, expect, it } from 'vitest';

import { absentCapabilities, declaredParts, optionalCapabilities } from '#profiles/declared-parts.ts';
import type { ProfileParts } from '#profiles/document.ts';
import { emergencyProfile } from '#profiles/emergency.ts';
import { resolveSlots, sharedParts } from '#profiles/resolve.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';
import { slotRows } from '#profiles/slots.ts';

/** Everything that a profile can have, by the capabilities that the contract names. */
const everything = [
  'screen',
  'volume',
  'announcements',
  'reboot',
  'power',
  'led',
  'button_backlight',
  'zigbee',
  'button_led1',
  'button_led2',
  'button_led3',
  'button_led4',
  'relay1',
  'relay2',
  'relay3',
  'relay4',
  'illuminance',
  'temperature',
  'humidity',
  'proximity',
  'touch',
  'buttons',
];

const relay = { driver: 'relay.simulated' };

describe('the table of slots', () => {
  it('gives each registry id to one slot', () => {
    const ids = slotRows.flatMap(([, slot]) => slot.ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives each place of the document to one slot', () => {
    const places = slotRows.map(([, slot]) => slot.path.join('.'));
    expect(new Set(places).size).toBe(places.length);
  });

  it.each<[string, ProfileParts, readonly string[]]>([
    ['nothing', {}, everything],
    [
      'two relays',
      { hardware: { relays: [relay, relay] } },
      everything.filter((one) => one !== 'relay1' && one !== 'relay2'),
    ],
    [
      'a way to reboot',
      { hardware: { power: { driver: 'power.system' } } },
      everything.filter((one) => one !== 'reboot' && one !== 'power'),
    ],
    ['touch without buttons', { input: { driver: 'input.evdev' } }, everything.filter((one) => one !== 'touch')],
    [
      'an empty list of buttons',
      { input: { driver: 'input.evdev', options: { buttons: [] } } },
      everything.filter((one) => one !== 'touch'),
    ],
    [
      'touch and a button',
      { input: { driver: 'input.simulated', options: { buttons: [{ name: 'left' }] } } },
      everything.filter((one) => one !== 'touch' && one !== 'buttons'),
    ],
    ['a camera that is not there', { hardware: { camera: 'absent' } }, everything],
  ])('says what is absent from a document with %s', (_, document, absent) => {
    expect(absentCapabilities(document)).toEqual(absent);
  });

  it('says what a document leaves to a look at the machine', () => {
    const power = { driver: 'power.system', options: { optional: true } };
    const screen = { driver: 'screen.auto', options: { optional: false } };
    expect(optionalCapabilities({ hardware: { power, screen } })).toEqual(['reboot', 'power']);
    expect(optionalCapabilities({})).toEqual([]);
  });

  it('fills a list from the front, with an id for each place', () => {
    const { relays, zigbee, screen } = resolveSlots({ hardware: { relays: [relay, relay] } }, sharedParts());
    expect(relays.map(({ id }) => id)).toEqual(['relay1', 'relay2']);
    expect([zigbee, screen]).toEqual([null, []]);
  });

  it('gives each display of one driver an id of its own', () => {
    const { screen } = resolveSlots(
      { hardware: { screen: { driver: 'screen.auto', options: { displays: 3 } } } },
      sharedParts(),
    );
    expect(screen.map(({ id }) => id)).toEqual(['screen', 'screen_2', 'screen_3']);
  });

  it('lists the parts of a document with their places, in the order of the schema', () => {
    const parts = declaredParts({
      input: { driver: 'input.evdev' },
      hardware: { relays: [relay], led: { driver: 'a' } },
    });
    expect(parts.map(({ name, path }) => [name, path.join('.')])).toEqual([
      ['led', 'hardware.led'],
      ['relays', 'hardware.relays.0'],
      ['input', 'input'],
    ]);
  });

  it('refuses a driver of another family', () => {
    const stray = { hardware: { screen: { driver: 'volume.simulated' } } };
    expect(() => resolveSlots(stray, sharedParts())).toThrow('driver volume.simulated cannot be made');
  });

  it('judges each part of the simulated panel as a capability, under a name of its own', () => {
    const requirements = simulatedProfile()
      .declared.map(({ requirement }) => requirement)
      .filter(({ beside }) => beside === undefined);
    expect(requirements.map(({ slot, capability, importance }) => `${slot} ${capability} ${importance}`)).toEqual([
      'screen screen required',
      'volume volume recommended',
      'loudspeaker announcements recommended',
      'power reboot recommended',
      'led led recommended',
      'button_backlight button_backlight recommended',
      'zigbee zigbee recommended',
      'button_led1 button_led1 recommended',
      'button_led2 button_led2 recommended',
      'button_led3 button_led3 recommended',
      'button_led4 button_led4 recommended',
      'relay1 relay1 recommended',
      'relay2 relay2 recommended',
      'relay3 relay3 recommended',
      'relay4 relay4 recommended',
      'illuminance illuminance recommended',
      'temperature temperature recommended',
      'humidity humidity recommended',
      'proximity proximity recommended',
      'input touch recommended',
      'buttons buttons recommended',
      'camera camera optional',
      'microphone microphone optional',
    ]);
  });

  it('leaves nothing to a panel without a profile', () => {
    expect(emergencyProfile().absent).toEqual([...everything, 'adb']);
  });
});
