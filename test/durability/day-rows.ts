import { type DayFiles, dayFiles, utcDay } from '#drivers/kit/day-files.ts';

/** Rows of an append; four of them are of the day before. */
export const ROWS = 10;

const DAY_MS = 86_400_000;

/** Numbered rows in files of days, as heavy as wanted. */
export const numberedRows = (folder: string, ballast = 0): DayFiles<number> =>
  dayFiles<number>({
    folder,
    format: (n) => JSON.stringify([n, 'x'.repeat(ballast)]),
    parse: (line) => Number(/^\[(\d+),"x*"\]$/.exec(line)?.[1] ?? Number.NaN) || null,
    dayOf: (n) => utcDay(Date.now() - (n % ROWS < 4 ? DAY_MS : 0)),
    keptDays: 2,
    maxBytes: 100_000_000,
    now: Date.now,
  });
