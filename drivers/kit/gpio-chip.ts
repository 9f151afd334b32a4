import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from './error-code.ts';
import type { GpioChips } from './gpio.ts';

/** udev rule that lets the group gpio use GPIO chips. */
export const gpioRules: readonly string[] = ['SUBSYSTEM=="gpio", KERNEL=="gpiochip[0-9]*", GROUP="gpio", MODE="0660"'];

/**
 * The chip by what it is called (`pinctrl-bcm2711`), which stays; or by its name (`gpiochip0`), which may change from
 * start to start.
 */
export type WantedChip = { readonly label: string } | { readonly name: string };

const CHIP_FILE = /^gpiochip\d{1,4}$/;
const FORBIDDEN = new Set(['EACCES', 'EPERM']);

/** Whether the error says that this user may not. */
export const isForbidden = (error: unknown): boolean => FORBIDDEN.has(errorCode(error));

/** The files of the chips in the order of their numbers; `root` is the folder of the device files. */
export const chipFiles = async (root: string): Promise<readonly string[]> =>
  (await readdir(root).catch((): string[] => []))
    .filter((name) => CHIP_FILE.test(name))
    .toSorted((one, other) => Number(one.slice(8)) - Number(other.slice(8)))
    .map((name) => join(root, name));

/** The file of the wanted chip; `denied` where one may not be asked and none of the others is it. */
export async function findChip(
  chips: GpioChips,
  root: string,
  wanted: WantedChip,
): Promise<{ readonly path: string; readonly lines: number } | 'denied' | null> {
  let denied = false;
  for (const path of await chipFiles(root)) {
    try {
      const facts = await chips.chip(path);
      if ('label' in wanted ? facts.label === wanted.label : facts.name === wanted.name)
        return { path, lines: facts.lines };
    } catch (error) {
      denied ||= isForbidden(error);
    }
  }
  return denied ? 'denied' : null;
}
