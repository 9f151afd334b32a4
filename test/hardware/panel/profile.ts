/** Id of the profile of the guest. */
export const profileId = 'kernel-guest';
/** Names of the buttons' device and of the relays' chip, as they are plugged in. */
export const buttonsDevice = 'Panel buttons';
export const relaysChip = 'panel-relays';

/** The bridge's own GPIO lines carry the relays where the kernel cannot simulate a chip. */
export const bridgeChip = 'mcp2221_gpio';

/** A profile that declares every part of a panel by the kernel's own classes. */
export const profileOf = (chip: string): string => `schema: 1
id: ${profileId}
version: 1.0.0
display_name: Panel of the guest
metadata: { author: Sconce, license: MIT, maturity: experimental }
requires:
  drivers: [screen.auto, power.system, led.class, relay.gpio, input.evdev, illuminance.iio, temperature.iio, humidity.hwmon, proximity.iio]
match:
  priority: 0
  fallback: false
  any: [{ priority: 0, all: [{ field: dmi_vendor, op: equals, values: [qemu] }] }]
platform: { os: linux }
hardware:
  screen: { driver: screen.auto }
  power: { driver: power.system }
  led: { driver: led.class, options: { name: '*:indicator' } }
  button_backlight: { driver: led.class, options: { name: '*:led0' } }
  button_leds:
    - { driver: led.class, options: { name: '*:led1' } }
    - { driver: led.class, options: { name: '*:led2' } }
    - { driver: led.class, options: { name: '*:led3' } }
    - { driver: led.class, options: { name: '*:led4' } }
  relays:
    - { driver: relay.gpio, options: { chip_label: ${chip}, line: 0, restore: 'off' } }
    - { driver: relay.gpio, options: { chip_label: ${chip}, line: 1, restore: 'off' } }
    - { driver: relay.gpio, options: { chip_label: ${chip}, line: 2, restore: 'off' } }
    - { driver: relay.gpio, options: { chip_label: ${chip}, line: 3, restore: 'off' } }
sensors:
  illuminance: { driver: illuminance.iio, options: { interval_s: 1 } }
  temperature: { driver: temperature.iio, options: { interval_s: 1 } }
  humidity: { driver: humidity.hwmon, options: { chip: sht3x, interval_s: 1 } }
  proximity: { driver: proximity.iio, options: { poll_hz: 10 } }
input:
  driver: input.evdev
  options:
    buttons:
      - { name: left, device: ${buttonsDevice}, code: KEY_F1, long_ms: 3000, double_ms: 2000 }
`;
