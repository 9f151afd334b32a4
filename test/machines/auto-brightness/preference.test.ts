import { describe, expect, it } from 'vitest';

import type { ManualPreference } from '#machines/auto-brightness/events.ts';
import {
  authorityAt,
  HAND_STEPS,
  isPreferenceOver,
  PREFERENCE_MS,
  preferredLevel,
  recalledPreference,
} from '#machines/auto-brightness/preference.ts';

const HOUR = 3_600_000;

const chosen = (part: Partial<ManualPreference> = {}): ManualPreference => ({
  origin: 'panel_controls',
  requested: 200,
  automaticAtStart: 100,
  startedAt: 1_000_000,
  ...part,
});

it('a preference lasts four hours, from 4 levels on', () => {
  expect(PREFERENCE_MS).toBe(4 * HOUR);
  expect(HAND_STEPS).toBe(4);
});

// Smoothstep: 0, 0.15625, 0.5, 0.84375 and 1 after none to four hours.
describe('the authority of the automatic', () => {
  it.each([
    [0, 0.2],
    [1, 0.325],
    [2, 0.6],
    [3, 0.875],
    [4, 1],
    [9, 1],
    [-1, 0.2],
  ])('after %d h is %d', (hours, authority) => expect(authorityAt(hours * HOUR)).toBeCloseTo(authority, 9));
});

describe('the level', () => {
  it.each([
    ['is the chosen one at the start', 0, 100, 200],
    ['follows a fifth of the automatic at the start', 0, 150, 210],
    ['follows it down, too', 0, 50, 190],
    ['after an hour, has 84 % of the choice', 1, 100, 184],
    ['after two hours, has half of it', 2, 100, 150],
    ['after two hours, has half of it and 60 % of the change', 2, 150, 180],
    ['after three hours, has 16 % of it and 87.5 % of the change', 3, 60, 81],
    ['after four hours, is the automatic one', 4, 60, 60],
    ['after longer, still is', 9, 60, 60],
  ])('%s', (_, hours, automaticNow, level) => expect(preferredLevel(chosen(), automaticNow, hours * HOUR)).toBe(level));
  it.each([
    [chosen({ requested: 255, automaticAtStart: 10 }), 255, 255],
    [chosen({ requested: 1, automaticAtStart: 255 }), 10, 1],
  ])('stays within 1 to 255', (preference, automaticNow, level) =>
    expect(preferredLevel(preference, automaticNow, 0)).toBe(level),
  );
});

/** Hours after which authority is just above 0.98: 1 - 0.8 (1 - s), so s just above 0.975. */
const NEARLY = 3.641;

describe('a preference', () => {
  it.each([
    ['goes on', chosen(), 100, 0, false],
    ['is over after four hours', chosen(), 100, 4, true],
    ['is over near the end if it is within 4 of the automatic', chosen(), 100, NEARLY, true],
    ['goes on near the end if it is further away', chosen({ requested: 255, automaticAtStart: 10 }), 10, NEARLY, false],
    ['goes on before, as near as it may be', chosen({ requested: 100 }), 100, 3.6, false],
    ['goes on for a clock that went back', chosen(), 100, -1, false],
  ])('%s', (_, preference, automaticNow, hours, expected) =>
    expect(isPreferenceOver(preference, automaticNow, hours * HOUR)).toBe(expected),
  );
  it('ends at authority 0.98 and no earlier', () => {
    const first = Array.from({ length: 400 }, (_, index) => index * 0.01 * HOUR).find((elapsed) =>
      isPreferenceOver(chosen({ requested: 100 }), 100, elapsed),
    );
    expect(authorityAt(first ?? 0)).toBeGreaterThan(0.98);
    expect(authorityAt((first ?? 0) - 0.01 * HOUR)).toBeLessThanOrEqual(0.98);
  });
  it('ends at 4 levels from the automatic, not at 5', () => {
    // 2.27 % of the choice is left: 4.3 of 190, and 5.2 of 230.
    const over = (distance: number) =>
      isPreferenceOver(chosen({ automaticAtStart: 20, requested: 20 + distance }), 20, NEARLY * HOUR);
    expect([over(190), over(230)]).toEqual([true, false]);
  });
});

describe('a stored preference', () => {
  it.each([
    ['that just began', 1_000_000, true],
    ['of an hour ago', 1_000_000 + HOUR, true],
    ['of just below four hours ago', 1_000_000 + 4 * HOUR - 1, true],
    ['of four hours ago', 1_000_000 + 4 * HOUR, false],
    ['from the future', 999_999, false],
    ['beside a clock that says nothing', Number.NaN, false],
  ])('%s', (_, now, isKept) => expect(recalledPreference(chosen(), now)).toEqual(isKept ? chosen() : null));
});
