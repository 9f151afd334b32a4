import { describe, expect, it } from 'vitest';

import type { Learned } from '#machines/auto-sleep/events.ts';
import {
  learnedAfterGap,
  learnedAfterPremature,
  leaseOf,
  nothingLearned,
  PREMATURE_MS,
} from '#machines/auto-sleep/learned.ts';

const MINUTE = 60_000;
const DAY_MS = 86_400_000;
const TODAY = 20_000;
const PARTITION = 'a'.repeat(64);
const nothing = nothingLearned(PARTITION);

type Kind = 'touch' | 'approach';

/** `count` gaps of so many minutes each. */
const learning = (from: Learned, kind: Kind, minutes: number, count: number, day = TODAY): Learned =>
  Array.from({ length: count }).reduce<Learned>((before) => learnedAfterGap(before, kind, minutes * MINUTE, day), from);

const leaseAt = (learned: Learned | null, daysLater = 0, source: 'panel' | 'home_assistant' = 'panel'): number =>
  leaseOf(
    learned,
    { source, touchDelaySeconds: 30 },
    { now: (TODAY + daysLater) * DAY_MS, day: TODAY + Math.floor(daysLater) },
  ) / MINUTE;

const countsOf = (learned: Learned, kind: Kind, day = TODAY): readonly number[] | undefined =>
  learned.days.find((one) => one.day === day)?.[kind];

it('an automatic sleep was premature within 2 min', () => expect(PREMATURE_MS).toBe(120_000));

describe('the lease by what was learned', () => {
  it.each<[string, Learned | null, number]>([
    ['nothing', null, 10],
    ['an empty start', nothing, 10],
    ['two touches', learning(nothing, 'touch', 21, 2), 10],
    ['three touches: the upper edge and 2 min', learning(nothing, 'touch', 21, 3), 27],
    ['the lower edge of a bucket', learning(nothing, 'touch', 20, 3), 27],
    ['just below it', learning(nothing, 'touch', 19.999, 3), 22],
    ['short pauses: 10 min at least', learning(nothing, 'touch', 1, 3), 10],
    ['long pauses: 60 min at most', learning(nothing, 'touch', 59, 3), 60],
    ['touches, 9 of 10 short', learning(learning(nothing, 'touch', 11, 9), 'touch', 41, 1), 17],
    ['touches, 8 of 10 short', learning(learning(nothing, 'touch', 11, 8), 'touch', 41, 2), 47],
    ['two approaches', learning(nothing, 'approach', 21, 2), 10],
    ['three approaches', learning(nothing, 'approach', 21, 3), 27],
    ['approaches, 3 of 4 short', learning(learning(nothing, 'approach', 11, 3), 'approach', 21, 1), 17],
    ['approaches, 2 of 4 short', learning(learning(nothing, 'approach', 11, 2), 'approach', 21, 2), 27],
    ['rare approaches: 30 min at most', learning(nothing, 'approach', 41, 3), 30],
    ['both: the longer one, approaches', learning(learning(nothing, 'touch', 11, 3), 'approach', 21, 3), 27],
    ['both: the longer one, touches', learning(learning(nothing, 'touch', 41, 3), 'approach', 21, 3), 47],
    ['two touches and an approach are not three', learning(learning(nothing, 'touch', 21, 2), 'approach', 21, 1), 10],
    [
      'three touches of three days',
      [0, 1, 2].reduce((all, ago) => learning(all, 'touch', 21, 1, TODAY - ago), nothing),
      27,
    ],
  ])('%s', (_, learned, minutes) =>
    expect([leaseAt(learned), leaseAt(learned, 0, 'home_assistant')]).toEqual([minutes, minutes]),
  );

  it.each([
    [6, 27],
    [7, 10],
    [-1, 10],
  ])('%i days later is %i min', (days, minutes) =>
    expect(leaseAt(learning(nothing, 'touch', 21, 3), days)).toBe(minutes),
  );

  it('starts over with other sources', () => {
    const other = nothingLearned('b'.repeat(64));
    expect([other.partition, leaseAt(other)]).toEqual(['b'.repeat(64), 10]);
  });
});

describe('by touches alone', () => {
  it.each([
    [30, 30],
    [5, 5],
    [4, 5],
    [-1, 5],
    [86_400, 86_400],
    [86_401, 86_400],
  ])('%i s are %i s, whatever was learned', (touchDelaySeconds, seconds) => {
    const learned = learnedAfterPremature(learning(nothing, 'touch', 41, 5), 50 * MINUTE, TODAY * DAY_MS);
    for (const known of [learned, null])
      expect(leaseOf(known, { source: 'touch', touchDelaySeconds }, { now: TODAY * DAY_MS, day: TODAY })).toBe(
        seconds * 1000,
      );
  });
});

describe('a gap', () => {
  it.each([
    [0, 0],
    [4.999, 0],
    [5, 1],
    [54.999, 10],
    [55, 11],
    [59.999, 11],
  ])('of %d min is counted in bucket %i', (minutes, bucket) => {
    const learned = learnedAfterGap(nothing, 'approach', minutes * MINUTE, TODAY);
    expect(countsOf(learned, 'approach')).toEqual(Array.from({ length: 12 }, (_, index) => (index === bucket ? 1 : 0)));
    expect(countsOf(learned, 'touch')).toEqual(Array.from({ length: 12 }, () => 0));
  });

  it.each([
    ['an hour', 60, TODAY],
    ['a night', 480, TODAY],
    ['a clock that went back', -1, TODAY],
    ['no number', Number.NaN, TODAY],
    ['a day that is none', 1, Number.NaN],
  ])('of %s is not counted', (_, minutes, day) =>
    expect(learnedAfterGap(nothing, 'touch', minutes * MINUTE, day)).toBe(nothing),
  );

  it('is counted 10,000 times in a bucket at most', () => {
    const touch = [9999, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const almost: Learned = { ...nothing, days: [{ day: TODAY, touch, approach: touch }] };
    const full = learnedAfterGap(almost, 'touch', 0, TODAY);
    expect(countsOf(full, 'touch')?.[0]).toBe(10_000);
    expect(learnedAfterGap(full, 'touch', 0, TODAY)).toBe(full);
    expect(countsOf(learnedAfterGap(full, 'touch', 5 * MINUTE, TODAY), 'touch')?.slice(0, 2)).toEqual([10_000, 2]);
    expect(countsOf(learnedAfterGap(full, 'approach', 0, TODAY), 'approach')?.[0]).toBe(10_000);
  });
});

describe('the days', () => {
  const week = Array.from({ length: 9 }, (_, index) => TODAY - 8 + index);
  const daysOf = (learned: Learned): readonly number[] => learned.days.map(({ day }) => day);
  const over = (days: readonly number[]): Learned =>
    days.reduce((learned, day) => learning(learned, 'touch', 21, 1, day), nothing);

  it('are the last seven, the oldest first', () => expect(daysOf(over(week))).toEqual(week.slice(2)));

  it('drop one that is older than a week, also after a pause', () =>
    expect(daysOf(over([TODAY - 7, TODAY - 6, TODAY]))).toEqual([TODAY - 6, TODAY]));

  it('keep most of a week through a clock that starts in 1970', () => {
    const reset = over([...week, 0]);
    expect(daysOf(reset)).toEqual([0, ...week.slice(3)]);
    expect(leaseAt(reset)).toBe(27);
    expect(daysOf(learning(reset, 'touch', 21, 1, TODAY))).toEqual(week.slice(3));
  });

  it('lose those of a clock that was ahead once there are seven others', () => {
    const ahead = over([TODAY + 900, ...week.slice(3, 5)]);
    expect(daysOf(ahead)).toEqual([...week.slice(3, 5), TODAY + 900]);
    expect(leaseAt(ahead)).toBe(10);
    expect(daysOf(over([TODAY + 900, ...week]))).toEqual(week.slice(2));
  });
});

describe('a sleep that came too early', () => {
  const HOUR = 60 * MINUTE;
  const now = TODAY * DAY_MS;
  const corrected = (leaseMinutes: number): Learned => learnedAfterPremature(nothing, leaseMinutes * MINUTE, now);

  it.each([
    [10, 15],
    [33, 38],
    [55, 60],
    [58, 60],
    [60, 60],
    [2, 15],
  ])('after a lease of %i min asks for %i min', (before, minutes) => {
    expect(corrected(before).correction).toEqual({ floorMs: minutes * MINUTE, at: now });
    expect(leaseAt(corrected(before))).toBe(minutes);
  });

  // Full for the first day, then 5 min less each day.
  it.each([
    [0.999, 50],
    [1, 45],
    [1.999, 45],
    [2, 40],
    [3, 35],
    [6, 20],
    [6.999, 20],
    [7, 10],
    [-0.5, 50],
    [-2, 10],
  ])('%d days later still asks for %i min', (days, minutes) => expect(leaseAt(corrected(45), days)).toBe(minutes));

  it('adds up', () => {
    const twice = learnedAfterPremature(corrected(10), 15 * MINUTE, now + HOUR);
    expect(leaseAt(twice)).toBe(20);
  });

  it('never asks for less than before', () =>
    expect(learnedAfterPremature(corrected(45), 2 * MINUTE, now + HOUR).correction?.floorMs).toBe(50 * MINUTE));

  it('leaves a longer lease that was learned', () =>
    expect(leaseAt(learnedAfterPremature(learning(nothing, 'touch', 41, 3), 10 * MINUTE, now))).toBe(47));

  it('keeps what was learned', () => {
    const learned = learning(nothing, 'touch', 21, 3);
    expect(learnedAfterPremature(learned, 27 * MINUTE, now)).toMatchObject({
      partition: PARTITION,
      days: learned.days,
    });
  });
});
