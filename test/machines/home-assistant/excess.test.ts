import { describe, expect, it } from 'vitest';

import { excessAfter, excessWords, parkedFor } from '#machines/home-assistant/excess.ts';
import type { Excess } from '#machines/home-assistant/events.ts';

const minute = 60_000;
const code = 'message-too-deep';
const kept = (count: number, until: number): Excess => ({ code, count, until });

describe('a Home Assistant that sent too much', () => {
  it.each<[string, Excess | null, number, number, number]>([
    ['for the first time', null, 1000, 1, 1],
    ['again when it was tried again', kept(1, 1000), 1000, 2, 2],
    ['again an hour after that, less a moment', kept(3, 0), 60 * minute - 1, 4, 8],
    ['again after an hour in which it did not', kept(3, 0), 60 * minute, 1, 1],
    ['for the seventh time', kept(6, 0), 1, 7, 60],
    ['for the thousandth time', kept(999, 0), 1, 1000, 60],
    ['again, and the clock was set back', kept(2, 90 * minute), 0, 3, 4],
  ])('%s', (_, before, now, count, minutes) => {
    const after = excessAfter(before, code, now);
    expect(after).toEqual({ code, count, until: now + minutes * minute });
    expect(parkedFor(after, now)).toBe(minutes * minute);
  });

  it.each([
    ['half of it is over', kept(2, 10 * minute), 9 * minute, minute],
    ['it is over', kept(2, 10 * minute), 11 * minute, 0],
    ['the clock was set back by a year', kept(2, 525_600 * minute), 0, 2 * minute],
  ])('is left alone for what is left, where %s', (_, excess, now, left) => {
    expect(parkedFor(excess, now)).toBe(left);
  });

  it('is told of in plain words, with what to do', () => {
    expect(excessWords('message-too-deep')).toBe(
      'Home Assistant sent a message with more than 100 levels. The panel stays away from it for up to an hour and then tries again. Check that its address under Configure is the one of your Home Assistant; "Check again" tries at once.',
    );
  });
});
