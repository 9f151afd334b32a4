import { describe, expect, it } from 'vitest';

import { returnAfter } from '#machines/setup/return-after.ts';

describe('the return to a home dashboard that is chosen in the setup', () => {
  it.each([
    [0, false, 5],
    [30, false, 30],
    // Set up before: nothing changes by itself.
    [0, true, 0],
    [30, true, 30],
  ])('with %i min saved (complete: %s) is %i min', (saved, isComplete, minutes) => {
    expect(returnAfter(saved, isComplete)).toBe(minutes);
  });
});
