import { readdir } from 'node:fs/promises';

import { adbRules } from '#machines/adb/decide.ts';

import type { DriverNeeds, Evidence } from '../driver-entry.ts';

/** Largest number of names that a scan reports. */
const mostNames = 32;

export const noNeeds: DriverNeeds = { groups: [], packages: [], kernel: [], udev: [] };

export const adbNeeds: DriverNeeds = { groups: ['plugdev'], packages: ['adb'], kernel: [], udev: adbRules };

/** The scan for a device behind the debugging bridge, which answers only once it is used. */
export const onlyByUsing = (): Promise<Evidence> =>
  Promise.resolve({
    state: 'unknown',
    names: [],
    detail: 'Only a panel that answers over its debugging bridge can tell.',
  });

/** The scan of a driver whose hardware is in memory. */
export const alwaysThere = (): Promise<Evidence> =>
  Promise.resolve({ state: 'found', names: [], detail: 'It is kept in memory.' });

/** Evidence from the device names in one of the kernel's lists. */
export const namesFound = (names: readonly string[], what: string): Evidence =>
  names.length === 0
    ? { state: 'missing', names: [], detail: `The kernel lists no ${what}.` }
    : {
        state: 'found',
        names: names.slice(0, mostNames),
        detail: `The kernel lists ${names.length} ${what}${names.length === 1 ? '' : 's'}.`,
      };

/** The scan of a driver that uses a GPIO line. */
export const scanForChips = async (): Promise<Evidence> =>
  namesFound(
    (await readdir('/dev').catch(() => [])).filter((name) => name.startsWith('gpiochip')),
    'GPIO chip',
  );
