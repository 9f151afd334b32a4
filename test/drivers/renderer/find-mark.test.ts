import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { markIn } from '#drivers/renderer/find-mark.ts';
import { CORNER_LIMIT, cornerOf } from '#drivers/renderer/png-corner.ts';
import { type Paint, pngOf } from './png.ts';

const red = [230, 0, 0] as const;
const amber = [255, 153, 0] as const;
const white = [255, 255, 255] as const;
const page = [20, 30, 40] as const;

type Colour = ReturnType<Paint>;

/** The mark as a browser draws it: a square with an edge around it, both in pixels. */
const mark =
  (side = 22, edge = 2, left = edge, top = edge, wide = side, colour: Colour = red): Paint =>
  (x, y) => {
    const inside = (by: number): boolean =>
      x >= left - by && x < left + wide + by && y >= top - by && y < top + side + by;
    return inside(0) ? colour : inside(edge) ? white : page;
  };
async function seen(paint: Paint, width = 60, height = 60): Promise<string> {
  const corner = await cornerOf(pngOf(width, height, paint));
  return corner === null ? 'no picture' : markIn(corner).join('+');
}

describe('the corner of a picture', () => {
  it('is read whatever its filters, with and without transparency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 270 }),
        fc.integer({ min: 1, max: 140 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 }),
        fc.nat(),
        async (width, height, alpha, filters, seed) => {
          const paint: Paint = (x, y) => [(x * 7 + seed) & 255, (y * 13 + x * y + seed) & 255, (x * x + y) & 255];
          const corner = await cornerOf(
            pngOf(width, height, paint, { alpha, filterOf: (y) => filters[y % filters.length] ?? 0 }),
          );
          expect([corner?.width, corner?.height]).toEqual([
            Math.min(width, CORNER_LIMIT.width),
            Math.min(height, CORNER_LIMIT.height),
          ]);
          const wanted = [];
          for (let y = 0; y < Math.min(height, CORNER_LIMIT.height); y += 1)
            for (let x = 0; x < Math.min(width, CORNER_LIMIT.width); x += 1) wanted.push(...paint(x, y));
          expect(Buffer.from(corner?.rgb ?? []).equals(Buffer.from(wanted))).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is none of what is no picture, cut short or broken', async () => {
    const whole = pngOf(30, 30, mark());
    expect(await cornerOf(Buffer.alloc(0))).toBe(null);
    expect(await cornerOf(Buffer.from('GIF89a'))).toBe(null);
    for (let length = 0; length < whole.length - 20; length += 7)
      expect(await cornerOf(whole.subarray(0, length))).toBe(null);
    expect(await cornerOf(pngOf(30, 30, mark(), { filterOf: () => 5 }))).toBe(null);
    for (const [at, value] of [
      [8 + 8 + 8, 16],
      [8 + 8 + 9, 3],
      [8 + 8 + 12, 1],
      [8 + 8, 0x7f],
    ] as const) {
      const other = Buffer.from(whole);
      other.writeUInt8(value, at);
      expect(await cornerOf(other)).toBe(null);
    }
  });

  it('survives any change of any byte', async () => {
    const whole = pngOf(30, 30, mark());
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
        const other = Buffer.from(whole);
        other.writeUInt8(value, at);
        const corner = await cornerOf(other);
        if (corner !== null) expect(corner.rgb).toHaveLength(corner.width * corner.height * 3);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the mark in a corner', () => {
  it.each<[string, Paint, string]>([
    ['as Chromium draws it', mark(), 'camera'],
    ['on a display of twice the density', mark(46, 3), 'camera'],
    ['on one of four times the density', mark(94, 5, 8, 8), 'camera'],
    ['where a scale is no whole number', (x, y) => mark(33)(x, y > 20 ? y - 1 : y), 'camera'],
    ['in amber', mark(22, 2, 2, 2, 22, amber), 'microphone'],
    ['twice as wide', mark(22, 2, 2, 2, 46), 'camera+microphone'],
    ['twice as wide at twice the density', mark(46, 3, 3, 3, 94), 'camera+microphone'],
    ['twice as wide at four times the density', mark(94, 5, 8, 8, 190), 'camera+microphone'],
  ])('is seen %s', async (_, paint, of) => {
    expect(await seen(paint, 260, 120)).toBe(of);
  });

  it.each<[string, Paint]>([
    ['nothing', () => page],
    ['all red', () => red],
    ['all white', () => white],
    ['no edge', (x, y) => (x < 24 && y < 24 ? red : page)],
    ['an edge of another colour', (x, y) => (mark()(x, y) === white ? [120, 200, 120] : mark()(x, y))],
    ['an edge on three sides', (x, y) => (x > 22 ? page : mark()(x, y))],
    ['a hole in it', (x, y) => (x === 12 && y === 9 ? page : mark()(x, y))],
    ['something over a part of it', (x, y) => (x > 10 && y > 14 ? page : mark()(x, y))],
    ['a dot', mark(5)],
    ['a bar', (x, y) => mark(80)(x, y < 4 ? y : y + 50)],
    ['another place', mark(22, 2, 30, 30)],
    ['another width', mark(22, 2, 2, 2, 34)],
    ['three times the width', mark(16, 2, 2, 2, 48)],
    ['amber and twice as wide', mark(22, 2, 2, 2, 46, amber)],
    ['two colours', (x, y) => (mark()(x, y) === red && x > 12 ? amber : mark()(x, y))],
    ['yellow', mark(22, 2, 2, 2, 22, [255, 220, 0])],
    ['paler', (x, y) => (mark()(x, y) === red ? [230, 90, 90] : mark()(x, y))],
  ])('is not seen in %s', async (_, paint) => {
    expect(await seen(paint)).toBe('');
  });

  it('is not seen where it leaves the picture', async () => {
    expect(await seen(mark(), 24, 24)).toBe('');
    expect(await seen(mark(), 60, 20)).toBe('');
  });
});
