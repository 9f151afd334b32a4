import { access } from 'node:fs/promises';
import { join } from 'node:path';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { SensorDriver } from '#machines/sensors/events.ts';

import { polledSensor } from './poll.ts';
import { namesIn, numberIn, type SensorSource, textOf } from './source.ts';
import type { ReadInTurn } from './read-queue.ts';

/** Selects a channel of a hardware monitoring chip; null matches the first suitable one. */
export interface HwmonChoice {
  readonly kind: 'temperature' | 'humidity';
  /** The chip's `name`. */
  readonly chip: string | null;
  /** The channel's label (`tempN_label`). */
  readonly label: string | null;
  /** The channel's number, from 1. */
  readonly index: number | null;
  /** Root of the file system; `/` by default. */
  readonly root?: string;
}

export interface HwmonSensor extends HwmonChoice {
  readonly everyMs: Milliseconds;
  /** True to hide the sensor until it has been found once. */
  readonly optional: boolean;
  /** The profile's correction, in the unit of the sensor. */
  readonly offset: number;
  /** The queue in which all sensors of the panel are read. */
  readonly inTurn: ReadInTurn;
}

const channel = { temperature: /^(temp(\d{1,3}))_input$/, humidity: /^(humidity(\d{1,3}))_input$/ } as const;

/**
 * Chips that measure the air or a board, used for a temperature if the profile names no chip. Those of processors and
 * disks do not qualify.
 */
const BOARD_CHIPS: ReadonlySet<string> = new Set([
  'lm75',
  'lm75a',
  'lm75b',
  'tmp75',
  'tmp75b',
  'tmp75c',
  'tmp102',
  'tmp1075',
  'tmp108',
  'ds1621',
  'ds1775',
  'pct2075',
  'mcp980x',
  'stlm75',
  'adt75',
]);

/** The kernel reports thousandths of a degree and of a percent (Documentation/hwmon/sysfs-interface). */
const DIVISOR = 1000;

interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly base: string;
  readonly rank: number;
}

function rankOf(choice: HwmonChoice, name: string, files: readonly string[]): number | null {
  if (choice.chip !== null) return choice.chip === name ? 0 : null;
  if (choice.kind === 'humidity' || files.some((file) => channel.humidity.test(file))) return 0;
  return BOARD_CHIPS.has(name) ? 1 : null;
}

async function candidatesIn(folder: string, name: string, choice: HwmonChoice): Promise<readonly Candidate[]> {
  const files = await namesIn(folder);
  const rank = rankOf(choice, name, files);
  if (rank === null) return [];
  const bases = files.flatMap((file) => {
    const [, base, index] = channel[choice.kind].exec(file) ?? [];
    return base === undefined || (choice.index !== null && Number(index) !== choice.index) ? [] : [base];
  });
  const labelled = await Promise.all(
    bases.map(async (base) => choice.label === null || (await textOf(join(folder, `${base}_label`))) === choice.label),
  );
  return bases.filter((_, at) => labelled[at]).map((base) => ({ name, folder, base, rank }));
}

async function candidates(choice: HwmonChoice): Promise<readonly Candidate[]> {
  const hwmon = join(choice.root ?? '/', 'sys/class/hwmon');
  const chips = (await namesIn(hwmon)).map((chip) => join(hwmon, chip));
  const found = await Promise.all(
    chips.map(async (chip) => {
      const name = (await textOf(join(chip, 'name'))) ?? (await textOf(join(chip, 'device/name'))) ?? '';
      const own = await candidatesIn(chip, name, choice);
      // Old kernel drivers keep their files in the device's own folder.
      return own.length > 0 ? own : candidatesIn(join(chip, 'device'), name, choice);
    }),
  );
  return found.flat().toSorted((a, b) => a.rank - b.rank);
}

function sourceOf({ name, folder, base }: Candidate): SensorSource {
  const input = join(folder, `${base}_input`);
  return {
    device: name,
    read: async () => {
      // A chip reports a broken sensor in a file beside the value.
      if ((await textOf(join(folder, `${base}_fault`))) === '1') return Number.NaN;
      return (await numberIn(input)) / DIVISOR;
    },
    isThere: () =>
      access(input).then(
        () => true,
        () => false,
      ),
  };
}

/** Names of suitable chips, best first and without duplicates; no value is read. */
export const listHwmon = async (choice: HwmonChoice): Promise<readonly string[]> => [
  ...new Set((await candidates(choice)).map(({ name }) => name)),
];

/** A sensor on a channel of a hardware monitoring chip. */
export const hwmonSensor = (sensor: HwmonSensor): SensorDriver =>
  polledSensor({
    kind: sensor.kind,
    way: 'hardware monitoring',
    named: sensor.chip,
    everyMs: sensor.everyMs,
    optional: sensor.optional,
    offset: sensor.offset,
    inTurn: sensor.inTurn,
    find: async () => {
      const [best] = await candidates(sensor);
      return best === undefined ? null : sourceOf(best);
    },
  });
