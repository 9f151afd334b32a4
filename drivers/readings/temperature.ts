import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Types of thermal zones that measure the processor, best first (as Linux panels report them). */
const ZONES = [
  /^x86_pkg_temp$/,
  /^cpu[-_]?thermal$/,
  /^cpu-?0?-thermal$/,
  /^k10temp$/,
  /^soc[-_]?thermal$/,
  /^cpu/,
  /^soc/,
  /^acpitz$/,
];

/** Names of hwmon chips that do, for machines without such a zone. */
const CHIPS = [
  /^coretemp$/,
  /^k10temp$/,
  /^zenpower$/,
  /^cpu_?thermal$/,
  /^soc_?thermal$/,
  /^scpi_sensors$/,
  /^acpitz$/,
];

/** Below and above this a sensor is broken or not one of a processor, in degrees Celsius. */
const BELIEVABLE = { low: -40, high: 150 };

const read = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

interface Sensor {
  readonly path: string;
  readonly rank: number;
}

function ranked(patterns: readonly RegExp[], name: string | null, path: string): Sensor[] {
  const rank = name === null ? -1 : patterns.findIndex((pattern) => pattern.test(name));
  return rank < 0 ? [] : [{ path, rank }];
}

const byRank = (a: Sensor, b: Sensor): number => a.rank - b.rank || (a.path < b.path ? -1 : 1);

/**
 * Files that tell the processor's temperature in thousandths of a degree, best first; found once, since sysfs keeps its
 * names.
 */
export async function findTemperatureFiles(root: string): Promise<readonly string[]> {
  const thermal = join(root, 'sys/class/thermal');
  const hwmon = join(root, 'sys/class/hwmon');
  const zones = (await list(thermal)).filter((name) => name.startsWith('thermal_zone'));
  const chips = await list(hwmon);
  const fromZones = await Promise.all(
    zones.map(async (zone) => ranked(ZONES, await read(join(thermal, zone, 'type')), join(thermal, zone, 'temp'))),
  );
  const fromChips = await Promise.all(
    chips.map(async (chip) => ranked(CHIPS, await read(join(hwmon, chip, 'name')), join(hwmon, chip, 'temp1_input'))),
  );
  return [...fromZones.flat().toSorted(byRank), ...fromChips.flat().toSorted(byRank)].map((sensor) => sensor.path);
}

/** Degrees Celsius of the first file that gives a believable number; null when none does. */
export async function readTemperature(files: readonly string[]): Promise<number | null> {
  for (const file of files) {
    const text = await read(file);
    const celsius = text === null || text === '' ? Number.NaN : Number(text) / 1000;
    // Zero is what a sensor gives that is switched off.
    if (Number.isFinite(celsius) && celsius !== 0 && celsius > BELIEVABLE.low && celsius < BELIEVABLE.high)
      return celsius;
  }
  return null;
}
