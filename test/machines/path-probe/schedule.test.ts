import { describe, expect, it } from 'vitest';

import type { Burst } from '#machines/path-probe/events.ts';
import { floor, scheduleAfter } from '#machines/path-probe/schedule.ts';

const clean: Burst = { sent: 5, roundTripsMs: [1, 1, 1, 1, 1] };
const lossy: Burst = { sent: 5, roundTripsMs: [1, 1, 1, 1] };
const dead: Burst = { sent: 5, roundTripsMs: [] };
const unsent: Burst = { sent: 0, roundTripsMs: [] };

/** Intervals in seconds after each of the bursts. */
function intervals(...bursts: readonly Burst[]): readonly number[] {
  let schedule = floor;
  return bursts.map((burst) => (schedule = scheduleAfter(schedule, burst)).intervalMs / 1000);
}
const times = (count: number, burst: Burst): readonly Burst[] => Array.from({ length: count }, () => burst);

describe('the time between two bursts', () => {
  it('doubles at each third clean burst in a row, up to ten minutes', () => {
    expect(floor.intervalMs).toBe(30_000);
    expect(intervals(...times(18, clean))).toEqual([
      30, 30, 60, 60, 60, 120, 120, 120, 240, 240, 240, 480, 480, 480, 600, 600, 600, 600,
    ]);
  });

  it.each([
    ['a lost echo', lossy],
    ['a dead burst', dead],
    ['one that could not be sent', unsent],
  ])('is back at its floor at once after %s', (_, burst) => {
    expect(intervals(...times(8, clean), burst)).toEqual([30, 30, 60, 60, 60, 120, 120, 120, 30]);
  });

  it('counts clean bursts anew after a loss', () => {
    expect(intervals(clean, clean, lossy, clean, clean, clean)).toEqual([30, 30, 30, 30, 30, 60]);
  });
});
