import { constants } from 'node:fs';
import { access, type FileHandle, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DisplayFacts, DisplayReading } from '#machines/screen/events.ts';

/** A backlight of the kernel (Documentation/ABI/stable/sysfs-class-backlight). */
export interface BacklightDevice {
  readonly folder: string;
  readonly facts: DisplayFacts;
}

/** The best writable device, or the name of one that may not be written. */
export type BacklightScan =
  | { readonly device: BacklightDevice }
  | { readonly unwritable: string }
  | { readonly nothing: true };

/** Values of the kernel's bl_power: FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN. */
const POWER_ON = 0;
const POWER_OFF = 4;
/** Types in the order of preference that the kernel's ABI text gives. */
const PREFERENCE = ['firmware', 'platform', 'raw'];

async function readNumber(path: string): Promise<number | null> {
  const text = (await readFile(path, 'utf8')).trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
const readOptional = (path: string): Promise<number | null> => readNumber(path).catch(() => null);
const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );

interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly rank: number;
  readonly rawMax: number;
}

async function candidate(root: string, name: string): Promise<Candidate | null> {
  const folder = join(root, name);
  const rawMax = await readOptional(join(folder, 'max_brightness'));
  const now = await readOptional(join(folder, 'brightness'));
  if (rawMax === null || rawMax < 1 || now === null) return null;
  const type = await readFile(join(folder, 'type'), 'utf8').catch(() => '');
  const rank = PREFERENCE.indexOf(type.trim());
  return { name, folder, rawMax, rank: rank < 0 ? PREFERENCE.length : rank };
}

/** Scans the class folder for the best device; reads and checks permissions, never writes. */
export async function scanBacklights(root: string): Promise<BacklightScan> {
  const names = (await readdir(root).catch((): string[] => [])).toSorted();
  const found = (await Promise.all(names.map((name) => candidate(root, name))))
    .filter((one) => one !== null)
    .toSorted((a, b) => a.rank - b.rank);
  for (const { name, folder, rawMax } of found) {
    if (!(await mayWrite(join(folder, 'brightness')))) continue;
    const power = await mayWrite(join(folder, 'bl_power'));
    return { device: { folder, facts: { name, rawMax, rawMin: 1, power } } };
  }
  const first = found[0];
  return first ? { unwritable: first.name } : { nothing: true };
}

/** A device whose files are kept open, so that a reading costs one short read per file. */
export interface BacklightGauge {
  /**
   * The current value; null while a file holds no number. `actual_brightness` is the hardware's value; it is ignored
   * while dark (drivers report 0 then) and if it is outside the device's range (some graphics drivers use another
   * scale). Without `power` the switch is not read. Rejects with the kernel's error if the device is gone.
   */
  readonly read: (power: boolean) => Promise<DisplayReading | null>;
  /** What was written last, by any program, without asking the hardware; null while a file holds no number. */
  readonly requested: () => Promise<DisplayReading | null>;
  readonly close: () => Promise<void>;
}

/**
 * Reads between two checks that the file still exists. The kernel reports ENODEV on an open file of a device that is
 * gone; plain files, as in tests, need this check.
 */
const READS_PER_CHECK = 4;
/** Longest number with its line end, in bytes. */
const NUMBER_BYTES = 16;

const optionalFile = (path: string): Promise<FileHandle | null> => open(path, 'r').catch(() => null);
async function numberIn(file: FileHandle): Promise<number | null> {
  // Reading from offset 0 makes the kernel query the driver again.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(NUMBER_BYTES), 0, NUMBER_BYTES, 0);
  const text = buffer.toString('latin1', 0, bytesRead).trim();
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Opens a device for reading. Rejects with the kernel's error if it is gone. */
export async function openGauge({ folder, facts }: BacklightDevice): Promise<BacklightGauge> {
  const brightness = await open(join(folder, 'brightness'), 'r');
  const actual = await optionalFile(join(folder, 'actual_brightness'));
  const power = facts.power ? await optionalFile(join(folder, 'bl_power')) : null;
  let reads = 0;
  /** False if it is switched off; null while the switch holds no number. */
  const switchedOn = async (): Promise<boolean | null> => {
    const state = power === null ? POWER_ON : await numberIn(power);
    return state === null ? null : state === POWER_ON;
  };
  return {
    requested: async () => {
      const powered = await switchedOn();
      const raw = await numberIn(brightness);
      return powered === null || raw === null ? null : { raw, powered };
    },
    read: async (withPower) => {
      reads += 1;
      if (reads % READS_PER_CHECK === 0) await access(join(folder, 'brightness'));
      const powered = withPower ? await switchedOn() : true;
      if (powered === null) return null;
      const measured = powered && actual !== null ? await numberIn(actual) : null;
      if (measured !== null && measured <= facts.rawMax) return { raw: measured, powered };
      const raw = await numberIn(brightness);
      return raw === null ? null : { raw: Math.min(raw, facts.rawMax), powered };
    },
    close: async () => {
      const files = [brightness, actual, power].filter((file) => file !== null);
      await Promise.all(files.map((file) => file.close().catch(() => {})));
    },
  };
}

/** Writes the raw brightness. Rejects with the kernel's error. */
export const writeBrightness = ({ folder }: BacklightDevice, raw: number): Promise<void> =>
  writeFile(join(folder, 'brightness'), `${raw}\n`);

/** Writes the power switch. Rejects with the kernel's error. */
export const writePower = ({ folder }: BacklightDevice, powered: boolean): Promise<void> =>
  writeFile(join(folder, 'bl_power'), `${powered ? POWER_ON : POWER_OFF}\n`);
