import { describe, expect, it } from 'vitest';

import { afterReading, isWorthPublishing, MOST_DOUBTS } from '#machines/sensors/decide.ts';
import type { SensorContext, SensorId } from '#machines/sensors/events.ts';
import { isPlausible, REFRESH_MS, shownValue } from '#machines/sensors/ranges.ts';
import { TRACE_POINTS, withPoint } from '#machines/kit/trace.ts';
import { checking } from '#machines/kit/verdict.ts';

const known = (kind: SensorId, more: Partial<SensorContext> = {}): SensorContext => ({
  kind,
  verdict: checking,
  shown: true,
  device: 'part',
  everyMs: 2000,
  offset: 0,
  measured: null,
  at: null,
  published: null,
  doubts: 0,
  trace: [],
  ...more,
});

describe('what can be believed', () => {
  it.each<[SensorId, number, boolean]>([
    ['illuminance', 0, true],
    ['illuminance', -3, true],
    ['illuminance', -11, false],
    ['illuminance', 130_000, true],
    ['illuminance', 200_001, false],
    ['illuminance', Number.NaN, false],
    ['illuminance', Number.POSITIVE_INFINITY, false],
    ['temperature', -40, true],
    ['temperature', -41, false],
    ['temperature', 0, true],
    ['temperature', 125.1, false],
    ['temperature', -273.15, false],
    ['humidity', 100.4, true],
    ['humidity', 655.35, false],
    ['humidity', -7, false],
  ])('%s %d: %s', (kind, value, expected) => expect(isPlausible(kind, value)).toBe(expected));
});

describe('what is shown', () => {
  it.each<[SensorId, number | null, number, number | null]>([
    ['illuminance', 12.6, 0, 13],
    ['illuminance', -3, 0, 0],
    ['illuminance', null, 0, null],
    ['temperature', 21.449, 0, 21.4],
    ['temperature', 24, -2.5, 21.5],
    ['temperature', -0.04, 0, 0],
    ['humidity', 45.5, 0, 46],
    ['humidity', 99, 5, 100],
    ['humidity', 2, -5, 0],
  ])('%s %d with %d: %d', (kind, value, offset, expected) =>
    expect(Object.is(shownValue(kind, value, offset), expected)).toBe(true),
  );
});

describe('a new reading is told', () => {
  it.each<[string, SensorId, number, number, number, boolean]>([
    ['light: a tenth less, at once', 'illuminance', 100, 91, 2000, false],
    ['light: a tenth less, after the pause', 'illuminance', 100, 90, 10_000, true],
    ['light: not quite a tenth, after the pause', 'illuminance', 100, 91, 10_000, false],
    ['light: one lux in the dark, after the pause', 'illuminance', 0, 1, 10_000, true],
    ['light: half as much, at once', 'illuminance', 100, 50, 1000, true],
    ['light: from dark to lit, at once', 'illuminance', 0, 40, 1000, true],
    ['light: nine lux in the dark, at once', 'illuminance', 1, 9, 1000, false],
    ['warmth: a tenth of a degree, after the pause', 'temperature', 21.4, 21.5, 60_000, false],
    ['warmth: two tenths, after the pause', 'temperature', 21.4, 21.61, 30_000, true],
    ['warmth: two tenths, before it', 'temperature', 21.4, 21.61, 29_999, false],
    ['warmth: a degree, at once', 'temperature', 21.4, 22.4, 0, true],
    ['damp: one percent, after the pause', 'humidity', 45, 46, 30_000, true],
    ['damp: five percent, at once', 'humidity', 45, 50, 1000, true],
    ['damp: the same, after five minutes', 'humidity', 45, 45, REFRESH_MS, true],
    ['damp: the same, before', 'humidity', 45, 45, REFRESH_MS - 1, false],
    ['damp: the same, after the clock was set back', 'humidity', 45, 45, -1, true],
  ])('%s', (_, kind, from, to, after, expected) =>
    expect(isWorthPublishing(kind, { value: from, at: 1e12 }, { value: to, at: 1e12 + after })).toBe(expected),
  );

  it('the first always', () => expect(isWorthPublishing('humidity', null, { value: 1, at: 0 })).toBe(true));

  it('a noisy sensor so tells little in an hour, and never is far off', () => {
    let seed = 1;
    const noise = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647 - 0.5;
    };
    let context = known('illuminance');
    let told = 0;
    for (let at = 0; at < 3_600_000; at += 2000) {
      const next = afterReading(context, { value: 200 + 30 * noise(), at });
      if (next.published !== context.published) told += 1;
      context = next;
      expect(Math.abs((context.published?.value ?? 0) - 200)).toBeLessThanOrEqual(15);
    }
    expect(told).toBeGreaterThanOrEqual(12);
    expect(told, 'of 1800 readings').toBeLessThan(180);
  });
});

describe('a reading', () => {
  it('that cannot be true is dropped, and the third in a row takes the trust away', () => {
    let context = afterReading(known('temperature'), { value: 21, at: 1 });
    for (let doubt = 1; doubt < MOST_DOUBTS; doubt += 1) {
      context = afterReading(context, { value: 2000, at: 1 + doubt });
      expect(context).toMatchObject({
        measured: 21,
        published: { value: 21 },
        doubts: doubt,
        verdict: { state: 'working' },
      });
    }
    context = afterReading(context, { value: Number.NaN, at: 9 });
    expect(context).toMatchObject({
      measured: null,
      published: null,
      verdict: { state: 'needs_you', reason: 'sensor-implausible' },
    });
    expect(context.trace).toEqual([
      { at: 1, value: 21 },
      { at: 2, value: null },
    ]);
    expect(afterReading(context, { value: 22, at: 10 })).toMatchObject({
      measured: 22,
      doubts: 0,
      published: { value: 22, at: 10 },
      verdict: { state: 'working' },
    });
  });
});

describe('the trace', () => {
  it('keeps the newest points and marks a gap once', () => {
    let trace = withPoint([], { at: 0, value: null });
    expect(trace).toEqual([]);
    for (let at = 1; at <= TRACE_POINTS + 5; at += 1) trace = withPoint(trace, { at, value: at });
    expect(trace).toHaveLength(TRACE_POINTS);
    expect(trace[0]).toEqual({ at: 6, value: 6 });
    trace = withPoint(withPoint(trace, { at: 9999, value: null }), { at: 10_000, value: null });
    expect(trace.slice(-2)).toEqual([
      { at: TRACE_POINTS + 5, value: TRACE_POINTS + 5 },
      { at: 9999, value: null },
    ]);
  });
});
