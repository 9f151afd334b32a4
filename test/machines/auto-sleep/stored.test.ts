import { describe, expect, it } from 'vitest';

import type { StoredSleep } from '#machines/auto-sleep/events.ts';
import {
  EXCLUDED_MAX,
  nothingStored,
  readInclusion,
  readStored,
  storedInclusion,
  storedSleep,
} from '#machines/auto-sleep/stored.ts';

const key = (digit: string): string => digit.repeat(64);
const zeros = Array.from({ length: 12 }, () => 0);
const all: StoredSleep = {
  learned: {
    partition: key('a'),
    days: [{ day: 20_000, touch: zeros, approach: zeros.with(3, 10_000) }],
    correction: { floorMs: 900_000, at: 5 },
  },
  darkened: { screen: 'auto-sleep', screen_3: 'clock' },
  isSuppressed: true,
  dimmed: { screen_2: 200 },
  place: { latitude: 52, longitude: 5, timeZone: 'Europe/Amsterdam' },
};

const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('what was learned and darkened', () => {
  it('is read as it was stored', () => {
    expect(readStored(parsed(storedSleep(all)))).toEqual(all);
    expect(storedSleep(nothingStored)).toBeNull();
    expect(storedSleep({ ...nothingStored, isSuppressed: true })).not.toBeNull();
  });

  it.each([null, 7, {}, { version: 2 }, []])('of %j counts as never stored', (stored) => {
    expect(readStored(stored)).toEqual(nothingStored);
  });

  it('keeps the other parts where one cannot be read', () => {
    const stored = { version: 1, learned: { partition: 'x' }, darkened: { screen: 'moon' }, isSuppressed: true };
    expect(readStored(stored)).toEqual({ ...nothingStored, isSuppressed: true });
    const days = Array.from({ length: 8 }, (_, day) => ({ day, touch: zeros, approach: zeros }));
    const long = { ...all, learned: { partition: key('a'), days, correction: null } };
    expect(readStored(parsed({ version: 1, ...long }))).toEqual({ ...all, learned: null });
  });
});

describe('the sources that are left out', () => {
  it('are read as they were stored', () => {
    const inclusion = { excluded: [key('a'), key('b')] };
    expect(readInclusion(parsed(storedInclusion(inclusion)))).toEqual(inclusion);
    expect(storedInclusion({ excluded: [] })).toBeNull();
  });

  it.each([
    ['no key', ['binary_sensor.hall']],
    ['too many', Array.from({ length: EXCLUDED_MAX + 1 }, () => key('a'))],
  ])('are none with %s', (_, excluded) => {
    expect(readInclusion({ version: 1, excluded })).toEqual({ excluded: [] });
  });
});
