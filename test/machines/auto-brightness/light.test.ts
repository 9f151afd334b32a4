import { describe, expect, it } from 'vitest';

import { fractionOf, levelFor } from '#machines/auto-brightness/curve.ts';
import { expectedLog, modeOf } from '#machines/auto-brightness/expected.ts';
import { logOf, luxOf } from '#machines/auto-brightness/lux.ts';
import { smoothed } from '#machines/auto-brightness/smooth.ts';
import { automatic } from '#machines/auto-brightness/target.ts';
import { MAX_LUX, usableLux } from '#machines/kit/lux.ts';

const MINUTE = 60_000;

describe('usable lux', () => {
  it.each([
    [0, 0],
    [12.5, 12.5],
    [-1, 0],
    [100_000, 100_000],
    [100_001, 100_000],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.NEGATIVE_INFINITY, null],
  ])('of %d is %s', (value, expected) => expect(usableLux(value)).toBe(expected));
  it('ends at 100,000', () => expect(MAX_LUX).toBe(100_000));
});

describe('the logarithm', () => {
  it.each([
    [0, 0],
    [1, Math.LN2],
    [100, 4.615_121],
    [100_000, 11.512_935],
  ])('of %d lx is %d', (lux, log) => {
    expect(logOf(lux)).toBeCloseTo(log, 5);
    expect(luxOf(logOf(lux))).toBeCloseTo(lux, 6);
  });
  it('of less than nothing is nothing', () => expect(luxOf(-1)).toBe(0));
});

describe('the smoothed measurement', () => {
  it.each([
    ['is the first one', null, 5, 0, 5],
    ['has taken 63 % of a step after 60 s', 0, 1, MINUTE, 1 - 1 / Math.E],
    ['has taken 39 % after 30 s', 0, 1, MINUTE / 2, 1 - 1 / Math.sqrt(Math.E)],
    ['falls alike', 1, 0, MINUTE, 1 / Math.E],
    ['is where it was at once', 2, 9, 0, 2],
    ['does not run backwards', 2, 9, -MINUTE, 2],
  ])('%s', (_, before, log, since, expected) => expect(smoothed(before, log, since)).toBeCloseTo(expected, 9));
  it('is the same in one step and in sixty', () => {
    let value = 0;
    for (let second = 0; second < 60; second += 1) value = smoothed(value, 3, 1000);
    expect(value).toBeCloseTo(smoothed(0, 3, MINUTE), 9);
  });
});

describe('the fixed curve', () => {
  it.each([
    [0, 0.04],
    [1, 0.06],
    [10, 0.12],
    [100, 0.3],
    [1_000, 0.65],
    [10_000, 1],
    [100_000, 1],
  ])('gives %d lx %d of full', (lux, share) => expect(fractionOf(logOf(lux), null)).toBeCloseTo(share, 9));
  it('is linear between its points in ln(1 + lx)', () => {
    expect(fractionOf((logOf(10) + logOf(100)) / 2, null)).toBeCloseTo(0.21, 9);
    expect(fractionOf(logOf(0) + 0.25 * logOf(1), null)).toBeCloseTo(0.045, 9);
  });
  it('does not go below the dark', () => expect(fractionOf(-3, null)).toBe(0.04));
});

describe('the range of the room', () => {
  const range = { low: 2, high: 6, weight: 1 };
  it.each([
    [1, 0.04],
    [2, 0.04],
    [3, 0.28],
    [4, 0.52],
    [6, 1],
    [9, 1],
  ])('gives ln(1 + lx) of %d %d of full', (log, share) => expect(fractionOf(log, range)).toBeCloseTo(share, 9));
  it('is blended with the fixed curve by its weight', () => {
    const log = logOf(100);
    const learned = 0.04 + (0.96 * (log - 2)) / 4;
    expect(fractionOf(log, { ...range, weight: 0.25 })).toBeCloseTo(0.75 * 0.3 + 0.25 * learned, 9);
    expect(fractionOf(log, { ...range, weight: 0 })).toBeCloseTo(0.3, 9);
  });
});

const settings = (minimumPercent: number, maximumPercent: number, responsePercent = 50) => ({
  minimumPercent,
  maximumPercent,
  responsePercent,
});

describe('the level', () => {
  it.each([
    ['is the visible floor, raw 10, in the dark', 0.04, settings(4, 100), 10],
    ['is 255 at full', 1, settings(4, 100), 255],
    ['is in the middle between', 0.52, settings(4, 100), 133],
    ['is the minimum in the dark', 0.04, settings(20, 80), 51],
    ['is the maximum at full', 1, settings(20, 80), 204],
    ['is spread between both', 0.28, settings(20, 80), 89],
    ['is not below the minimum', 0, settings(4, 100), 10],
    ['is not above the maximum', 2, settings(4, 50), 128],
  ])('%s', (_, fraction, chosen, level) => expect(levelFor(fraction, chosen)).toBe(level));
});

describe('the mode', () => {
  it.each([
    [0, 7, 'cold_start'],
    [30 * MINUTE - 1, 7, 'cold_start'],
    [30 * MINUTE, 0, 'provisional'],
    [30 * MINUTE, 1, 'provisional'],
    [30 * MINUTE, 2, 'learning'],
    [30 * MINUTE, 3, 'learning'],
    [30 * MINUTE, 4, 'confident'],
    [30 * MINUTE, 8, 'confident'],
  ] as const)('after %d ms and with %d days is %s', (session, days, mode) => expect(modeOf(session, days)).toBe(mode));
});

describe('the expected light', () => {
  it.each([
    ['cold_start', 2],
    ['provisional', 3],
    ['learning', 4.6],
    ['confident', 6],
  ] as const)('of mode %s lies at %d between measured 2 and learned 6', (mode, expected) =>
    expect(expectedLog(mode, 2, 6)).toBeCloseTo(expected, 9),
  );
  it('is the measured one where nothing is learned', () => expect(expectedLog('confident', 2, null)).toBe(2));
});

describe('the automatic', () => {
  const light = { mode: 'confident', expectedLog: 4, measuredLog: 5, share: 1, range: null } as const;
  const effective = (part: object, response = 50) =>
    automatic({ ...light, settings: settings(4, 100, response), ...part }).fraction;
  it.each([
    ['counts half of what is brighter', {}, 50, 4.5],
    ['counts all of it at a response of 100', {}, 100, 5],
    ['counts none of it at 0', {}, 0, 4],
    ['counts what is brighter by its share', { share: 0.5 }, 50, 4.25],
    ['does not count what is not admitted', { share: 0 }, 100, 4],
    ['always counts what is darker', { share: 0, measuredLog: 3 }, 50, 3.5],
    ['takes no response in a cold start', { mode: 'cold_start' }, 100, 4],
    ['does not go below the dark', { expectedLog: 0.5, measuredLog: 0 }, 100, 0],
  ])('%s', (_, part, response, log) => expect(effective(part, response)).toBeCloseTo(fractionOf(log, null), 9));
  it('gives the level within the settings, by the range of the room', () => {
    const range = { low: 2, high: 6, weight: 1 };
    const given = automatic({ ...light, expectedLog: 6, measuredLog: 6, settings: settings(20, 80), range });
    expect(given).toEqual({ fraction: 1, level: 204 });
  });
});
