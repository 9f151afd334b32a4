import { describe, expect, it } from 'vitest';

import { secondsIn } from '#drivers/sign-in/access-tokens.ts';

describe('the seconds that a page is told', () => {
  it.each([
    [1_800_000, 1800],
    [300_000, 300],
    [299_999, 299],
    [29_999, 29],
    [-100_000, 0],
  ])('%i ms are %i s', (leftMs, seconds) => {
    expect(secondsIn(leftMs)).toBe(seconds);
  });
});
