import { describe, expect, it } from 'vitest';

import type { LightMinute, Place } from '#machines/auto-brightness/events.ts';
import { FIT_MS, fitMinutes } from '#machines/auto-brightness/fit.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';
import { sunAt } from '#machines/kit/sun.ts';

import { completed, guinea, MINUTE, row } from './samples.ts';

const NOW = Date.UTC(2026, 2, 21);

const fit = (rows: readonly LightMinute[], place: Place | null = null, now = NOW) =>
  completed(fitMinutes(rows, place, now)).value;

/** Without a place the system's zone counts: rows and questions are by its calendar. */
const local = (day: number, hour: number, minute = 0): number => new Date(2026, 2, 20 + day, hour, minute).getTime();
const rowAt = (at: number, lux: number, part: Partial<LightMinute> = {}) => row(at / MINUTE, lux, part);
const sortedRows = (rows: readonly LightMinute[]) => rows.toSorted((first, second) => first.minute - second.minute);

it('a fit counts for five minutes', () => expect(FIT_MS).toBe(300_000));

describe('a minute counts', () => {
  const at = local(-1, 12);
  it.each([
    ['with 15 s of baseline', { baselineMs: 15_000 }, at + 3_600_000, true],
    ['not with less', { baselineMs: 14_999 }, at + 3_600_000, false],
    ['once it is a minute old', {}, at + MINUTE, true],
    ['not before', {}, at + MINUTE - 1, false],
  ])('%s', (_, part, now, expected) =>
    expect(fit([rowAt(at, 50, part)], null, now).expectedAt(at).log !== null).toBe(expected),
  );
});

describe('by the time of day', () => {
  const known = fit([rowAt(local(-2, 12), 50)]);
  it.each([
    [11, 29, false],
    [11, 30, true],
    [12, 0, true],
    [12, 30, true],
    [12, 31, false],
  ])('noon says something of %d:%d: %s', (hour, minute, expected) =>
    expect(known.expectedAt(local(0, hour, minute)).log).toEqual(expected ? expect.closeTo(logOf(50), 9) : null),
  );

  const late = fit([rowAt(local(-2, 23, 50), 50)]);
  const early = fit([rowAt(local(-2, 0, 10), 50)]);
  it.each([
    ['later, over midnight', late, 0, 20, true],
    ['no later', late, 0, 21, false],
    ['earlier, over midnight', early, 23, 40, true],
    ['no earlier', early, 23, 39, false],
  ])('the day is a circle: half an hour %s', (_, learned, hour, minute, expected) =>
    expect(learned.expectedAt(local(0, hour, minute)).log !== null).toBe(expected),
  );

  it('the median counts, of an even number the mean of the middle two', () => {
    const three = [1, 2, 90].map((lux, index) => rowAt(local(-1, 12, index), lux));
    expect(fit(three).expectedAt(local(0, 12)).log).toBeCloseTo(logOf(2), 9);
    const two = fit(three.slice(0, 2)).expectedAt(local(0, 12));
    expect(two.log).toBeCloseTo((logOf(1) + logOf(2)) / 2, 9);
  });

  it.each([
    ['in the spring', Date.UTC(2026, 2, 27, 11), Date.UTC(2026, 2, 29), 10, 11],
    ['in the autumn', Date.UTC(2026, 9, 24, 10), Date.UTC(2026, 9, 25), 11, 10],
  ])('goes by the clocks of the zone, which change %s', (_, noon, changed, hour, before) => {
    // Noon in Berlin is at 11:00 UTC in the winter and at 10:00 in the summer; beyond the Pacific it is night then.
    const place = { latitude: 0, longitude: 180, timeZone: 'Europe/Berlin' };
    const learned = fit([rowAt(noon, 50)], place, changed + 86_400_000);
    expect(learned.expectedAt(changed + hour * 3_600_000).log).toBeCloseTo(logOf(50), 9);
    expect(learned.expectedAt(changed + before * 3_600_000).log).toBeNull();
  });

  it('has no memory of its own: the same question has the same answer', () => {
    const learned = fit([1, 2, 90].map((lux, index) => rowAt(local(-1, 12, index), lux)));
    const first = learned.expectedAt(local(0, 12));
    learned.expectedAt(local(0, 3));
    expect(learned.expectedAt(local(0, 12))).toEqual(first);
  });
});

describe('the spread', () => {
  const spreadOf = (logs: readonly number[]): number =>
    fit(logs.map((log, index) => rowAt(local(-1, 12, index), Math.expm1(log)))).expectedAt(local(0, 12)).spread;
  it.each([
    ['is the median of the deviations', [2, 2.1, 2.3, 3, 6], 0.3],
    ['is 0.05 at least', [2, 2.01, 2.02], 0.05],
    ['of one minute is 0.05', [2], 0.05],
    ['of none is 0.15', [], 0.15],
  ])('%s', (_, logs, expected) => expect(spreadOf(logs)).toBeCloseTo(expected, 6));
});

describe('the covered days', () => {
  const day = (number: number, ...baseline: readonly number[]) =>
    baseline.map((baselineMs, index) => rowAt(local(-number, 12, index), 50, { baselineMs }));
  it.each([
    ['are those with a minute of baseline', [...day(1, 60_000), ...day(2, 30_000, 30_000)], 2],
    ['are none with less', [...day(1, 59_999), ...day(2, 29_000, 30_000)], 0],
    ['are of minutes that are alike', [...day(1, 60_000), rowAt(local(-2, 18), 50)], 1],
    ['are none without minutes', [], 0],
  ])('%s', (_, rows, expected) => expect(fit(sortedRows(rows)).expectedAt(local(0, 12)).coveredDays).toBe(expected));
});

describe('by the sun', () => {
  // In a month of spring the same elevation comes more than an hour earlier here, so that what is alike by the sun and
  // what is alike by the time of day are different minutes.
  const north: Place = { latitude: 60, longitude: 0, timeZone: 'Etc/UTC' };
  const march = (day: number): number => Date.UTC(2026, 2, day);
  const april = Date.UTC(2026, 3, 20);
  const now = april + 86_400_000;
  const HALF_DAY = 43_200_000;

  /** When the sun has this elevation on the day that begins at `start`, to a millisecond. */
  function when(start: number, degrees: number, isRising = true): number {
    let [low, high] = isRising ? [start, start + HALF_DAY] : [start + 2 * HALF_DAY, start + HALF_DAY];
    while (Math.abs(high - low) > 1) {
      const middle = (low + high) / 2;
      if (sunAt(middle, north).elevation < degrees) low = middle;
      else high = middle;
    }
    return low;
  }
  const wholeMinute = (at: number): number => Math.round(at / MINUTE) * MINUTE;
  const learnedFrom = (...rows: readonly LightMinute[]) => fit(sortedRows(rows), north, now);

  const morning = wholeMinute(when(march(20), 15));
  const { elevation } = sunAt(morning, north);
  it.each([
    ['the same elevation', 0, true, true],
    ['almost 3 degrees more', 2.99, true, true],
    ['almost 3 degrees less', -2.99, true, true],
    ['more than 3 degrees more', 3.01, true, false],
    ['more than 3 degrees less', -3.01, true, false],
    ['the same elevation of the afternoon', 0, false, false],
  ])('a morning says of %s: %s, %s, %s', (_, degrees, isRising, expected) => {
    const learned = learnedFrom(rowAt(morning, 200)).expectedAt(when(april, elevation + degrees, isRising));
    expect(learned.log).toEqual(expected ? expect.closeTo(logOf(200), 9) : null);
  });

  it('an afternoon says something of another', () => {
    const afternoon = wholeMinute(when(march(20), 15, false));
    const learned = learnedFrom(rowAt(afternoon, 200));
    expect(learned.expectedAt(when(april, 15, false)).log).toBeCloseTo(logOf(200), 9);
    expect(learned.expectedAt(when(april, 15)).log).toBeNull();
  });

  /** 200 lx by the sun, and by the time of day 10 lx with a spread of 0.3, on another day. */
  function bothWays(at: number) {
    const degrees = sunAt(at, north).elevation;
    const bySun = rowAt(wholeMinute(when(march(20), degrees)), 200);
    const sameTime = wholeMinute(march(21) + (at - april));
    const logs = [logOf(10) - 0.3, logOf(10), logOf(10) + 0.3];
    const byTime = logs.map((log, index) => rowAt(sameTime + index * MINUTE, Math.expm1(log)));
    return { bySun, byTime };
  }

  it.each([
    [-7, 0, 1],
    [-6, 0, 1],
    [-4.5, 0.25, 2],
    [-3, 0.5, 2],
    [0.001, 1, 1],
    [20, 1, 1],
  ])('at %d degrees the sun counts for %d, and %d days are covered', (degrees, weight, coveredDays) => {
    const at = when(april, degrees);
    const { bySun, byTime } = bothWays(at);
    const learned = learnedFrom(bySun, ...byTime).expectedAt(at);
    expect(learned.log).toBeCloseTo(logOf(10) + weight * (logOf(200) - logOf(10)), 4);
    expect(learned.spread).toBeCloseTo(0.3 + weight * (0.05 - 0.3), 4);
    expect(learned.coveredDays).toBe(coveredDays);
  });

  it.each([
    ['the time of day alone counts if the sun was never there', 20, 'byTime', 10],
    ['the sun alone counts if the time is unknown', -3, 'bySun', 200],
  ] as const)('%s', (_, degrees, known, lux) => {
    const at = when(april, degrees);
    const rows = bothWays(at);
    const learned = learnedFrom(...[rows[known]].flat()).expectedAt(at);
    expect(learned).toEqual({
      log: expect.closeTo(logOf(lux), 6) as number,
      spread: expect.closeTo(known === 'bySun' ? 0.05 : 0.3, 6) as number,
      coveredDays: 1,
    });
  });

  it('the sun does not count at night, even if nothing else is known', () => {
    const at = when(april, -6.01);
    expect(learnedFrom(bothWays(at).bySun).expectedAt(at)).toEqual({ log: null, spread: 0.15, coveredDays: 0 });
  });

  it('a minute that is alike in both ways counts once', () => {
    const at = when(april, -3);
    const row30 = rowAt(wholeMinute(at), 50, { baselineMs: 30_000 });
    const learned = learnedFrom(row30).expectedAt(at + MINUTE);
    expect(learned.log).toBeCloseTo(logOf(50), 9);
    expect(learned.coveredDays).toBe(0);
  });
});

describe('the range of the room', () => {
  /** Minutes by day: the first `dark` of each hundred at 0 lx, the last `bright` at 1,000, the others at 50. */
  function rows(days: readonly number[], { dark = 10, bright = 10, baselineMs = MINUTE } = {}): readonly LightMinute[] {
    const light = (index: number): number => {
      if (index % 100 < dark) return 0;
      return index % 100 >= 100 - bright ? 1_000 : 50;
    };
    return days.flatMap((count, day) =>
      Array.from({ length: count }, (_, index) =>
        rowAt(local(day - days.length, 1, index), light(index), { baselineMs }),
      ),
    );
  }
  const rangeOf = (...given: Parameters<typeof rows>) => fit(rows(...given)).range;

  it.each([
    ['counts in full from 18 h and three days on', [360, 360, 360], 1],
    ['does not count at 2 h', [40, 40, 40], null],
    ['counts half at 10 h', [200, 200, 200], 0.5],
    ['does not count on one day', [1_200], null],
    ['counts half on two days', [600, 600], 0.5],
    ['counts by both: a quarter', [300, 300], 0.25],
    ['does not count days with less than half an hour', [600, 600, 29], 0.5],
    ['counts days with half an hour', [600, 600, 30], 1],
  ])('%s', (_, days, weight) => {
    const range = rangeOf(days);
    expect(range?.weight ?? null).toEqual(weight === null ? null : expect.closeTo(weight, 9));
  });

  it.each([
    ['is from the 5th to the 95th percentile', { dark: 6, bright: 6 }, [0, logOf(1_000)]],
    ['begins at 5 %, no later', { dark: 5, bright: 6 }, [0, logOf(1_000)]],
    ['leaves out the darkest and the brightest 5 %', { dark: 4, bright: 4 }, null],
    ['leaves out the darkest 5 %', { dark: 4, bright: 6 }, [logOf(50), logOf(1_000)]],
    ['leaves out the brightest 5 %', { dark: 6, bright: 4 }, [0, logOf(50)]],
  ])('%s', (_, shares, expected) => {
    const range = rangeOf([500, 500, 500], shares);
    const bounds = range === null ? null : [range.low, range.high];
    expect(bounds).toEqual(expected === null ? null : expected.map((bound) => expect.closeTo(bound, 9) as number));
  });

  it('weighs minutes by their baseline', () => {
    // A tenth of the minutes is bright, but with a quarter of a minute each: less than 5 % of the time.
    const weighed = rows([500, 500, 500], { dark: 6, bright: 10 }).map((each) =>
      each.max === 1_000 ? rowAt(each.minute * MINUTE, 1_000, { baselineMs: 15_000 }) : each,
    );
    expect(fit(weighed).range?.high).toBeCloseTo(logOf(50), 9);
  });

  it.each([
    [0.999, false],
    [1.001, true],
  ])('of a span of %d counts: %s', (span, expected) => {
    const few = rows([500, 500, 500], { dark: 50, bright: 0 }).map((each) =>
      each.max === 50 ? rowAt(each.minute * MINUTE, Math.expm1(span)) : each,
    );
    expect(fit(few).range !== null).toBe(expected);
  });
});

describe('a whole week', () => {
  const week = Array.from({ length: 10_080 }, (_, index) =>
    row(NOW / MINUTE - 10_080 + index, Math.round(500 * (1 + Math.sin(index / 229)))),
  );
  it('is learned in slices of at most 128 minutes', () => {
    const { value, pauses } = completed(fitMinutes(week, guinea, NOW));
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(10_080 / 128));
    expect(value.madeAt).toBe(NOW);
    expect(value.expectedAt(NOW)).toMatchObject({ coveredDays: 7, log: expect.any(Number) as number });
  });
  it('is all that is learned from: older rows before it do not count', () => {
    const older = Array.from({ length: 600 }, (_, index) => row(NOW / MINUTE - 20_000 + index, 90_000));
    const learned = completed(fitMinutes([...older, ...week], guinea, NOW)).value;
    const alone = completed(fitMinutes(week, guinea, NOW)).value;
    for (let hour = 0; hour < 24; hour += 1)
      expect(learned.expectedAt(NOW + hour * 3_600_000)).toEqual(alone.expectedAt(NOW + hour * 3_600_000));
  });
});
