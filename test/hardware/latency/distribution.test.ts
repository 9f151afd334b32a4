import { describe, expect, it } from 'vitest';

import { distributionOf, distributionTable, outliersOf } from './distribution.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('how long touches took', () => {
  it.each([
    { times: [7], expected: { count: 1, min: 7, p50: 7, p90: 7, p99: 7, max: 7 } },
    { times: hundred, expected: { count: 100, min: 1, p50: 50, p90: 90, p99: 99, max: 100 } },
    { times: [3, 1, 2], expected: { count: 3, min: 1, p50: 2, p90: 3, p99: 3, max: 3 } },
  ])('is told by nearest rank of $times.length', ({ times, expected }) => {
    expect(distributionOf(times)).toEqual(expected);
  });

  it('is not told of nothing', () => {
    expect(() => distributionOf([])).toThrow('nothing was measured');
  });

  it('is a table with the ratio of two', () => {
    expect(distributionTable(distributionOf([30]), distributionOf([10]))).toEqual([
      'touch to light, ms          min      p50      p90      p99      max',
      'agent, n=1                 30.0     30.0     30.0     30.0     30.0',
      'bare loop, n=1             10.0     10.0     10.0     10.0     10.0',
      'ratio                       3.0      3.0      3.0      3.0      3.0',
    ]);
  });

  it.each([
    {
      times: [10, 10, 100],
      expected: 'agent: none took more than 10 times the median; the longest took 10.0 times the median',
    },
    {
      times: [10, 10, 101],
      expected: 'agent: 1 of 3 took more than 10 times the median; the longest took 10.1 times the median',
    },
  ])('says whether one is far beyond the others: $times', ({ times, expected }) => {
    expect(outliersOf('agent', times)).toBe(expected);
  });
});
