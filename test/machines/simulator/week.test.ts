import { describe, expect, it } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { chartOf, playWeek } from './week.ts';

const seeds = Array.from({ length: amount(3, 20) }, (_, index) => index + 1);

/** The most changes of direction in an hour: clouds must not pump the screen. */
const MOST_TURNS = 6;

describe.each(seeds)('a generated week, and one day more, of seed %i', (seed) => {
  const { hours, errors, shape } = playWeek(seed);
  if (process.env['SCONCE_PRINT'] === '1') {
    const sums = `learned ${errors.learned.toFixed(1)}, fixed curve ${errors.fixed.toFixed(1)} level hours`;
    const shapes = `by shape alone ${shape.learned.toFixed(1)} and ${shape.fixed.toFixed(1)}`;
    console.log(`${chartOf(hours)}\nseed ${seed}: ${sums}; ${shapes}`);
  }

  it('never turns the level more than six times an hour', () => {
    expect(hours).toHaveLength(8 * 24);
    expect(hours.filter(({ turns }) => turns > MOST_TURNS)).toEqual([]);
  });

  it('errs less on the last day than the fixed curve', () => {
    expect(errors.learned).toBeLessThan(errors.fixed);
  });
});
