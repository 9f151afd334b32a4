import { describe, expect, it } from 'vitest';

import { fractionOf, levelFor } from '#machines/auto-brightness/curve.ts';
import type { HistoryChart, LightMinute, Place } from '#machines/auto-brightness/events.ts';
import { chartOf } from '#machines/auto-brightness/chart.ts';
import type { Fit } from '#machines/auto-brightness/fit.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';

import { completed, MINUTE, row } from './samples.ts';

/** 2026-11-26 12:03 UTC: the last bucket began at 12:00. */
const NOON = 29_928_240;
const NOW = (NOON + 3) * MINUTE + 30_000;

const nepal: Place = { latitude: 27.7, longitude: 85.3, timeZone: 'Asia/Kathmandu' };
const settings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };

/** Always expects this much light. */
const expecting = (lux: number | null, range: Fit['range'] = null): Fit => ({
  madeAt: NOW,
  range,
  expectedAt: () => ({ log: lux === null ? null : logOf(lux), spread: 0.15, coveredDays: 7 }),
});

function draw(minutes: readonly LightMinute[], part: Partial<Parameters<typeof chartOf>[0]> = {}) {
  const given = { minutes, fit: expecting(100), place: nepal, now: NOW, hours: 1, settings, sourceRevision: 3 };
  return completed(chartOf({ ...given, ...part }));
}

const chart = (...given: Parameters<typeof draw>): HistoryChart => draw(...given).value;

const last = ({ points }: HistoryChart) => points.at(-1);

describe('a chart', () => {
  it('says when, where and with what it was drawn', () =>
    expect(chart([row(NOON - 9, 5), row(NOON - 2, 5)])).toMatchObject({
      nowEpochMinute: NOON + 3,
      latestEpochMinute: NOON - 2,
      timeZone: 'Asia/Kathmandu',
      sourceRevision: 3,
      settings,
    }));

  it.each([
    [1, 12],
    [24, 288],
    [168, 2_016],
    [0, 12],
    [-5, 12],
    [1.9, 12],
    [9_999, 2_016],
  ])('of %d hours has %d points, each of five minutes, up to now', (hours, count) => {
    const { points } = chart([], { hours });
    expect(points.map(({ epochMinute }) => epochMinute)).toEqual(
      Array.from({ length: count }, (_, index) => NOON - 5 * (count - 1 - index)),
    );
  });

  it('is aligned to five minutes since the epoch', () => {
    const at = (minute: number) => last(chart([], { now: (NOON + minute) * MINUTE }))?.epochMinute;
    expect([0, 4, 4.99, 5].map(at)).toEqual([NOON, NOON, NOON, NOON + 5]);
  });

  it('of nothing has gaps, and what is expected', () => {
    const drawn = chart([]);
    expect(drawn.latestEpochMinute).toBeNull();
    for (const point of drawn.points)
      expect(point).toMatchObject({
        observedMeanLux: null,
        minLux: null,
        maxLux: null,
        expectedLux: expect.closeTo(100, 9) as number,
        proposedBrightness: levelFor(fractionOf(logOf(100), null), settings),
      });
  });

  it('has the calendar of its place', () => {
    // Midnight in Nepal was at 18:15 UTC of the day before.
    const { points } = chart([], { hours: 24 });
    const midnight = points.findIndex(({ minuteOfDay }) => minuteOfDay === 0);
    expect(points[midnight]?.epochMinute).toBe(NOON - 12 * 60 - 345);
    expect(points[midnight]).toMatchObject({ localDay: 20_783, dayAge: 0 });
    expect(points[midnight - 1]).toMatchObject({ localDay: 20_782, minuteOfDay: 1_435, dayAge: 1 });
    expect(last(chart([]))).toMatchObject({ minuteOfDay: 17 * 60 + 45, localDay: 20_783, dayAge: 0 });
  });

  it('goes back seven days by the calendar', () =>
    expect(chart([], { hours: 168 }).points[0]).toMatchObject({ dayAge: 7, minuteOfDay: 17 * 60 + 50 }));

  it('pauses every few points', () => expect(draw([], { hours: 168 }).pauses).toBeGreaterThanOrEqual(2_016 / 8));
});

describe('a point', () => {
  it('has the mean of its five minutes by time, and the least and the most', () => {
    const half = { luxMs: 40 * 30_000, coveredMs: 30_000 };
    const drawn = chart([
      row(NOON - 6, 7_000),
      row(NOON - 5, 10, { min: 2, max: 30 }),
      row(NOON - 1, 40, half),
      row(NOON, 9_000),
    ]);
    expect(drawn.points.at(-2)).toMatchObject({ observedMeanLux: 20, minLux: 2, maxLux: 40 });
    expect(last(drawn)).toMatchObject({ observedMeanLux: 9_000 });
    expect(drawn.points.at(-3)).toMatchObject({ observedMeanLux: 7_000 });
  });

  it('is a gap without covered time, and takes nothing from the future', () => {
    const drawn = chart([row(NOON, 40, { luxMs: 0, coveredMs: 0 }), row(NOON + 4, 40)]);
    expect(last(drawn)).toMatchObject({ observedMeanLux: null });
  });

  it.each([
    ['half of the difference counts', 100, 1_000, 50, (logOf(100) + logOf(1_000)) / 2],
    ['all of it, at a response of 100', 100, 1_000, 100, logOf(1_000)],
    ['none of it, at 0', 100, 1_000, 0, logOf(100)],
    ['what is darker counts as well', 100, 10, 50, (logOf(100) + logOf(10)) / 2],
    ['what is observed counts alone if nothing is expected', null, 1_000, 0, logOf(1_000)],
  ])('proposes a level: %s', (_, expected, observed, responsePercent, log) => {
    const chosen = { minimumPercent: 10, maximumPercent: 90, responsePercent };
    const range = { low: 1, high: 8, weight: 0.5 };
    const point = last(chart([row(NOON, observed)], { settings: chosen, fit: expecting(expected, range) }));
    expect(point?.proposedBrightness).toBe(levelFor(fractionOf(log, range), chosen));
    expect(point?.expectedLux ?? null).toEqual(expected === null ? null : expect.closeTo(expected, 9));
  });

  it('proposes nothing of nothing', () =>
    expect(last(chart([], { fit: expecting(null) }))).toMatchObject({ expectedLux: null, proposedBrightness: null }));
});
