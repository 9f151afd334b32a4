import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { firstFrom, medianOf, pick, sortedIndices } from '#machines/auto-brightness/order.ts';

function plain(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

describe('the median', () => {
  it.each([
    [[], null],
    [[3], 3],
    [[5, 1], 3],
    [[9, 1, 2], 2],
    [[4, 4, 1, 9], 4],
  ])('of %j is %s', (values, expected) => expect(medianOf(Float64Array.from(values))).toBe(expected));

  it('is that of a plain sort, with many equal values as well', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 12, noNaN: true }));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        expect(medianOf(Float64Array.from(values))).toBeCloseTo(plain(values), 12);
      }),
      { numRuns: 300 },
    );
  });
});

describe('sorted indices', () => {
  it('are in the order of their values', () => {
    const values = Float64Array.from([5, 0, 11.512935, 0.000002, 0.000001, 180]);
    const order = sortedIndices(Uint16Array.from([5, 4, 3, 2, 1, 0]), values);
    expect([...order]).toEqual([1, 4, 3, 0, 2, 5]);
    expect([...pick(values, order)]).toEqual([0, 0.000001, 0.000002, 5, 11.512935, 180]);
  });
  it('hold the highest index and value', () => {
    const values = new Float64Array(16_384).fill(1_439);
    values[16_383] = 100_000;
    values[0] = 0;
    expect([...sortedIndices(Uint16Array.from([16_383, 9, 0]), values)]).toEqual([0, 9, 16_383]);
  });
});

it.each([
  [-1, 0],
  [2, 0],
  [3, 1],
  [4, 1],
  [4.1, 3],
  [9, 4],
])('the first from %d on is at %d', (value, expected) =>
  expect(firstFrom(Float64Array.from([2, 4, 4, 7]), value)).toBe(expected),
);
