import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from './error-code.ts';
import type { GpioChips } from './gpio.ts';

/** udev rule that lets the group gpio use GPIO chips. */
export const gpioRules: readonly string[] = ['SUBSYSTEM=="gpio", KERNEL=="gpiochip[0-9]*", GROUP="gpio", MODE="0660"'];

/**
 * A chip by its label (`pinctrl-bcm2711`), which is stable, or by its name (`gpiochip0`), which may change at each
 * boot.
 */
export type WantedChip = { readonly label: string } | { readonly name: string };

const CHIP_FILE = /^gpiochip\d{1,4}$/;
const FORBIDDEN = new Set(['EACCES', 'EPERM']);

/** True if the error means that this user lacks the rights. */
export const isForbidden = (error: unknown): boolean => FORBIDDEN.has(errorCode(error));

/** Device files of the chips, ordered by number; `root` is their folder. */
export const chipFiles = async (root: string): Promise<readonly string[]> =>
  (await readdir(root).catch((): string[] => []))
    .filter((name) => CHIP_FILE.test(name))
    .toSorted((one, other) => Number(one.slice(8)) - Number(other.slice(8)))
    .map((name) => join(root, name));

/**
 * Device file of the wanted chip; null if there is none, `denied` if some chip may not be opened and none of the others
 * matches.
 */
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
