import type { DriverNeeds, Evidence } from '../driver-entry.ts';

/** Most names that a look tells. */
const mostNames = 32;

/** For a driver that needs nothing of the machine. */
export const noNeeds: DriverNeeds = { groups: [], packages: [], kernel: [], udev: [] };

/** The look of a driver that keeps its hardware in memory. */
export const alwaysThere = (): Promise<Evidence> => Promise.resolve({ state: 'found', names: [], detail: 'It is kept in memory.' });

/** What names of devices in the kernel's lists come to. */
export const namesFound = (names: readonly string[], what: string): Evidence =>
  names.length === 0
    ? { state: 'missing', names: [], detail: `The kernel lists no ${what}.` }
    : { state: 'found', names: names.slice(0, mostNames), detail: `The kernel lists ${names.length} ${what}${names.length === 1 ? '' : 's'}.` };
