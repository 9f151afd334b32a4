import { describe, expect, it } from 'vitest';

import { steadyBoot } from '#machines/readings/steady-boot.ts';

describe('steadyBoot', () => {
  it.each([
    ['nothing known yet', null, 5_000, 5_000],
    ['the kernel does not say any more', 5_000, null, 5_000],
    ['nobody knows', null, null, null],
    ['flickers up by a second', 1_000_000, 1_001_000, 1_000_000],
    ['flickers down by a second', 1_000_000, 999_000, 1_000_000],
    ['just under the bound', 1_000_000, 1_009_999, 1_000_000],
    ['the clock was set', 1_000_000, 1_010_000, 1_010_000],
    ['the clock was set by years', 1_000_000, 1_700_000_000_000, 1_700_000_000_000],
  ])('%s', (_, known, seen, expected) => {
    expect(steadyBoot(known, seen)).toBe(expected);
  });
});
