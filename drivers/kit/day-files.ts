import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, truncate, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { EpochMs } from '#machines/kit/units.ts';
import { errorCode } from './error-code.ts';
import { syncFolder } from './replace-file.ts';
import { serial } from './serial.ts';

export interface DayFilesOptions<T> {
  /** Folder of these files alone, mode 0700; the first append creates it. */
  readonly folder: string;
  /** One line, without its line break, of at most 4096 characters. */
  readonly format: (row: T) => string;
  /** Null for a line that is no row; never throws. */
  readonly parse: (line: string) => T | null;
  /** The row's day in UTC, `YYYY-MM-DD` (`utcDay`). */
  readonly dayOf: (row: T) => string;
  /** Days kept beside today. */
  readonly keptDays: number;
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  readonly now: () => EpochMs;
}

/** Rows as lines of text, one file per day. Calls are served in order. */
export interface DayFiles<T> {
  /** Every kept row, oldest day first; a torn or foreign line is skipped. */
  readonly read: () => Promise<readonly T[]>;
  /**
   * Appends to the file of each row's day; null, or the POSIX code, after which none of the rows was added. `EFBIG` if
   * the rows do not fit even without the older days. Rows of days that are not kept are left out.
   */
  readonly append: (rows: readonly T[]) => Promise<string | null>;
  /** Removes the files; null, or the POSIX code. */
  readonly forget: () => Promise<string | null>;
}

/** One file of a day. */
interface DayFile {
  readonly day: string;
  readonly bytes: number;
}

/** Only the agent's user may read and write the files. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Follows no link, and does not wait for a pipe. */
const CAREFULLY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const TO_APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | CAREFULLY;
const LINE_BREAK = 0x0a;
const SUFFIX = '.jsonl';
const NAME = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;
const DAY_MS = 86_400_000;
/** A longer line is no row. */
const LONGEST_LINE = 4096;
/** Lines parsed before other work gets its turn. */
const LINES_AT_ONCE = 500;

/** Something else than a file or folder of ours is at the path. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
  readonly code: 'EINVAL' | 'ENOTDIR';
  constructor(code: 'EINVAL' | 'ENOTDIR') {
    super('not a file or folder of the agent');
    this.code = code;
  }
}

/** The day in UTC, `YYYY-MM-DD`. */
export const utcDay = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10);

/** False for a day that is in no calendar. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && utcDay(at) === day;
}

const pathIn = (folder: string, day: string): string => join(folder, `${day}${SUFFIX}`);

/** Removes a file; it may be gone already. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}

/** Creates a folder and, if they are missing, those above it. */
async function makeFolder(folder: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder, { mode: FOLDER_MODE }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  await make().catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  });
  if (!(await lstat(folder)).isDirectory()) throw new NotOurs('ENOTDIR');
}

/** The files of days in a folder, oldest first; whatever else is there does not count. None if there is no folder. */
async function listDays(folder: string): Promise<readonly DayFile[]> {
  const found: DayFile[] = [];
  try {
    if (!(await lstat(folder)).isDirectory()) throw new NotOurs('ENOTDIR');
    for await (const entry of await opendir(folder)) {
      const day = NAME.exec(entry.name)?.[1];
      if (day === undefined || !isDay(day)) continue;
      const facts = await lstat(join(folder, entry.name));
      if (facts.isFile()) found.push({ day, bytes: facts.size });
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return found.toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

/** What stays of the files, and what is removed; a file in neither was not written by the agent. */
interface Sorted {
  /** Oldest first. */
  readonly kept: readonly DayFile[];
  readonly dropped: readonly DayFile[];
}

/**
 * Decides what stays: no day before `oldest`, and of the others the newest that fit into `maxBytes` together. Days
 * after `newest`, of a clock that was ahead, are not kept and the first to go, but while there is room they wait for
 * that day. A file that alone exceeds the bound was not written by the agent: it goes by its age only.
 */
function sortDays(
  files: readonly DayFile[],
  { oldest, newest, maxBytes }: { readonly oldest: string; readonly newest: string; readonly maxBytes: number },
): Sorted {
  const dropped = files.filter(({ day }) => day < oldest);
  const rest = files.filter(({ day, bytes }) => day >= oldest && bytes <= maxBytes).toReversed();
  const kept: DayFile[] = [];
  let left = maxBytes;
  for (const file of [...rest.filter(({ day }) => day <= newest), ...rest.filter(({ day }) => day > newest)]) {
    // After the first that does not fit, no older one is kept: history has no holes.
    left = file.bytes > left ? -1 : left - file.bytes;
    if (left < 0) dropped.push(file);
    else if (file.day <= newest) kept.unshift(file);
  }
  return { kept, dropped };
}

/** The rows in a file, of at most `mostBytes`. */
async function readRows<T>(path: string, mostBytes: number, parse: (line: string) => T | null): Promise<readonly T[]> {
  const file = await open(path, constants.O_RDONLY | CAREFULLY);
  let text = '';
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new NotOurs('EINVAL');
    const bytes = Buffer.alloc(Math.min(facts.size, mostBytes));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
    text = bytes.toString('utf8', 0, length);
  } finally {
    await file.close();
  }
  const rows: T[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    // oxlint-disable-next-line no-await-in-loop -- other work in between is the purpose
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await nextTurn();
    const row = line === '' || line.length > LONGEST_LINE ? null : parse(line);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** Opens a file to append; the second is its size before. */
async function openToAppend(path: string): Promise<readonly [FileHandle, number]> {
  const file = await open(path, TO_APPEND, MODE);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new NotOurs('EINVAL');
    if ((facts.mode & 0o777) !== MODE) await file.chmod(MODE);
    return [file, facts.size];
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** True if the file ends in the middle of a line, as after a power cut. */
async function isTorn(file: FileHandle, bytes: number): Promise<boolean> {
  if (bytes === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, bytes - 1);
  return last[0] !== LINE_BREAK;
}

/** Appends whole lines to one file, durably; its size before. Half an append is taken back. */
async function appendTo(path: string, text: string): Promise<number> {
  const [file, before] = await openToAppend(path);
  try {
    await file.appendFile((await isTorn(file, before)) ? `\n${text}` : text);
    await file.datasync();
    return before;
  } catch (error) {
    await takeBack(path, before);
    throw error;
  } finally {
    await file.close();
  }
}

/** Undoes an append; if the disk refuses even this, the caller gets the first failure. */
const takeBack = (path: string, before: number): Promise<void> =>
  (before === 0 ? unlink(path) : truncate(path, before)).catch(() => {});

/** Appends to several files or to none. */
async function appendAll(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  const done: (readonly [string, number])[] = [];
  try {
    for (const [day, text] of texts) {
      const path = pathIn(folder, day);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      done.push([path, await appendTo(path, text)]);
    }
    // A new name does not survive a power cut without this.
    if (done.some(([, before]) => before === 0)) await syncFolder(folder);
  } catch (error) {
    await Promise.all(done.map(([path, before]) => takeBack(path, before)));
    throw error;
  }
}

/** Rows in one file per day (`2026-11-26.jsonl`, mode 0600); other files in the folder are left alone. */
export function dayFiles<T>(options: DayFilesOptions<T>): DayFiles<T> {
  const { folder, format, parse, dayOf, maxBytes } = options;
  const inTurn = serial();
  /** The kept days; one more than today, for a clock that is set back at midnight. */
  const bounds = () => {
    const now = options.now();
    return { oldest: utcDay(now - options.keptDays * DAY_MS), newest: utcDay(now + DAY_MS), maxBytes };
  };
  const tidied = async (): Promise<readonly DayFile[]> => {
    const { kept, dropped } = sortDays(await listDays(folder), bounds());
    // One that cannot be removed, as on a read-only disk, is tried again next time.
    await Promise.all(dropped.map(({ day }) => remove(pathIn(folder, day)).catch(() => {})));
    return kept;
  };
  const read = async (): Promise<readonly T[]> => {
    const rows: T[][] = [];
    for (const { day, bytes } of await tidied().catch(() => []))
      // oxlint-disable-next-line no-await-in-loop -- bounded memory: one file after another
      rows.push([...(await readRows(pathIn(folder, day), bytes, parse).catch(() => []))]);
    return rows.flat();
  };
  /** The text for each kept day. */
  const textsOf = (rows: readonly T[]): ReadonlyMap<string, string> => {
    const { oldest, newest } = bounds();
    const texts = new Map<string, string>();
    for (const row of rows) {
      const day = dayOf(row);
      if (isDay(day) && day >= oldest && day <= newest) texts.set(day, `${texts.get(day) ?? ''}${format(row)}\n`);
    }
    return texts;
  };
  const append = async (rows: readonly T[]): Promise<string | null> => {
    const texts = textsOf(rows);
    if (texts.size === 0) return null;
    const files = await listDays(folder);
    const sizeAfter = (day: string): number =>
      (files.find((file) => file.day === day)?.bytes ?? 0) + 1 + Buffer.byteLength(texts.get(day) ?? '');
    const after = [
      ...files.filter(({ day }) => !texts.has(day)),
      ...[...texts.keys()].map((day) => ({ day, bytes: sizeAfter(day) })),
    ];
    const { kept } = sortDays(
      after.toSorted((one, other) => (one.day < other.day ? -1 : 1)),
      bounds(),
    );
    if (![...texts.keys()].every((day) => kept.some((file) => file.day === day))) return 'EFBIG';
    await makeFolder(folder);
    await appendAll(folder, texts);
    // Only now: a disk that refuses the new rows costs no old ones.
    await tidied().catch(() => []);
    return null;
  };
  const forget = async (): Promise<null> => {
    const files = await listDays(folder);
    await Promise.all(files.map(({ day }) => remove(pathIn(folder, day))));
    if (files.length > 0) await syncFolder(folder);
    return null;
  };
  return {
    read: () => inTurn(read),
    append: (rows) => inTurn(() => append(rows)).catch(errorCode),
    forget: () => inTurn(forget).catch(errorCode),
  };
}
