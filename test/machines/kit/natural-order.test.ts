import { expect, it } from 'vitest';

import { naturalOrder } from '#machines/kit/natural-order.ts';

it.each([
  [
    ['iio:device10', 'iio:device2', 'iio:device0'],
    ['iio:device0', 'iio:device2', 'iio:device10'],
  ],
  [
    ['LVDS-1', 'HDMI-A-2', 'eDP-1', 'HDMI-A-1'],
    ['eDP-1', 'HDMI-A-1', 'HDMI-A-2', 'LVDS-1'],
  ],
  [
    ['hwmon1', 'hwmon', 'hwmon01'],
    ['hwmon', 'hwmon01', 'hwmon1'],
  ],
  [
    ['b', '', 'a1b', '2', 'a1'],
    ['', '2', 'a1', 'a1b', 'b'],
  ],
])('%j is sorted', (names, sorted) => {
  expect(names.toSorted(naturalOrder)).toEqual(sorted);
  expect(names.toReversed().toSorted(naturalOrder)).toEqual(sorted);
});

it.each(['illuminance0', 'in_illuminance_2', 'card0-HDMI-A-1', 'thermal_zone12', 'backlight'])(
  'agrees with the language on names like %s',
  (name) => {
    const names = Array.from({ length: 25 }, (_, index) => `${name}${index * 7}`);
    const byLanguage = names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    expect(names.toReversed().toSorted(naturalOrder)).toEqual(byLanguage);
    expect(naturalOrder(name, name)).toBe(0);
  },
);
