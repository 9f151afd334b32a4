import { readdir, readFile } from 'node:fs/promises';

import type { SensorId } from '#machines/sensors/events.ts';
import { naturalOrder } from '#machines/kit/natural-order.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

/** The device that was chosen for a sensor. */
export interface SensorSource {
  /** Its name as the kernel reports it. */
  readonly device: string;
  /** Takes a reading in the unit of the sensor, NaN if the text is not a number; rejects with the error of the file. */
  readonly read: () => Promise<number>;
  /** True if its files still exist; does not read the device. */
  readonly isThere: () => Promise<boolean>;
}

/** Finds the device of a sensor without reading it; null if there is none. */
export type FindSource = () => Promise<SensorSource | null>;

/** Names in a folder, ordered by number; empty if it cannot be listed. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted(naturalOrder);
}

/** Reads a small text file without its line end; null if it cannot be read. */
export const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/** Reads the number in a file of the kernel, NaN if the text is not a number; rejects with the error of the file. */
export async function numberIn(path: string): Promise<number> {
  const text = (await readFile(path, 'utf8')).trim();
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

const things: Readonly<Record<SensorId, string>> = {
  illuminance: 'light sensor',
  temperature: 'temperature sensor',
  humidity: 'humidity sensor',
};

/** The verdict if the kernel shows no suitable device; `named` is the name in the profile. */
export const missingVerdict = (kind: SensorId, way: string, named: string | null): Verdict => ({
  state: 'not_here',
  reason: 'no-sensor',
  detail:
    named === null
      ? `The kernel shows no ${things[kind]} (${way}).`
      : `The kernel shows no ${things[kind]} named ${named} (${way}).`,
  missing: `A ${things[kind]} that the kernel knows.`,
  fix: null,
});

/** The verdict on a device that was found but could not be read even once. */
export const unreadableVerdict = (kind: SensorId, device: string, code: string): Verdict => ({
  state: code === 'EACCES' || code === 'EPERM' ? 'needs_you' : 'not_here',
  reason: code === 'EACCES' || code === 'EPERM' ? 'sensor-not-permitted' : 'sensor-unreadable',
  detail:
    code === 'EACCES' || code === 'EPERM'
      ? `The ${things[kind]} ${device} is there, but the user of Sconce may not read it.`
      : `The ${things[kind]} ${device} is there but cannot be read (${code}).`,
  missing: 'A reading of the sensor.',
  fix: null,
});
