import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { naturalOrder } from '#machines/kit/natural-order.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SensorDriver, SensorId } from '#machines/sensors/events.ts';

import { polledSensor } from './poll.ts';
import { namesIn, numberIn, type SensorSource, textOf } from './source.ts';
import type { ReadInTurn } from './read-queue.ts';

/** Selects a device of Industrial I/O; null matches the first suitable one. */
export interface IioChoice {
  readonly kind: SensorId;
  /** Its `name` or `label`. */
  readonly device: string | null;
  /** Number of the channel, if a device has several. */
  readonly channel: number | null;
  /** Root of the file system; `/` by default. */
  readonly root?: string;
}

export interface IioSensor extends IioChoice {
  readonly everyMs: Milliseconds;
  /** True to hide the sensor until it has been found once. */
  readonly optional: boolean;
  /** The profile's correction, in the unit of the sensor. */
  readonly offset: number;
  /** The queue in which all sensors of the panel are read. */
  readonly inTurn: ReadInTurn;
}

/**
 * File names of the kernel's ABI (Documentation/ABI/testing/sysfs-bus-iio) and the divisor of its unit: lux,
 * thousandths of a degree, thousandths of a percent.
 */
const channels: Readonly<Record<SensorId, { readonly type: string; readonly file: RegExp; readonly divisor: number }>> =
  {
    illuminance: { type: 'in_illuminance', file: /^(in_illuminance(\d{0,3}))_(input|raw)$/, divisor: 1 },
    temperature: { type: 'in_temp', file: /^(in_temp(\d{0,3})(?:_ambient)?)_(input|raw)$/, divisor: 1000 },
    humidity: { type: 'in_humidityrelative', file: /^(in_humidityrelative(\d{0,3}))_(input|raw)$/, divisor: 1000 },
  };

interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly base: string;
  /** True if the kernel computes the value itself (`_input`). */
  readonly worked: boolean;
  readonly rank: number;
}

/**
 * Ranks a device, 0 best. A climate sensor has humidity or pressure beside its temperature; a device that measures
 * motion or voltage reports only its own heat, so null.
 */
function rankOf(kind: SensorId, files: readonly string[]): number | null {
  if (kind !== 'temperature') return 0;
  const has = (start: string): boolean => files.some((file) => file.startsWith(start));
  if (has('in_humidityrelative')) return 0;
  if (has('in_pressure')) return 1;
  return ['in_accel', 'in_anglvel', 'in_magn', 'in_voltage', 'in_proximity', 'in_illuminance', 'in_current'].some(has)
    ? null
    : 2;
}

function candidatesOf(
  kind: SensorId,
  files: readonly string[],
  at: { readonly name: string; readonly folder: string; readonly rank: number },
  channel: number | null,
): readonly Candidate[] {
  const found = files.flatMap((file) => {
    const [, base, index, how] = channels[kind].file.exec(file) ?? [];
    return base === undefined || (channel !== null && Number(index === '' ? 0 : index) !== channel)
      ? []
      : [{ ...at, base, worked: how === 'input' }];
  });
  return found.toSorted((a, b) => Number(b.worked) - Number(a.worked) || naturalOrder(a.base, b.base));
}

async function candidates({ kind, device, channel, root = '/' }: IioChoice): Promise<readonly Candidate[]> {
  const bus = join(root, 'sys/bus/iio/devices');
  const folders = (await namesIn(bus)).filter((name) => name.startsWith('iio:device')).map((name) => join(bus, name));
  const found = await Promise.all(
    folders.map(async (folder) => {
      const [name, label, files] = await Promise.all([
        textOf(join(folder, 'name')),
        textOf(join(folder, 'label')),
        namesIn(folder),
      ]);
      if (device !== null && device !== name && device !== label) return [];
      const rank = rankOf(kind, files) ?? (device === null ? null : 3);
      return rank === null ? [] : candidatesOf(kind, files, { name: name ?? 'iio', folder, rank }, channel).slice(0, 1);
    }),
  );
  return found.flat().toSorted((a, b) => a.rank - b.rank);
}

/** Reads the number in the first file that exists; `otherwise` if none does. */
async function firstNumber(paths: readonly string[], otherwise: number): Promise<number> {
  for (const path of paths) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next file counts only if this one does not exist
      return await numberIn(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  return otherwise;
}

function sourceOf(kind: SensorId, { name, folder, base, worked }: Candidate): SensorSource {
  const { type, divisor } = channels[kind];
  const path = (suffix: string): string => join(folder, `${base}_${suffix}`);
  const shared = (what: string): readonly string[] => [
    path(what),
    join(folder, `${type}_${what}`),
    join(folder, `in_${what}`),
    join(folder, what),
  ];
  return {
    device: name,
    read: async () => {
      if (worked) return (await numberIn(path('input'))) / divisor;
      const raw = await numberIn(path('raw'));
      // A device with automatic gain changes its scale, so it is read each time.
      const offset = await firstNumber(shared('offset'), 0);
      const scale = await firstNumber(shared('scale'), 1);
      return ((raw + offset) * scale) / divisor;
    },
    isThere: () =>
      access(path(worked ? 'input' : 'raw')).then(
        () => true,
        () => false,
      ),
  };
}

/** Names of suitable devices, best first; no value is read. */
export const listIio = async (choice: IioChoice): Promise<readonly string[]> =>
  (await candidates(choice)).map(({ name }) => name);

/** A sensor of Industrial I/O: the value that the kernel computes, or (raw + offset) x scale. */
export const iioSensor = (sensor: IioSensor): SensorDriver =>
  polledSensor({
    kind: sensor.kind,
    way: 'Industrial I/O',
    named: sensor.device,
    everyMs: sensor.everyMs,
    optional: sensor.optional,
    offset: sensor.offset,
    inTurn: sensor.inTurn,
    find: async () => {
      const [best] = await candidates(sensor);
      return best === undefined ? null : sourceOf(sensor.kind, best);
    },
  });
