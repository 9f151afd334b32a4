import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { levelOf, litRange, toLevel, toRaw } from '#machines/screen/scale.ts';

const display = (rawMax: number, power = true, rawMin = 1) => ({ name: 'x', rawMax, rawMin, power });

describe('litRange', () => {
  it.each([
    [display(255), 0, { low: 1, high: 255 }],
    [display(255), 10, { low: 26, high: 255 }],
    [display(10), 1, { low: 1, high: 10 }],
    [display(10), 20, { low: 2, high: 10 }],
    // The floor is "off" where there is no power switch.
    [display(10, false), 0, { low: 2, high: 10 }],
    [display(1, false), 0, { low: 1, high: 1 }],
    [display(1), 99, { low: 1, high: 1 }],
  ])('%o at %i %%', (facts, percent, range) => {
    expect(litRange(facts, percent)).toEqual(range);
  });
});

describe('toRaw and toLevel', () => {
  it('reaches both ends', () => {
    const range = litRange(display(4095), 1);
    expect(toRaw(1, range)).toBe(41);
    expect(toRaw(255, range)).toBe(4095);
    expect(toLevel(41, range)).toBe(1);
    expect(toLevel(4095, range)).toBe(255);
    expect(toLevel(3, range)).toBe(1);
    expect(toLevel(5000, range)).toBe(255);
  });

  it('never reaches 0, never falls, and gives every level back where the hardware is fine enough', () => {
    const ranges = fc.record({
      rawMax: fc.integer({ min: 1, max: 70_000 }),
      percent: fc.integer({ min: 0, max: 99 }),
      power: fc.boolean(),
    });
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 254 }), ({ rawMax, percent, power }, level) => {
        const range = litRange(display(rawMax, power), percent);
        const raw = toRaw(level, range);
        const next = toRaw(level + 1, range);
        expect(raw).toBeGreaterThanOrEqual(1);
        expect(next).toBeLessThanOrEqual(rawMax);
        expect(next).toBeGreaterThanOrEqual(raw);
        // With a single raw value the display cannot be dimmed, and shows all it has.
        expect(levelOf(raw, range, level)).toBe(range.high > range.low ? level : 255);
        if (range.high - range.low >= 254) expect(toLevel(raw, range)).toBe(level);
      }),
    );
  });

  it('never rises in level while the raw value falls', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5000 }), fc.integer({ min: 0, max: 5000 }), (rawMax, raw) => {
        const range = litRange(display(rawMax), 5);
        expect(toLevel(raw + 1, range)).toBeGreaterThanOrEqual(toLevel(raw, range));
        expect(toLevel(raw, range)).toBeGreaterThanOrEqual(1);
        expect(toLevel(raw, range)).toBeLessThanOrEqual(255);
      }),
    );
  });
});
