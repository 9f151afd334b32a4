import { describe, expect, it } from 'vitest';

import { foldMinutes, type HeldLight } from '#drivers/home-assistant/light-minutes.ts';

const S = 1000;
const M = 60 * S;
/** A minute in the middle of nowhere. */
const FIRST = 29_000_000;
const START = FIRST * M;
/** What was said, as [ms from the start, lux]. */
const held = (...said: readonly (readonly [number, number | null])[]): readonly HeldLight[] =>
  said.map(([at, lux]) => ({ at: START + at, lux }));
/** Rows as [minutes from the first, mean, min, max]. */
const folded = (said: readonly HeldLight[], to: number, from = 0) =>
  foldMinutes(said, START + from, START + to).map(({ minute, minutes, mean, min, max }) => {
    expect(minutes).toBe(1);
    return [minute - FIRST, mean, min, max];
  });

describe('recorded light, folded into minutes', () => {
  it.each<[string, readonly HeldLight[], number, readonly (readonly number[])[]]>([
    ['of nothing is nothing', [], 5 * M, []],
    [
      'holds a value until the end',
      held([0, 10]),
      3 * M,
      [
        [0, 10, 10, 10],
        [1, 10, 10, 10],
        [2, 10, 10, 10],
      ],
    ],
    ['counts what held before the range from its start', held([-3_600_000, 10]), M, [[0, 10, 10, 10]]],
    ['weighs each value by how long it held', held([0, 10], [45 * S, 50]), M, [[0, 20, 10, 50]]],
    [
      'holds a value into the next minute',
      held([0, 10], [90 * S, 70]),
      2 * M,
      [
        [0, 10, 10, 10],
        [1, 40, 10, 70],
      ],
    ],
    ['counts a value of an instant in neither bound', held([0, 10], [30 * S, 900], [30 * S, 20]), M, [[0, 15, 10, 20]]],
    [
      'has a gap where nothing usable was said',
      held([0, 10], [M, null], [3 * M, 20]),
      4 * M,
      [
        [0, 10, 10, 10],
        [3, 20, 20, 20],
      ],
    ],
    ['knows a minute of which half is known', held([30 * S, 10]), M, [[0, 10, 10, 10]]],
    ['does not know one of which less is known', held([30 * S + 1, 10]), M, []],
    ['adds what is known of both sides of a gap', held([0, 10], [20 * S, null], [50 * S, 40]), M, [[0, 20, 10, 40]]],
    [
      'ends in the middle of a minute',
      held([0, 10]),
      90 * S + 1,
      [
        [0, 10, 10, 10],
        [1, 10, 10, 10],
      ],
    ],
    [
      'leaves out what comes out of order',
      held([0, 10], [50 * S, 20], [40 * S, 9000]),
      M,
      [[0, 11.666666666666666, 10, 20]],
    ],
    ['leaves out what comes after the end', held([0, 10], [2 * M, 9000]), M, [[0, 10, 10, 10]]],
    ['of a range without length is nothing', held([0, 10]), 0, []],
  ])('%s', (_, said, to, rows) => expect(folded(said, to)).toEqual(rows));

  it('has a mean that is never out of its bounds', () => {
    const odd = 0.1 + 0.2;
    for (const [, mean, min, max] of folded(held([0, odd], [7 * S, odd], [41 * S, odd]), 60 * M))
      expect([min, max, mean]).toEqual([odd, odd, odd]);
  });

  it('begins at the start of its range', () => {
    expect(folded(held([0, 10]), 2 * M, M)).toEqual([[1, 10, 10, 10]]);
  });
});
