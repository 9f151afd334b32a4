import { readdir } from 'node:fs/promises';

import { adbRules } from '#machines/adb/decide.ts';

import type { DriverNeeds, Evidence } from '../driver-entry.ts';

/** Most names that a scan reports. */
const mostNames = 32;

/** For a driver that needs nothing of the machine. */
export const noNeeds: DriverNeeds = { groups: [], packages: [], kernel: [], udev: [] };

/** What every driver of an Android panel needs. */
export const adbNeeds: DriverNeeds = { groups: ['plugdev'], packages: ['adb'], kernel: [], udev: adbRules };

/** The scan for what lies behind a bridge: it answers only once it is used. */
export const onlyByUsing = (): Promise<Evidence> =>
  Promise.resolve({
    state: 'unknown',
    names: [],
    detail: 'Only a panel that answers over its debugging bridge can tell.',
  });

/** The scan of a driver that keeps its hardware in memory. */
export const alwaysThere = (): Promise<Evidence> =>
  Promise.resolve({ state: 'found', names: [], detail: 'It is kept in memory.' });

/** What names of devices in the kernel's lists come to. */
export const namesFound = (names: readonly string[], what: string): Evidence =>
  names.length === 0
    ? { state: 'missing', names: [], detail: `The kernel lists no ${what}.` }
    : {
        state: 'found',
        names: names.slice(0, mostNames),
        detail: `The kernel lists ${names.length} ${what}${names.length === 1 ? '' : 's'}.`,
      };

/** The scan of a driver that uses a line of a GPIO chip. */
export const scanForChips = async (): Promise<Evidence> =>
  namesFound(
    (await readdir('/dev').catch(() => [])).filter((name) => name.startsWith('gpiochip')),
    'GPIO chip',
  );
