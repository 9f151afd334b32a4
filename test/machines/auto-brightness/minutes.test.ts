import { describe, expect, it } from 'vitest';

import type { LightMinute } from '#machines/auto-brightness/events.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';
import { credit, joinMinutes, minutesOf, RETAINED_MINUTES } from '#machines/auto-brightness/minutes.ts';

import { MINUTE, row } from './samples.ts';

/** 2026-11-26 12:00 UTC. */
const NOON = 29_928_240;

const at = (minute: number, second = 0): number => (NOON + minute) * MINUTE + second * 1_000;

/** One credited part: the reading, and from when to when. */
type Part = readonly [lux: number, from: number, to: number, isBaseline?: boolean];

function credited(parts: readonly Part[]) {
  let open: readonly LightMinute[] = [];
  const finished: LightMinute[] = [];
  for (const [lux, from, to, isBaseline = true] of parts) {
    const after = credit({ open }, { lux, from, to, isBaseline });
    ({ open } = after);
    finished.push(...after.finished);
  }
  return { open, finished };
}

/** Minutes from noon on, with their covered seconds and mean lux. */
const shape = (rows: readonly LightMinute[]) =>
  rows.map(({ minute, coveredMs, luxMs }) => [minute - NOON, coveredMs / 1_000, luxMs / coveredMs]);

describe('a reading', () => {
  it('is credited with lux, time and logarithm', () =>
    expect(credited([[100, at(0, 10), at(0, 30)]])).toEqual({
      open: [
        {
          minute: NOON,
          luxMs: 2_000_000,
          coveredMs: 20_000,
          min: 100,
          max: 100,
          last: 100,
          samples: 1,
          baselineLogMs: logOf(100) * 20_000,
          baselineMs: 20_000,
        },
      ],
      finished: [],
    }));

  it('is joined with those of its minute', () => {
    const [minute] = credited([
      [100, at(0, 10), at(0, 20)],
      [40, at(0, 20), at(0, 30)],
      [70, at(0, 30), at(0, 50), false],
    ]).open;
    expect(minute).toMatchObject({ luxMs: 2_800_000, coveredMs: 40_000, min: 40, max: 100, last: 70, samples: 3 });
    expect(minute).toMatchObject({ baselineMs: 20_000 });
    expect(minute?.baselineLogMs).toBeCloseTo((logOf(100) + logOf(40)) * 10_000, 6);
  });

  it.each<[string, readonly Part[], readonly unknown[], readonly unknown[]]>([
    ['is split where a minute ends', [[9, at(0, 50), at(1, 20)]], [[0, 10, 9]], [[1, 20, 9]]],
    ['that ends with a minute leaves none open', [[9, at(0, 50), at(1)]], [[0, 10, 9]], []],
    [
      'counts for its last two minutes at most',
      [[9, at(0), at(10, 30)]],
      [
        [8, 30, 9],
        [9, 60, 9],
      ],
      [[10, 30, 9]],
    ],
    [
      'counts for two whole minutes',
      [[9, at(0, 15), at(2, 15)]],
      [
        [0, 45, 9],
        [1, 60, 9],
      ],
      [[2, 15, 9]],
    ],
    ['of a clock that went back counts for nothing', [[9, at(5), at(4)]], [], []],
    ['of no time counts for nothing', [[9, at(5), at(5)]], [], []],
    ['that is no number counts for nothing', [[Number.NaN, at(5), at(6)]], [], []],
    ['of an impossible time counts for nothing', [[9, Number.NaN, at(6)]], [], []],
    ['is held inside 0 to 100,000', [[1e9, at(0), at(0, 9)]], [], [[0, 9, 100_000]]],
  ])('%s', (_, parts, finished, open) => {
    const after = credited(parts);
    expect([shape(after.finished), shape(after.open)]).toEqual([finished, open]);
  });

  it('never gives a minute more than its length, though the clock went back', () => {
    const after = credited([
      [10, at(0), at(0, 50)],
      [40, at(0, 10), at(0, 50)],
    ]);
    expect(shape(after.open)).toEqual([[0, 60, expect.closeTo((10 * 50 + 40 * 40) / 90, 9)]]);
    expect(after.open[0]?.baselineMs).toBeCloseTo(MINUTE, 6);
  });
});

describe('open minutes', () => {
  it('are finished as soon as a later one begins', () => {
    const after = credited([
      [9, at(0), at(0, 50)],
      [9, at(7), at(7, 10)],
    ]);
    expect([shape(after.finished), shape(after.open)]).toEqual([[[0, 50, 9]], [[7, 10, 9]]]);
  });

  it('stay open while the clock is before them, and go on as it comes to them', () => {
    const back = credited([
      [9, at(1), at(1, 5)],
      [9, at(0, 50), at(0, 55)],
      [9, at(0, 55), at(1, 20)],
    ]);
    expect([shape(back.finished), shape(back.open)]).toEqual([[[0, 10, 9]], [[1, 25, 9]]]);
  });

  it('are at most 16', () => {
    const parts = Array.from({ length: 20 }, (_, index): Part => [9, at(-index), at(-index, 5)]);
    expect(shape(credited(parts.slice(0, 16)).open)).toHaveLength(16);
    const after = credited(parts);
    expect(after.open.map(({ minute }) => minute - NOON)).toEqual(Array.from({ length: 16 }, (_, index) => index - 15));
    expect(after.finished.map(({ minute }) => minute - NOON)).toEqual([-16, -17, -18, -19]);
  });
});

describe('kept rows', () => {
  it('are the last seven days up to now, sorted', () => {
    expect(RETAINED_MINUTES).toBe(10_080);
    const rows = [NOON + 1, NOON, NOON - 10_080, NOON - 10_079, NOON - 5].map((minute) => row(minute, 9));
    expect(joinMinutes(rows, NOON).map(({ minute }) => minute - NOON)).toEqual([-10_079, -5, 0]);
  });

  it('of one minute are one, the later one last', () => {
    const part = (lux: number) => row(NOON, lux, { luxMs: lux * 20_000, coveredMs: 20_000, baselineMs: 10_000 });
    expect(joinMinutes([part(30), part(10)], NOON)).toEqual([
      {
        minute: NOON,
        luxMs: 800_000,
        coveredMs: 40_000,
        min: 10,
        max: 30,
        last: 10,
        samples: 2,
        baselineLogMs: expect.closeTo((logOf(30) + logOf(10)) * 10_000, 6) as number,
        baselineMs: 20_000,
      },
    ]);
  });

  it('of one minute do not count for more than a minute', () => {
    const [joined] = joinMinutes([row(NOON, 30), row(NOON, 10), row(NOON, 20)], NOON);
    expect([joined?.coveredMs, joined?.baselineMs]).toEqual([expect.closeTo(MINUTE, 6), expect.closeTo(MINUTE, 6)]);
    expect((joined?.baselineLogMs ?? 0) / MINUTE).toBeLessThan(logOf(30));
  });
});

describe('a record of Home Assistant', () => {
  const recorded = { minute: NOON, minutes: 1, mean: 20, min: 10, max: 40 };
  it('of a minute is a row, all of it baseline', () =>
    expect(minutesOf(recorded)).toEqual([{ ...row(NOON, 20), min: 10, max: 40 }]));
  it.each([
    ['of five minutes is five rows', { minutes: 5 }, [0, 1, 2, 3, 4]],
    ['of more is no more', { minutes: 60 }, [0, 1, 2, 3, 4]],
    ['of none is none', { minutes: 0 }, []],
    ['that is no number is none', { mean: Number.NaN }, []],
    ['of no minute is none', { minute: Number.NaN }, []],
  ])('%s', (_, part, minutes) =>
    expect(minutesOf({ ...recorded, ...part }).map(({ minute }) => minute - NOON)).toEqual(minutes),
  );
  it.each([
    ['is held inside 0 to 100,000', { mean: 2e5, max: 3e5 }, [100_000, 10, 100_000]],
    ['has its mean between the others', { min: 30, max: 15 }, [20, 20, 20]],
    ['has its mean for others that are no numbers', { min: Number.NaN, max: Number.NaN }, [20, 20, 20]],
  ])('%s', (_, part, expected) => {
    const [first] = minutesOf({ ...recorded, ...part });
    expect([first?.last, first?.min, first?.max]).toEqual(expected);
  });
});
