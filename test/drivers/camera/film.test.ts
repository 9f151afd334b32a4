import { describe, expect, it } from 'vitest';

import { createFilm } from '#drivers/camera/film.ts';

const size = { width: 640, height: 480 };
const moment = { hours: 0, minutes: 0, seconds: 0, walkedFor: 0 };

function shot(change: Partial<typeof moment>): Buffer {
  const film = createFilm(size);
  const frame = Buffer.alloc(film.bytes);
  film.draw(frame, { ...moment, ...change });
  return frame;
}

/** Luma at a place, in 160ths of the width and 90ths of the height. */
const luma = (frame: Buffer, x: number, y: number): number =>
  frame[Math.floor(((y + 0.5) * 480) / 90) * 640 + Math.floor(((x + 0.5) * 640) / 160)] ?? -1;

/** Reads one digit of the clock back from its 15 blocks. */
const blocks = (frame: Buffer, place: number): string =>
  Array.from({ length: 15 }, (_, block) =>
    luma(frame, 62 + place * 7 + (block % 3) * 2, 6 + Math.floor(block / 3) * 2) > 128 ? '1' : '0',
  ).join('');

/** The figure's shirt, by the darkest column at its height. */
function shirtAt(frame: Buffer): number {
  const columns = Array.from({ length: 110 }, (_, x) => luma(frame, x, 52));
  return columns.indexOf(Math.min(...columns));
}

describe('the drawn room', () => {
  it('has a clock that can be read back', () => {
    const digits = Array.from({ length: 10 }, (_, digit) => blocks(shot({ seconds: digit }), 7));
    expect(new Set(digits).size).toBe(10);
    const frame = shot({ hours: 12, minutes: 34, seconds: 56 });
    const shown = [0, 1, 3, 4, 6, 7].map((place) => digits.indexOf(blocks(frame, place)));
    expect(shown).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('has somebody who walks there and back', () => {
    const places = [0.5, 1.5, 2.5, 3.5].map((walkedFor) => shirtAt(shot({ walkedFor })));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(4);
    expect(shirtAt(shot({ walkedFor: 11.5 }))).toBe(places[0]);
    expect(shirtAt(shot({ walkedFor: 12.5 }))).toBe(places[0]);
  });

  it('is drawn whole each time: nothing of the last picture stays', () => {
    const film = createFilm(size);
    const frame = Buffer.alloc(film.bytes, 7);
    film.draw(frame, { ...moment, walkedFor: 4, seconds: 8 });
    film.draw(frame, moment);
    expect(frame.equals(shot({}))).toBe(true);
  });

  it('is black while the lens is covered', () => {
    const film = createFilm(size);
    const frame = Buffer.alloc(film.bytes, 7);
    film.drawBlack(frame);
    expect(frame.subarray(0, 640 * 480).every((byte) => byte === 16)).toBe(true);
    expect(frame.subarray(640 * 480).every((byte) => byte === 128)).toBe(true);
  });
});
