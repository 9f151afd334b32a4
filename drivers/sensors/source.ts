import { readdir, readFile } from 'node:fs/promises';

import type { SensorId } from '#machines/sensors/events.ts';
import { naturalOrder } from '#machines/kit/natural-order.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

/** A device that was chosen for a sensor. */
export interface SensorSource {
  /** Its name as the kernel gives it. */
  readonly device: string;
  /** One reading in the unit of the sensor, not a number where the text is none; rejects with the error of the file. */
  readonly read: () => Promise<number>;
  /** Whether its files are still there; nothing is asked of the device. */
  readonly isThere: () => Promise<boolean>;
}

/** Finds the device of a sensor without asking anything of it. */
export type FindSource = () => Promise<SensorSource | null>;

/** Names in a folder, in the order of their numbers; none where it cannot be listed. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted(naturalOrder);
}

/** The text of a small file without its line end; null where it cannot be read. */
export const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

/** The number in a file of the kernel, not a number where the text is none; rejects with the error of the file. */
export async function numberIn(path: string): Promise<number> {
  const text = (await readFile(path, 'utf8')).trim();
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

const things: Readonly<Record<SensorId, string>> = {
  illuminance: 'light sensor',
  temperature: 'temperature sensor',
  humidity: 'humidity sensor',
};

/** What is said where the kernel shows no suitable device; `named` is the name that the profile asks for. */
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

/** What is said of a device that is there and could not be read even once. */
export const unreadableVerdict = (kind: SensorId, device: string, code: string): Verdict => ({
  state: code === 'EACCES' || code === 'EPERM' ? 'needs_you' : 'not_here',
  reason: code === 'EACCES' || code === 'EPERM' ? 'sensor-not-permitted' : 'sensor-unreadable',
  detail:
    code === 'EACCES' || code === 'EPERM'
      ? `The ${things[kind]} ${device} is there, and the user of Sconce may not read it.`
      : `The ${things[kind]} ${device} is there and cannot be read (${code}).`,
  missing: 'A reading of the sensor.',
  fix: null,
});
