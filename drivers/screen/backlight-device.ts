import { constants } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DisplayFacts, DisplayReading } from '#machines/screen/events.ts';

/** One backlight of the kernel (Documentation/ABI/stable/sysfs-class-backlight). */
export interface BacklightDevice {
  readonly folder: string;
  readonly facts: DisplayFacts;
}

/** What a look into the class folder found: the best writable device, or the name of one that may not be written. */
export type Look = { readonly device: BacklightDevice } | { readonly unwritable: string } | { readonly nothing: true };

/** FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN of the kernel's bl_power. */
const POWER_ON = 0;
const POWER_OFF = 4;
/** The order in which the kernel's ABI text tells user space to prefer types. */
const PREFERENCE = ['firmware', 'platform', 'raw'];

const readNumber = async (path: string): Promise<number | null> => {
  const text = (await readFile(path, 'utf8')).trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
};
const readOptional = (path: string): Promise<number | null> => readNumber(path).catch(() => null);
const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
/** POSIX name of a failed call. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly rank: number;
  readonly rawMax: number;
}

const candidate = async (root: string, name: string): Promise<Candidate | null> => {
  const folder = join(root, name);
  const rawMax = await readOptional(join(folder, 'max_brightness'));
  const now = await readOptional(join(folder, 'brightness'));
  if (rawMax === null || rawMax < 1 || now === null) return null;
  const type = await readFile(join(folder, 'type'), 'utf8').catch(() => '');
  const rank = PREFERENCE.indexOf(type.trim());
  return { name, folder, rawMax, rank: rank < 0 ? PREFERENCE.length : rank };
};

/** Looks for the best device in the class folder; only reads and asks for rights, never writes. */
export const lookForBacklight = async (root: string): Promise<Look> => {
  const names = (await readdir(root).catch((): string[] => [])).toSorted();
  const found = (await Promise.all(names.map((name) => candidate(root, name)))).filter((one) => one !== null).toSorted((a, b) => a.rank - b.rank);
  for (const { name, folder, rawMax } of found) {
    if (!(await mayWrite(join(folder, 'brightness')))) continue;
    const power = await mayWrite(join(folder, 'bl_power'));
    return { device: { folder, facts: { name, rawMax, rawMin: 1, power } } };
  }
  const first = found[0];
  return first ? { unwritable: first.name } : { nothing: true };
};

/**
 * Reads a device; null while a file holds no number. `actual_brightness` is what the hardware says; it is left aside while
 * dark (drivers report 0 then) and where it is outside the device's own range (some graphics drivers count it on another
 * scale). Rejects with the kernel's error when the device is gone.
 */
export const readBacklight = async ({ folder, facts }: BacklightDevice, power: boolean): Promise<DisplayReading | null> => {
  const state = power ? await readNumber(join(folder, 'bl_power')) : POWER_ON;
  if (state === null) return null;
  const powered = state === POWER_ON;
  const actual = powered ? await readOptional(join(folder, 'actual_brightness')) : null;
  if (actual !== null && actual <= facts.rawMax) return { raw: actual, powered };
  const raw = await readNumber(join(folder, 'brightness'));
  return raw === null ? null : { raw: Math.min(raw, facts.rawMax), powered };
};

/** Writes the raw brightness. Rejects with the kernel's error. */
export const writeBrightness = ({ folder }: BacklightDevice, raw: number): Promise<void> => writeFile(join(folder, 'brightness'), `${raw}\n`);

/** Writes the power switch. Rejects with the kernel's error. */
export const writePower = ({ folder }: BacklightDevice, powered: boolean): Promise<void> =>
  writeFile(join(folder, 'bl_power'), `${powered ? POWER_ON : POWER_OFF}\n`);
