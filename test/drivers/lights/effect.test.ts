import { describe, expect, it } from 'vitest';

import { FRAME_MS, frameOf } from '#drivers/lights/effect.ts';
import { levelOf, outputOf, rawOf, rawParts, scaled, unscaled } from '#drivers/lights/scale.ts';
import type { LightEffect } from '#machines/lights/events.ts';

describe('the frames of an effect', () => {
  it.each<[LightEffect, number, number, number | null]>([
    ['none', 0, 1, null],
    ['none', 99_999, 1, null],
    ['blink', 0, 1, 1000],
    ['blink', 999, 1, 1],
    ['blink', 1000, 0, 1000],
    ['blink', 1999, 0, 1],
    ['blink', 2000, 1, 1000],
    ['strobe', 0, 1, 100],
    ['strobe', 100, 0, 240],
    ['strobe', 340, 1, 100],
    ['pulse', 0, 1, FRAME_MS],
    ['pulse', 1000, 0.05, FRAME_MS],
    ['pulse', 2000, 1, FRAME_MS],
  ])('%s after %i ms', (effect, elapsed, share, nextMs) => {
    const frame = frameOf(effect, elapsed);
    expect(frame.share).toBeCloseTo(share, 6);
    expect(frame.nextMs).toBe(nextMs);
  });

  it.each<LightEffect>(['blink', 'pulse', 'strobe'])(
    '%s flashes at most three times a second, and is never out of range',
    (effect) => {
      let rises = 0;
      let last = 0;
      for (let at = 0; at < 10_000; at += 1) {
        const { share, nextMs } = frameOf(effect, at);
        expect(share >= 0 && share <= 1 && nextMs !== null && nextMs > 0).toBe(true);
        if (last < 0.5 && share >= 0.5) rises += 1;
        last = share;
      }
      expect(rises).toBeLessThanOrEqual(30);
    },
  );
});

describe('levels and raw values', () => {
  it.each([
    [0, 10, 0],
    [1, 10, 1],
    [255, 10, 10],
    [128, 10, 5],
    [0.3, 255, 1],
    [128, 1, 1],
    [300, 10, 10],
  ])('level %d of %i is raw %i', (level, max, raw) => {
    expect(rawOf(level, max)).toBe(raw);
  });
  it('finds the level of each raw value again', () => {
    for (const max of [1, 7, 255, 1023])
      for (let raw = 0; raw <= Math.min(max, 255); raw += 1) expect(rawOf(levelOf(raw, max), max) > 0).toBe(raw > 0);
    for (const max of [1, 7, 100, 255])
      for (let raw = 0; raw <= max; raw += 1) expect(rawOf(levelOf(raw, max), max)).toBe(raw);
  });
  it('scales a colour and finds it again', () => {
    expect(scaled({ red: 255, green: 128, blue: 0 }, 128)).toEqual({ red: 128, green: 64, blue: 0 });
    expect(unscaled({ red: 128, green: 64, blue: 0 })).toEqual({ red: 255, green: 128, blue: 0 });
    expect(unscaled({ red: 0, green: 0, blue: 0 })).toEqual({ red: 0, green: 0, blue: 0 });
  });
  it('keeps the brightest part of three lights lit', () => {
    const onOff = { red: 1, green: 1, blue: 1 };
    expect(rawParts({ level: 1, rgb: { red: 255, green: 0, blue: 90 } }, onOff)).toEqual({ red: 1, green: 0, blue: 0 });
    expect(rawParts({ level: 255, rgb: { red: 255, green: 200, blue: 90 } }, onOff)).toEqual({
      red: 1,
      green: 1,
      blue: 0,
    });
    expect(rawParts({ level: 0, rgb: { red: 255, green: 0, blue: 0 } }, onOff)).toEqual({ red: 0, green: 0, blue: 0 });
    expect(outputOf({ red: 1, green: 0, blue: 1 }, onOff)).toEqual({
      level: 255,
      rgb: { red: 255, green: 0, blue: 255 },
    });
    expect(outputOf({ red: 0, green: 0, blue: 0 }, onOff).level).toBe(0);
  });
});
