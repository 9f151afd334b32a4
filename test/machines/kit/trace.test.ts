import { describe, expect, it } from 'vitest';

import { newestPerSecond, TRACE_EVERY_MS, TRACE_POINTS, type TracePoint } from '#machines/kit/trace.ts';

const point = (at: number, value: number | null): TracePoint => ({ at, value });

describe('a trace with at most one point a second', () => {
  it.each<[string, readonly TracePoint[], TracePoint, readonly TracePoint[]]>([
    ['takes the first', [], point(5, 20), [point(5, 20)]],
    ['begins with no gap', [], point(5, null), []],
    [
      'takes one after a second',
      [point(5, 20)],
      point(5 + TRACE_EVERY_MS, 90),
      [point(5, 20), point(5 + TRACE_EVERY_MS, 90)],
    ],
    ['puts the value of one that comes sooner into the last', [point(5, 20)], point(405, 90), [point(5, 90)]],
    [
      'leaves the points before that alone',
      [point(5, 20), point(2_005, 30)],
      point(2_010, 90),
      [point(5, 20), point(2_005, 90)],
    ],
    ['marks a gap at once', [point(5, 20)], point(6, null), [point(5, 20), point(6, null)]],
    ['never fills a gap', [point(5, 20), point(6, null)], point(7, 90), [point(5, 20), point(6, null), point(7, 90)]],
    ['marks a gap once', [point(5, 20), point(6, null)], point(7, null), [point(5, 20), point(6, null)]],
    ['goes on when the clock was set back', [point(5_000, 20)], point(5, 90), [point(5_000, 20), point(5, 90)]],
  ])('%s', (_, trace, next, expected) => {
    const before = structuredClone(trace);
    expect(newestPerSecond(trace, next)).toEqual(expected);
    expect(trace).toEqual(before);
  });

  it('drops the oldest when it is full, and none for a value that is put into the last', () => {
    const full = Array.from({ length: TRACE_POINTS }, (_, index) => point(index * TRACE_EVERY_MS, index));
    const last = (TRACE_POINTS - 1) * TRACE_EVERY_MS;
    expect(newestPerSecond(full, point(last + 1, 0))).toEqual([...full.slice(0, -1), point(last, 0)]);
    expect(newestPerSecond(full, point(last + TRACE_EVERY_MS, 0))).toEqual([
      ...full.slice(1),
      point(last + TRACE_EVERY_MS, 0),
    ]);
  });
});
