import { describe, expect, it } from 'vitest';

import { themeAfter, type AmbientTheme } from '#machines/auto-brightness/ambient-theme.ts';

const unknown: AmbientTheme = { verdict: null, pending: null };

type Step = readonly [second: number, level: number | null];

/** The verdict after each step. */
function verdicts(steps: readonly Step[], start: AmbientTheme = unknown): readonly (string | null)[] {
  let theme = start;
  return steps.map(([second, level]) => {
    theme = themeAfter(theme, level, second * 1_000);
    return theme.verdict;
  });
}

describe('the first verdict', () => {
  it.each([
    [0.04, 'dark'],
    [0.4, 'dark'],
    [0.401, null],
    [0.549, null],
    [0.55, 'light'],
    [1, 'light'],
    [null, null],
  ])('of %s is %s, at once', (level, verdict) => expect(verdicts([[3, level]])).toEqual([verdict]));
});

describe('another verdict', () => {
  it.each<[string, readonly Step[], readonly (string | null)[]]>([
    [
      'counts after 60 s',
      [
        [0, 0.2],
        [5, 0.7],
        [64.9, 0.7],
        [65, 0.7],
      ],
      ['dark', 'dark', 'dark', 'light'],
    ],
    [
      'counts the other way, too',
      [
        [0, 0.7],
        [5, 0.2],
        [64.9, 0.2],
        [65, 0.2],
      ],
      ['light', 'light', 'light', 'dark'],
    ],
    [
      'is dropped between the two levels',
      [
        [0, 0.2],
        [5, 0.7],
        [30, 0.5],
        [40, 0.7],
        [99, 0.7],
        [100, 0.7],
      ],
      ['dark', 'dark', 'dark', 'dark', 'dark', 'light'],
    ],
    [
      'is dropped if the first one returns',
      [
        [0, 0.2],
        [5, 0.7],
        [30, 0.3],
        [40, 0.7],
        [70, 0.7],
      ],
      ['dark', 'dark', 'dark', 'dark', 'dark'],
    ],
    [
      'is dropped while nothing is known',
      [
        [0, 0.2],
        [5, 0.7],
        [30, null],
        [40, 0.7],
        [70, 0.7],
      ],
      ['dark', 'dark', 'dark', 'dark', 'dark'],
    ],
  ])('%s', (_, steps, expected) => expect(verdicts(steps)).toEqual(expected));
  it('does not come of a level between the two', () =>
    expect(
      verdicts([
        [0, 0.2],
        [5, 0.54],
        [300, 0.54],
      ]),
    ).toEqual(['dark', 'dark', 'dark']));
  it('is told while it is pending', () =>
    expect(themeAfter({ verdict: 'dark', pending: null }, 0.7, 5_000)).toEqual({
      verdict: 'dark',
      pending: { verdict: 'light', since: 5_000 },
    }));
});

it('nothing new is the same object', () => {
  const theme: AmbientTheme = { verdict: 'dark', pending: { verdict: 'light', since: 0 } };
  expect(themeAfter(theme, 0.7, 30_000)).toBe(theme);
  const resting: AmbientTheme = { verdict: 'dark', pending: null };
  expect(themeAfter(resting, 0.45, 30_000)).toBe(resting);
});
