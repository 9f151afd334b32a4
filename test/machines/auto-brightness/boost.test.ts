import { describe, expect, it } from 'vitest';

import { boostAfter, boostShare, isBoostMoving, restingBoost, type Boost } from '#machines/auto-brightness/boost.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';

const EXPECTED = 100;

interface Stretch {
  readonly lux: number;
  /** Seconds. */
  readonly s: number;
}

/** The boost after each second, with the expected light at 100 lx. */
function evaluated(stretches: readonly Stretch[], { spread = 0.05, every = 1_000 } = {}) {
  let boost: Boost = restingBoost;
  let elapsed = 7_000;
  const seen: { readonly at: number; readonly boost: Boost; readonly share: number }[] = [];
  for (const { lux, s } of stretches)
    for (let ms = 0; ms < s * 1_000; ms += every) {
      boost = boostAfter(boost, { measuredLog: logOf(lux), expectedLog: logOf(EXPECTED), spread, elapsed });
      seen.push({ at: (elapsed - 7_000) / 1_000, boost, share: boostShare(boost, elapsed) });
      elapsed += every;
    }
  return seen;
}

/** When the phase changed, in seconds. */
function changes(stretches: readonly Stretch[], options: { spread?: number; every?: number } = {}): readonly string[] {
  let phase = 'resting';
  return evaluated(stretches, options).flatMap(({ at, boost }) => {
    if (boost.phase === phase) return [];
    ({ phase } = boost);
    return [`${phase} at ${at}`];
  });
}

const usual = (s: number): Stretch => ({ lux: EXPECTED, s });
const lamp = (s: number): Stretch => ({ lux: 200, s });

/** Rises by less than a factor of 1.35 a step. */
const dawn = [125, 155].map((lux) => ({ lux, s: 5 }));

describe('a brighter room', () => {
  it.each<[string, readonly Stretch[], readonly string[]]>([
    ['counts after 2 s if the light rose fast', [usual(5), lamp(9)], ['rising at 5', 'on at 7']],
    ['counts after 30 s otherwise', [...dawn, lamp(40)], ['rising at 10', 'on at 40']],
    ['does not count if it is brighter for 1 s', [usual(5), lamp(2), usual(5)], ['rising at 5', 'resting at 7']],
    ['does not count after 29 s of a slow rise', [...dawn, lamp(30), usual(3)], ['rising at 10', 'resting at 40']],
    ['is unknown to rise at the first reading', [lamp(32)], ['rising at 0', 'on at 30']],
    [
      'counts 2 s after a fast rise within a slow one',
      [...dawn, lamp(10), { lux: 300, s: 9 }],
      ['rising at 10', 'on at 22'],
    ],
    [
      'forgets a fast rise that ended',
      [usual(5), lamp(1), usual(3), { lux: 130, s: 3 }, { lux: 170, s: 40 }],
      ['rising at 5', 'resting at 6', 'rising at 12', 'on at 42'],
    ],
    [
      'counts until 10 s after, and then less for 20 s',
      [usual(5), lamp(9), usual(60)],
      ['rising at 5', 'on at 7', 'clearing at 14', 'releasing at 24', 'resting at 44'],
    ],
    [
      'counts again at once if it is brighter before 10 s are over',
      [usual(5), lamp(9), usual(9), lamp(3)],
      ['rising at 5', 'on at 7', 'clearing at 14', 'on at 23'],
    ],
    [
      'counts again at once within the release',
      [usual(5), lamp(9), usual(29), lamp(3)],
      ['rising at 5', 'on at 7', 'clearing at 14', 'releasing at 24', 'on at 43'],
    ],
  ])('%s', (_, stretches, expected) => expect(changes(stretches)).toEqual(expected));

  it('goes by time, not by how often it is evaluated', () => {
    const day = [usual(5), lamp(9), usual(60)];
    expect(changes(day, { every: 250 })).toEqual(changes(day));
  });

  it('takes a rise as fast from a factor of 1.35 on', () => {
    const jump = (factor: number): readonly Stretch[] => {
      const from = 150;
      return [
        { lux: from, s: 5 },
        { lux: Math.expm1(logOf(from) + Math.log(factor)), s: 5 },
      ];
    };
    expect(changes(jump(1.351))).toContain('on at 7');
    expect(changes(jump(1.349))).not.toContain('on at 7');
  });
});

describe('brighter', () => {
  const isBrighter = (measuredLog: number, expected: number, spread = 0.05): boolean =>
    boostAfter(restingBoost, { measuredLog, expectedLog: logOf(expected), spread, elapsed: 0 }).phase === 'rising';
  it.each([
    ['is a factor of 1.6', 1.601, 0.05, true],
    ['is no less', 1.599, 0.05, false],
    ['is three times the spread, if that is more', Math.exp(0.61), 0.2, true],
    ['is no less than three times the spread', Math.exp(0.59), 0.2, false],
    ['is a factor of 1.6 with a spread up to a third of it', 1.601, 0.156, true],
  ])('%s', (_, factor, spread, expected) =>
    expect(isBrighter(logOf(EXPECTED) + Math.log(factor), EXPECTED, spread)).toBe(expected),
  );
  it.each([
    [5, 0, true],
    [4.9, 0, false],
    [7, 2, true],
    [6.9, 2, false],
  ])('of %d lx beside %d expected is %s', (lux, expected, outcome) =>
    expect(isBrighter(logOf(lux + 1e-9), expected)).toBe(outcome),
  );
});

describe('the share', () => {
  it('is all while it counts, and falls in a line over 20 s', () => {
    const shares = new Map(evaluated([usual(5), lamp(9), usual(60)]).map(({ at, share }) => [at, share]));
    const at = [0, 6, 7, 14, 23, 24, 29, 34, 39, 43, 44, 60];
    expect(at.map((second) => [second, shares.get(second)])).toEqual([
      [0, 0],
      [6, 0],
      [7, 1],
      [14, 1],
      [23, 1],
      [24, 1],
      [29, 0.75],
      [34, 0.5],
      [39, 0.25],
      [43, expect.closeTo(0.05, 9)],
      [44, 0],
      [60, 0],
    ]);
  });
  it('goes on by itself between two evaluations', () => {
    const releasing: Boost = { phase: 'releasing', since: 1_000, fastSince: null, lastLog: 4 };
    expect(boostShare(releasing, 6_000)).toBe(0.75);
    expect(boostShare(releasing, 90_000)).toBe(0);
  });
});

it.each<[Boost['phase'], boolean]>([
  ['resting', false],
  ['rising', true],
  ['on', false],
  ['clearing', true],
  ['releasing', true],
])('the phase %s is evaluated each second: %s', (phase, expected) =>
  expect(isBoostMoving({ ...restingBoost, phase })).toBe(expected),
);
