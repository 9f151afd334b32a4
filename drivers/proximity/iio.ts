import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ownUser } from '#drivers/kit/own-user.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import { naturalOrder } from '#machines/kit/natural-order.ts';
import type { ProximityDriver } from '#machines/proximity/events.ts';

import { type ProximityDecisions, sampledProximity } from './sampled.ts';
import type { Opened } from './sensor.ts';

/** Folder of the kernel's sensors (Documentation/ABI/testing/sysfs-bus-iio). */
const IIO_FOLDER = '/sys/bus/iio/devices';
/** Largest number of devices that are scanned. */
const MOST_DEVICES = 32;
/** Characters of a device's name that are kept. */
const NAME_LENGTH = 64;
/** File names of a proximity channel's raw reading: of the only channel, or the first of several. */
const CHANNELS = ['in_proximity_raw', 'in_proximity0_raw'] as const;
/** Longest text of a reading, in bytes. */
const READING_BYTES = 32;

export interface IioProximityOptions {
  readonly decisions: ProximityDecisions;
  /** Name of the device as its kernel driver reports it (`vcnl4040`); by default the first with a proximity channel. */
  readonly device?: string | undefined;
  /** Readings per second, 10 to 50. */
  readonly pollHz: number;
  /** True to hide the sensor until it has been found once. */
  readonly optional?: boolean;
  readonly folder?: string;
}

/** One device with a proximity channel. */
export interface IioProximity {
  readonly name: string;
  /** File of the raw reading. */
  readonly file: string;
  /** True if it could be opened for reading. */
  readonly readable: boolean;
}

export const noProximityDevice: Verdict = {
  state: 'not_here',
  reason: 'no-proximity-sensor',
  detail:
    'The kernel shows no proximity sensor (no in_proximity_raw under /sys/bus/iio/devices). Sconce looks again every two seconds.',
  missing: 'A proximity sensor that the kernel has a driver for.',
  fix: null,
};

/** The verdict if a sensor may not be read; `user` is the name the agent runs under. */
export const proximityDenied = (user: string | null): Verdict => ({
  state: 'needs_you',
  reason: 'proximity-not-readable',
  detail: 'There is a proximity sensor, but Sconce may not read it.',
  missing: 'Permission to read the sensor.',
  fix: {
    command: `sudo sconce install${user === null ? '' : ` --user ${user}`}`,
    effect: 'Writes the rules that open the devices of this panel to the user of Sconce.',
  },
});

async function channelOf(device: string): Promise<string | null> {
  const names = await readdir(device).catch((): string[] => []);
  return CHANNELS.find((channel) => names.includes(channel)) ?? null;
}

/** Lists the devices with a proximity channel, ordered by number. */
export async function listIioProximity(folder = IIO_FOLDER): Promise<readonly IioProximity[]> {
  const entries = (await readdir(folder).catch((): string[] => [])).filter((entry) => /^iio:device\d+$/.test(entry));
  const ordered = entries.toSorted(naturalOrder).slice(0, MOST_DEVICES);
  const scanned = await Promise.all(
    ordered.map(async (entry): Promise<IioProximity | null> => {
      const channel = await channelOf(join(folder, entry));
      if (channel === null) return null;
      const file = join(folder, entry, channel);
      const name = (await readFile(join(folder, entry, 'name'), 'utf8').catch(() => '')).trim().slice(0, NAME_LENGTH);
      const handle = await open(file, 'r').catch(() => null);
      await handle?.close();
      return { name: name === '' ? entry : name, file, readable: handle !== null };
    }),
  );
  return scanned.filter((one) => one !== null);
}

async function readNumber(handle: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(READING_BYTES), 0, READING_BYTES, 0);
  const text = buffer.toString('latin1', 0, bytesRead).trim();
  // An empty text would convert to 0; a device that returns nothing is gone.
  if (text === '') throw new Error('no-reading');
  return Number(text);
}

async function openIio(folder: string, wanted: string | undefined): Promise<Opened> {
  const found = (await listIioProximity(folder)).filter(({ name }) => wanted === undefined || name === wanted);
  const [first] = found;
  if (first === undefined) return { verdict: noProximityDevice };
  const usable = found.find(({ readable }) => readable);
  if (usable === undefined) return { verdict: proximityDenied(ownUser()) };
  const handle = await open(usable.file, 'r').catch(() => null);
  if (handle === null) return { verdict: noProximityDevice };
  return {
    sensor: {
      source: { driver: 'proximity.iio', name: usable.name },
      read: () => readNumber(handle),
      close: () => handle.close(),
    },
  };
}

/** Polls a proximity sensor of the kernel's Industrial I/O. */
export const iioProximity = ({
  decisions,
  device,
  pollHz,
  optional = false,
  folder = IIO_FOLDER,
}: IioProximityOptions): ProximityDriver =>
  sampledProximity({ decisions, pollHz, optional, open: () => openIio(folder, device) });
