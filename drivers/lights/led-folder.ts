import { constants } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The kernel's folder of LEDs (Documentation/ABI/testing/sysfs-class-led). */
export const LED_CLASS = '/sys/class/leds';

/**
 * An LED by the kernel's name (`ACT`, `green:status`), or `*:function` for the alphabetically first with that function.
 * No path matches.
 */
export const LED_NAME = /^(?:\*:[A-Za-z0-9_-]{1,60}|(?!\.)[A-Za-z0-9_.:+@-]{1,64})$/;

export interface Led {
  readonly name: string;
  readonly folder: string;
  /** Largest raw brightness, at least 1. */
  readonly rawMax: number;
}

const isOf = (wanted: string, name: string): boolean =>
  wanted.startsWith('*:') ? name.endsWith(wanted.slice(1)) : name === wanted;

const numberIn = (text: string): number | null => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null);

/** Reads a number from a file of the kernel. Rejects with the kernel's error, or with `EIO` if there is no number. */
export async function readNumber(path: string): Promise<number> {
  const value = numberIn(await readFile(path, 'utf8'));
  if (value === null) throw Object.assign(new Error('no number'), { code: 'EIO' });
  return value;
}

/** Writes to an existing file of the kernel and never creates one. Rejects with the kernel's error. */
export const writeText = (path: string, text: string): Promise<void> =>
  writeFile(path, `${text}\n`, { flag: constants.O_WRONLY | constants.O_TRUNC });

export const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );

/** Finds an LED by name or function; null if there is none that can be read. */
export async function findLed(root: string, wanted: string): Promise<Led | null> {
  if (!LED_NAME.test(wanted)) return null;
  const names = (await readdir(root).catch((): string[] => [])).toSorted();
  const name = names.find((one) => isOf(wanted, one));
  if (name === undefined) return null;
  const folder = join(root, name);
  const rawMax = await readNumber(join(folder, 'max_brightness')).catch(() => 0);
  return rawMax < 1 ? null : { name, folder, rawMax };
}

/** Reads which kernel trigger drives an LED (`heartbeat`, `mmc0`); null for none, or if the kernel has no triggers. */
export async function readTrigger({ folder }: Led): Promise<string | null> {
  const text = await readFile(join(folder, 'trigger'), 'utf8').catch(() => '');
  const chosen = /\[([^\]\s]+)\]/.exec(text)?.[1] ?? null;
  return chosen === 'none' ? null : chosen;
}

/** Assigns an LED to a trigger, or to none. Rejects with the kernel's error. */
export const writeTrigger = ({ folder }: Led, trigger: string | null): Promise<void> =>
  writeText(join(folder, 'trigger'), trigger ?? 'none');
