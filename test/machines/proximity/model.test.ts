import { describe, expect, it } from 'vitest';

import {
  captureOf,
  isAway,
  isForeign,
  isSeparate,
  levelOf,
  percentile,
  RING,
  waveReference,
  withSample,
} from '#machines/proximity/model.ts';

const flat = (median: number, spread: number) => ({
  median,
  spread,
  low: median - spread / 2,
  high: median + spread / 2,
});

describe('a capture', () => {
  it.each<[string, readonly number[], { median: number; spread: number }]>([
    ['one sample', [7], { median: 7, spread: 0 }],
    ['nine samples: the full range, outlier and all', [10, 10, 10, 10, 90, 10, 10, 10, 10], { median: 10, spread: 80 }],
    [
      'ten samples: one in ten at each end is left out',
      [0, 10, 10, 10, 10, 10, 10, 10, 10, 10],
      { median: 10, spread: 1 },
    ],
    ['an even number: between the two in the middle', [1, 2, 3, 4], { median: 2.5, spread: 3 }],
  ])('%s', (_, samples, expected) => {
    const capture = captureOf(samples);
    expect(capture?.median).toBeCloseTo(expected.median);
    expect(capture?.spread).toBeCloseTo(expected.spread);
  });
  it('is none of no samples', () => expect(captureOf([])).toBeNull());
  it('is made of the newest 32 samples', () => {
    let ring: readonly number[] = [];
    for (let raw = 0; raw < 100; raw += 1) ring = withSample(ring, raw);
    expect(ring).toHaveLength(RING);
    expect([ring[0], ring.at(-1)]).toEqual([68, 99]);
  });
  it('has percentiles in proportion', () =>
    expect([0, 0.25, 0.5, 1].map((share) => percentile([0, 10], share))).toEqual([0, 2.5, 5, 10]));
});

describe('the level', () => {
  it.each([
    [100, { clear: 100, near: 900 }, 0],
    [500, { clear: 100, near: 900 }, 50],
    [900, { clear: 100, near: 900 }, 100],
    [2000, { clear: 100, near: 900 }, 100],
    [0, { clear: 100, near: 900 }, 0],
    // A distance: it falls as a person approaches.
    [1200, { clear: 1200, near: 200 }, 0],
    [450, { clear: 1200, near: 200 }, 75],
    [50, { clear: 1200, near: 200 }, 100],
    [1, { clear: 0, near: 1 }, 100],
    [1, { clear: 1, near: 0 }, 0],
    [104, { clear: 100, near: 900 }, 1],
  ])('%d of %o is %d', (raw, references, level) => expect(levelOf(raw, references)).toBe(level));
});

describe('telling near and clear apart', () => {
  it.each([
    ['far apart and quiet', flat(100, 4), flat(900, 10), true],
    ['each noisy up to half of the span, both up to three quarters', flat(0, 50), flat(100, 25), true],
    ['one noisier than half of the span', flat(0, 51), flat(100, 0), false],
    ['both together noisier than three quarters', flat(0, 40), flat(100, 36), false],
    ['the same', flat(100, 0), flat(100, 0), false],
    ['a distance that falls', flat(900, 10), flat(100, 4), true],
  ])('%s', (_, clear, near, expected) => expect(isSeparate(clear, near)).toBe(expected));
});

describe('being away from the clear reading', () => {
  it.each([
    ['the last digit of a quiet sensor', 102, flat(100, 0), false],
    ['more than that', 103, flat(100, 0), true],
    ['inside three spreads', 114, flat(100, 5), false],
    ['beyond three spreads', 116, flat(100, 5), true],
    ['below as well as above', 84, flat(100, 5), true],
    ['inside what the clear reading once reached', 190, { median: 100, spread: 1, low: 100, high: 200 }, false],
    ['a sensor of two states', 1, flat(0, 0), true],
    ['a sensor of two states that rests at 1', 0, flat(1, 0), true],
  ])('%s', (_, raw, clear, expected) => expect(isAway(raw, clear)).toBe(expected));
});

describe('the reference of a wave', () => {
  it('is what three quarters of the samples reached, on their side', () => {
    expect(waveReference([100, 500, 900, 900, 900], flat(100, 2))).toEqual({ clear: 100, near: 900 });
    expect(waveReference([900, 300, 200, 200, 200], flat(1000, 2))).toEqual({ clear: 1000, near: 200 });
  });
});

describe('a reading that a calibrated sensor never gives', () => {
  it.each([
    [0, 'binary', false],
    [1, 'binary', false],
    [2, 'binary', true],
    [0.5, 'binary', true],
    [2, 'ranged', false],
  ] as const)('%d of a %s one: %s', (raw, mode, foreign) => expect(isForeign(raw, { mode })).toBe(foreign));
  it('nothing is foreign to a sensor that was never calibrated', () => expect(isForeign(7, null)).toBe(false));
});
