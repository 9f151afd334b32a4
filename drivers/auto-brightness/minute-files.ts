import { createHash } from 'node:crypto';
import { readdir, rmdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import { type DayFiles, dayFiles, utcDay } from '#drivers/kit/day-files.ts';
import { serial } from '#drivers/kit/serial.ts';
import { LIGHT_FOLDER } from '#drivers/store/folder.ts';
import type { LightMinute, LightSource, Place } from '#machines/auto-brightness/events.ts';
import { MAX_LUX } from '#machines/kit/lux.ts';
import type { EpochMs } from '#machines/kit/units.ts';

/** Whose light is kept apart from that of others. */
export interface MinuteKey {
  readonly source: LightSource;
  /** Origin of the Home Assistant that has the entity; it does not count for the panel's own sensor. */
  readonly origin: string | null;
  readonly place: Place | null;
}

export interface MinuteStore {
  /** The files of one source and place: `light/<digest of both>/2026-11-26.jsonl` in the data folder. */
  readonly open: (key: MinuteKey) => Promise<DayFiles<LightMinute>>;
}

/** Sources and places whose light is kept; the least recently opened goes first. */
const MOST_FOLDERS = 4;
/** Days beside today: seven days of any time zone. */
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
/** Most bytes of the minutes of one source and place. */
const MOST_BYTES = 1_000_000;
const DIGEST = /^[0-9a-f]{16}$/;

/** Numbers in a line, and the longest line: all of them at their highest. */
const FIELDS = 9;
const LONGEST_LINE = 120;
const MOST_LOG = Math.log1p(MAX_LUX);
const MINUTE_MS = 60_000;
/** The year 3000. */
const LAST_MINUTE = 541_714_560;
const MOST_SAMPLES = 1_000_000;

/** Degrees in tenths; 0 and not -0. */
const tenths = (degrees: number): number => Math.round(degrees * 10) + 0;

/** Recognises a source and place without naming them: 16 hexadecimal digits. */
function digestOf({ source, origin, place }: MinuteKey): string {
  const from = source.kind === 'panel' ? ['panel', null, null] : [source.kind, origin, source.entityId];
  const at = place === null ? null : [tenths(place.latitude), tenths(place.longitude), place.timeZone];
  return createHash('sha256')
    .update(JSON.stringify([from, at]))
    .digest('hex')
    .slice(0, 16);
}

const hundredths = (lux: number): number => Math.round(lux * 100) / 100;

/** A row as its numbers, about 60 bytes: lux to 0.01, all others whole. */
const formatMinute = (row: LightMinute): string =>
  JSON.stringify([
    row.minute,
    Math.round(row.luxMs),
    Math.round(row.coveredMs),
    hundredths(row.min),
    hundredths(row.max),
    hundredths(row.last),
    row.samples,
    Math.round(row.baselineLogMs),
    Math.round(row.baselineMs),
  ]);

/** The numbers of a line; none if it is not a list of numbers. */
function numbersIn(line: string): readonly number[] {
  if (line.length > LONGEST_LINE) return [];
  try {
    const json: unknown = JSON.parse(line);
    return Array.isArray(json) && json.every((one) => typeof one === 'number') ? json : [];
  } catch {
    return [];
  }
}

const isWhole = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;
const isLux = (value: number): boolean => value >= 0 && value <= MAX_LUX;

/** The row of a line; null unless every number is possible. */
function parseMinute(line: string): LightMinute | null {
  const numbers = numbersIn(line);
  const [minute = -1, luxMs = -1, coveredMs = -1, min = -1, max = -1, last = -1, samples = -1] = numbers;
  const [baselineLogMs = -1, baselineMs = -1] = numbers.slice(7);
  const isPossible =
    numbers.length === FIELDS &&
    isWhole(minute, LAST_MINUTE) &&
    isWhole(coveredMs, MINUTE_MS) &&
    // The spare millisecond is that of rounding.
    isWhole(luxMs, MAX_LUX * (coveredMs + 1)) &&
    [min, max, last].every(isLux) &&
    min <= last &&
    last <= max &&
    isWhole(samples, MOST_SAMPLES) &&
    isWhole(baselineMs, coveredMs) &&
    isWhole(baselineLogMs, Math.ceil(MOST_LOG * (baselineMs + 1)));
  return isPossible ? { minute, luxMs, coveredMs, min, max, last, samples, baselineLogMs, baselineMs } : null;
}

/** The folders of other sources and places, the one used last first. */
async function othersIn(light: string, own: string): Promise<readonly { path: string; usedAt: EpochMs }[]> {
  const names = await readdir(light).catch((): string[] => []);
  const paths = names.filter((name) => DIGEST.test(name) && name !== own).map((name) => join(light, name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const facts = await stat(path).catch(() => null);
      return facts?.isDirectory() === true ? [{ path, usedAt: facts.mtimeMs }] : [];
    }),
  );
  return found.flat().toSorted((one, other) => other.usedAt - one.usedAt);
}

/** Keeps the light of the last seven days on the disk; nothing is created before the first append. */
export function minuteFiles({ folder, now }: { readonly folder: string; readonly now: () => EpochMs }): MinuteStore {
  const light = join(folder, LIGHT_FOLDER);
  const inTurn = serial();
  /** Shared by all starts of the driver: a restarted one reads after its predecessor's last write. */
  let opened: { readonly own: string; readonly files: DayFiles<LightMinute> } | null = null;
  const filesIn = (path: string): DayFiles<LightMinute> =>
    dayFiles({
      folder: path,
      format: formatMinute,
      parse: parseMinute,
      dayOf: ({ minute }) => utcDay(minute * MINUTE_MS),
      keptDays: KEPT_DAYS,
      maxBytes: MOST_BYTES,
      now,
    });
  const open = async (key: MinuteKey): Promise<DayFiles<LightMinute>> => {
    const own = digestOf(key);
    const at = new Date(now());
    // A folder is changed by its first file of a day, too. If this fails, there is none yet, or the disk is read-only.
    await utimes(join(light, own), at, at).catch(() => {});
    const others = await othersIn(light, own);
    const expired = now() - (KEPT_DAYS + 1) * DAY_MS;
    for (const { path } of others.filter(({ usedAt }, index) => index >= MOST_FOLDERS - 1 || usedAt < expired)) {
      // oxlint-disable-next-line no-await-in-loop -- seldom more than one
      await filesIn(path).forget();
      // It stays if it has other files.
      // oxlint-disable-next-line no-await-in-loop -- as above
      await rmdir(path).catch(() => {});
    }
    if (opened?.own !== own) opened = { own, files: filesIn(join(light, own)) };
    return opened.files;
  };
  return { open: (key) => inTurn(() => open(key)) };
}
