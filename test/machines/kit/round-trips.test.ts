import { describe, expect, it } from 'vitest';

import { isFrequent, lossPercent, oftenAbove, roundTripNumbers } from '#machines/kit/round-trips.ts';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('roundTripNumbers', () => {
  it.each([
    ['nothing is unmeasured, not 0', [], [-1, -1, -1, -1]],
    ['one', [7.4], [7, 7, 7, 0]],
    ['two', [10, 20], [10, 20, 20, 10]],
    ['the nearest rank of 20 is the 19th', upTo(20), [10, 19, 20, 1]],
    ['the nearest rank of 30 is the 29th', upTo(30), [15, 29, 30, 1]],
    ['any order, of which jitter alone knows', [30, 10, 20], [20, 30, 30, 15]],
    ['below half a millisecond', [0.2, 0.4, 0.3], [0, 0, 0, 0]],
  ])('%s', (_, series, [p50, p95, max, jitter]) => {
    expect(roundTripNumbers(series)).toEqual({ p50_ms: p50, p95_ms: p95, max_ms: max, jitter_ms: jitter });
  });
});

it.each([
  [1, 1, false],
  [1, 30, false],
  [2, 40, false],
  [2, 39, true],
  [2, 2, true],
  [0, 0, false],
])('%i of %i is frequent: %s', (times, cases, expected) => expect(isFrequent(times, cases)).toBe(expected));

it('is often above a limit only by round trips that are really above it', () => {
  expect(oftenAbove([100, 100, 100], 100)).toBe(false);
  expect(oftenAbove([101, 100, 100], 100)).toBe(false);
  expect(oftenAbove([101, 100, 101], 100)).toBe(true);
});

it.each([
  [0, 0, -1],
  [0, 30, 0],
  [1, 30, 3.3],
  [2, 30, 6.7],
  [5, 5, 100],
])('%i lost of %i are %d percent', (lost, sent, expected) => expect(lossPercent(lost, sent)).toBe(expected));
