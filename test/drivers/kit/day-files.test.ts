import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type DayFilesOptions, dayFiles, utcDay } from '#drivers/kit/day-files.ts';

interface Row {
  readonly day: string;
  readonly n: number;
}

let base = '';
let folder = '';
let now = 0;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-days-'));
  folder = join(base, 'data', 'rows');
  now = Date.parse('2026-11-26T12:00:00Z');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const format = ({ day, n }: Row): string => JSON.stringify([day, n]);
function parse(line: string): Row | null {
  const [, day = '', n = ''] = /^\["([\d-]{10})",(\d+)\]$/.exec(line) ?? [];
  return day === '' ? null : { day, n: Number(n) };
}
const open = (options: Partial<DayFilesOptions<Row>> = {}) =>
  dayFiles<Row>({
    folder,
    format,
    parse,
    dayOf: ({ day }) => day,
    keptDays: 3,
    maxBytes: 1000,
    now: () => now,
    ...options,
  });
const row = (day: number, n: number): Row => ({ day: `2026-11-${day}`, n });
const rows = (day: number, from: number, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => row(day, from + index));
const numbers = async (files = open()) => (await files.read()).map(({ n }) => n);
const path = (day: number): string => join(folder, `2026-11-${day}.jsonl`);
function put(name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
const lines = (...some: readonly Row[]): string => some.map((one) => `${format(one)}\n`).join('');

describe('rows in files of days', () => {
  it('create nothing before the first append', async () => {
    const files = open();
    expect([await files.read(), await files.append([]), await files.forget()]).toEqual([[], null, null]);
    expect(readdirSync(base)).toEqual([]);
  });

  it('come back oldest day first, from files that only their owner may read', async () => {
    const before = process.umask(0);
    try {
      expect(await open().append([row(26, 3), row(25, 1), row(26, 4), row(25, 2)])).toBeNull();
    } finally {
      process.umask(before);
    }
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    expect(readdirSync(folder)).toEqual(['2026-11-25.jsonl', '2026-11-26.jsonl']);
    expect(readFileSync(path(26), 'utf8')).toBe(lines(row(26, 3), row(26, 4)));
    expect([folder, path(25), path(26)].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    chmodSync(path(26), 0o644);
    await open().append([row(26, 5)]);
    expect(statSync(path(26)).mode & 0o777).toBe(0o600);
  });

  it('are written in the order of the calls, without waiting for one another', async () => {
    const files = open({ maxBytes: 100_000 });
    const calls = Array.from({ length: 50 }, (_, n) => files.append([row(26, n)]));
    const read = files.read();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([null]));
    expect((await read).map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('of days that are not kept are left out', async () => {
    expect(await open().append([row(22, 1), row(23, 2), row(27, 3), row(28, 4)])).toBeNull();
    expect(await numbers()).toEqual([2, 3]);
    expect(await open().append([{ day: '../../x', n: 5 }])).toBeNull();
    expect(readdirSync(base, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'data',
      'data/rows',
      'data/rows/2026-11-23.jsonl',
      'data/rows/2026-11-27.jsonl',
    ]);
  });

  it('let other work have its turn while many are read', async () => {
    const files = open({ maxBytes: 1_000_000 });
    await files.append(rows(26, 0, 10_000));
    let [turns, isRead] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const read = await files.read();
    isRead = true;
    expect(read).toHaveLength(10_000);
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});

describe('a torn line', () => {
  it('is skipped wherever it was cut, and never becomes one with the next', async () => {
    const whole = lines(row(26, 1), row(26, 2));
    for (let cut = lines(row(26, 1)).length; cut <= whole.length; cut += 1) {
      put('2026-11-26.jsonl', whole.slice(0, cut));
      const isWhole = cut >= whole.length - 1;
      // oxlint-disable-next-line no-await-in-loop -- one cut after another
      expect(await numbers(), `cut at ${cut}`).toEqual(isWhole ? [1, 2] : [1]);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await open().append([row(26, 3)])).toBeNull();
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await numbers(), `cut at ${cut}`).toEqual(isWhole ? [1, 2, 3] : [1, 3]);
    }
  });

  it.each([
    ['zeros, as a file system leaves them after a power cut', '\0'.repeat(300)],
    ['what is no text', Buffer.from([0xff, 0xfe, 0x80, 0x0a]).toString('latin1')],
    ['a row of another shape', '{"n":1}\n'],
    ['a row that is far too long', `["2026-11-26",${'1'.repeat(5000)}]\n`],
    ['empty lines', '\n\n\n'],
  ])('is no row: %s', async (_, text) => {
    put('2026-11-26.jsonl', `${lines(row(26, 1))}${text}`);
    await open({ maxBytes: 10_000 }).append([row(26, 2)]);
    expect(await numbers(open({ maxBytes: 10_000 }))).toEqual([1, 2]);
  });
});

describe('the bounds', () => {
  it('keep so many days beside today, at a read and at an append', async () => {
    for (const day of [21, 22, 23, 24, 25, 26]) put(`2026-11-${day}.jsonl`, lines(row(day, day)));
    expect(await numbers()).toEqual([23, 24, 25, 26]);
    expect(existsSync(path(22))).toBe(false);
    now += 86_400_000;
    await open().append([row(27, 27)]);
    expect(readdirSync(folder)).toEqual([24, 25, 26, 27].map((day) => `2026-11-${day}.jsonl`));
  });

  it('lose no file to a clock that starts in 1970, and read none of a day to come', async () => {
    for (const day of [25, 26]) put(`2026-11-${day}.jsonl`, lines(row(day, day)));
    now = 60_000;
    expect(await open().append([{ day: utcDay(now), n: 1 }])).toBeNull();
    expect(await numbers()).toEqual([1]);
    now = Date.parse('2026-11-26T12:05:00Z');
    expect(await numbers()).toEqual([25, 26]);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('drop the oldest day first', async () => {
    const files = open({ maxBytes: 600 });
    for (const day of [23, 24, 25]) put(`2026-11-${day}.jsonl`, lines(...rows(day, 100, 10)));
    expect(statSync(path(25)).size).toBe(190);
    expect(await files.append(rows(26, 100, 10))).toBeNull();
    expect(readdirSync(folder)).toEqual([24, 25, 26].map((day) => `2026-11-${day}.jsonl`));
    expect(await files.append(rows(26, 200, 20))).toBeNull();
    expect(readdirSync(folder)).toEqual(['2026-11-26.jsonl']);
  });

  it('drop a day of a clock that was ahead before any other', async () => {
    for (const day of [25, 28]) put(`2026-11-${day}.jsonl`, lines(...rows(day, 100, 10)));
    expect(await open({ maxBytes: 600 }).append(rows(26, 100, 10))).toBeNull();
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await open({ maxBytes: 600 }).append(rows(26, 200, 10))).toBeNull();
    expect(readdirSync(folder)).toEqual(['2026-11-25.jsonl', '2026-11-26.jsonl']);
  });

  it('cut off a day that runs away, and keep the others', async () => {
    const files = open();
    await files.append(rows(25, 100, 5));
    const codes: (string | null)[] = [];
    for (let batch = 0; batch < 30; batch += 1)
      // oxlint-disable-next-line no-await-in-loop -- one append after another
      codes.push(await files.append(rows(26, 100, 5)));
    expect([codes[0], codes.at(-1)]).toEqual([null, 'EFBIG']);
    expect(statSync(path(26)).size).toBeGreaterThan(800);
    expect(statSync(path(26)).size).toBeLessThanOrEqual(1000);
    const before = readdirSync(folder);
    expect([await files.append(rows(26, 0, 100)), readdirSync(folder)]).toEqual(['EFBIG', before]);
    now += 86_400_000;
    expect(await files.append(rows(27, 100, 5))).toBeNull();
    expect((await files.read()).at(-1)).toEqual(row(27, 104));
  });

  it('read no file of absurd size, remove it by its age, and keep the days beside it', async () => {
    put('2026-11-25.jsonl', lines(row(25, 1)));
    put('2026-11-26.jsonl', lines(row(26, 2)));
    truncateSync(path(26), 8 * 2 ** 30);
    expect(await numbers()).toEqual([1]);
    expect(await open().append([row(26, 3)])).toBe('EFBIG');
    expect(await open().append([row(25, 4)])).toBeNull();
    now += 4 * 86_400_000;
    await open().read();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('what is not ours', () => {
  it('is neither read nor removed', async () => {
    const target = join(base, 'target');
    writeFileSync(target, lines(row(25, 7)));
    put('notes.txt', 'x');
    put('2026-11-26.jsonl.bak', lines(row(26, 7)));
    put('2026-11-31.jsonl', lines(row(26, 7)));
    put('2020-13-01.jsonl', lines(row(26, 7)));
    mkdirSync(join(folder, '2020-01-01.jsonl'));
    symlinkSync(target, path(25));
    symlinkSync(target, join(folder, '2020-01-02.jsonl'));
    const foreign = readdirSync(folder).toSorted();
    await open().append([row(26, 1)]);
    expect(await numbers()).toEqual([1]);
    expect(await open().append([row(25, 2)])).toBe('ELOOP');
    expect(await open().forget()).toBeNull();
    expect(readdirSync(folder).toSorted()).toEqual(foreign);
    expect(readFileSync(target, 'utf8')).toBe(lines(row(25, 7)));
  });

  it('is not waited for: a pipe', async () => {
    mkdirSync(folder, { recursive: true });
    expect(spawnSync('mkfifo', [path(26)]).status).toBe(0);
    expect([await numbers(), await open().append([row(26, 1)])]).toEqual([[], 'EINVAL']);
  });

  it.each([
    ['a file', () => writeFileSync(folder, '')],
    ['a link', () => symlinkSync(base, folder)],
  ])('is said by its code where the folder should be: %s', async (_, make) => {
    mkdirSync(join(base, 'data'));
    make();
    const files = open();
    expect([await files.read(), await files.append([row(26, 1)]), await files.forget()]).toEqual([
      [],
      'ENOTDIR',
      'ENOTDIR',
    ]);
  });
});

describe('an append that is refused', () => {
  it('adds none of its rows, and leaves the files as they were', async () => {
    const files = open();
    await files.append([row(24, 1)]);
    // The last of three files cannot be opened.
    mkdirSync(path(26));
    expect(await files.append([row(24, 2), row(25, 3), row(26, 4)])).toBe('EISDIR');
    expect([await numbers(), existsSync(path(25))]).toEqual([[1], false]);
    rmSync(path(26), { recursive: true });
    expect(await files.append([row(24, 2), row(25, 3), row(26, 4)])).toBeNull();
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});

it('forgets all days, and begins again', async () => {
  const files = open();
  await files.append([row(24, 1), row(26, 2)]);
  put('2026-12-24.jsonl', lines(row(26, 9)));
  appendFileSync(path(26), 'torn');
  expect([await files.forget(), await files.read(), readdirSync(folder)]).toEqual([null, [], []]);
  expect([await files.append([row(26, 3)]), await numbers()]).toEqual([null, [3]]);
});
