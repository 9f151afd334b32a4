import { describe, expect, it } from 'vitest';

import type { StorageGrowth } from '#machines/storage-health/events.ts';
import { afterMeasured } from '#machines/storage-health/growth.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Measures every five minutes for so long, `bytesAt` bytes each. */
function measured(
  forMs: number,
  bytesAt: (at: number) => number,
  begin: StorageGrowth = nothingKnown.growth,
  from = 0,
): StorageGrowth {
  let growth = begin;
  for (let at = from; at <= from + forMs; at += 5 * MINUTE) growth = afterMeasured(growth, bytesAt(at), at);
  return growth;
}

describe('the growth of what the agent keeps', () => {
  it.each<[string, number, (at: number) => number, number | null]>([
    ['nothing is said of one measurement', 0, () => 900, null],
    ['nor before a whole day', DAY - 5 * MINUTE, (at) => at, null],
    ['a steady folder grows by nothing', DAY, () => 900, 0],
    ['a thousand bytes an hour', DAY, (at) => (at / HOUR) * 1_000, 24_000],
    ['a folder that shrinks', 2 * DAY, (at) => 1_000_000 - (at / DAY) * 300, -300],
    ['what was long ago counts no more', 20 * DAY, (at) => (at < 10 * DAY ? at : 10 * DAY), 0],
  ])('%s', (_, forMs, bytesAt, expected) => {
    expect(measured(forMs, bytesAt).bytesPerDay).toBe(expected);
  });

  it('remembers at most 29 measurements, of the newest seven days', () => {
    const { measured: remembered, lastAt } = measured(30 * DAY, (at) => at);
    expect(remembered).toHaveLength(29);
    expect((lastAt ?? 0) - (remembered[0]?.at ?? 0)).toBe(7 * DAY);
  });

  it('changes only with a measurement that is remembered', () => {
    const growth = measured(DAY, () => 900);
    expect(afterMeasured(growth, 5_000, DAY + 5 * MINUTE).bytesPerDay).toBe(0);
  });

  it.each([
    ['set forward', DAY + 2 * HOUR],
    ['set back', DAY - MINUTE],
  ])('begins anew after the clock was %s', (_, at) => {
    const growth = measured(DAY, () => 900);
    expect(afterMeasured(growth, 5_000, at)).toEqual({
      measured: [{ at, bytes: 5_000 }],
      lastAt: at,
      bytesPerDay: null,
    });
  });

  it('passes over an inspection that could not measure', () => {
    const growth = measured(DAY, () => 900);
    expect(afterMeasured(growth, null, DAY + 5 * MINUTE)).toBe(growth);
  });
});
