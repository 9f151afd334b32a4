import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Types of thermal zones that measure the processor, best first (as reported by Linux panels). */
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

/** Names of hwmon chips that measure the processor, for machines without such a zone. */
const CHIPS = [
  /^coretemp$/,
  /^k10temp$/,
  /^zenpower$/,
  /^cpu_?thermal$/,
  /^soc_?thermal$/,
  /^scpi_sensors$/,
  /^acpitz$/,
];

/** Believable range in degrees Celsius; outside it a sensor is broken or does not measure a processor. */
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

/** Finds the files with the processor's temperature in thousandths of a degree, best first. */
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

/** Temperature in degrees Celsius from the first file with a believable number; null if there is none. */
export async function readTemperature(files: readonly string[]): Promise<number | null> {
  for (const file of files) {
    const text = await read(file);
    const celsius = text === null || text === '' ? Number.NaN : Number(text) / 1000;
    // A sensor that is switched off reports 0.
    if (Number.isFinite(celsius) && celsius !== 0 && celsius > BELIEVABLE.low && celsius < BELIEVABLE.high)
      return celsius;
  }
  return null;
}
