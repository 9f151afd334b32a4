import { beforeAll, describe, expect, it } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { chartOf, playWeek, type Week } from './week.ts';

const seeds = Array.from({ length: amount(1, 20) }, (_, index) => index + 1);

// With SCONCE_PRINT=1 it prints the chart, and the summed error.

/** The most changes of direction in an hour: clouds must not pump the screen. */
const MOST_TURNS = 6;

describe.each(seeds)('a generated week, and one day more, of seed %i', (seed) => {
  let week: Week;
  beforeAll(() => {
    week = playWeek(seed);
    if (process.env['SCONCE_PRINT'] !== '1') return;
    const { hours, errors, shape } = week;
    const sums = `learned ${errors.learned.toFixed(1)}, fixed curve ${errors.fixed.toFixed(1)} level hours`;
    const shapes = `by shape alone ${shape.learned.toFixed(1)} and ${shape.fixed.toFixed(1)}`;
    console.log(`${chartOf(hours)}\nseed ${seed}: ${sums}; ${shapes}`);
  });

  it('never turns the level more than six times an hour', () => {
    expect(week.hours).toHaveLength(8 * 24);
    expect(week.hours.filter(({ turns }) => turns > MOST_TURNS)).toEqual([]);
  });

  it('errs less on the last day than the fixed curve', () => {
    expect(week.errors.learned).toBeLessThan(week.errors.fixed);
  });
});
