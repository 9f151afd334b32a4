import { describe, expect, it } from 'vitest';

import { rowCommandOf } from '#machines/entities/command.ts';
import { rows } from '#machines/screen/entities.ts';
import type { ScreenContext } from '#machines/screen/events.ts';

const [first, second] = rows;
if (first?.entityKind !== 'light' || second?.entityKind !== 'light') throw new Error('the screens are lights');

/** The facts of a screen that a row reads. */
const snapshot = (facts: Partial<ScreenContext>) => ({ value: 'lit', context: facts as ScreenContext });
const display = {} as ScreenContext['display'];

describe('a screen in Home Assistant', () => {
  it('is there from the first display on; the first one always', () => {
    expect(first.shown).toBeUndefined();
    expect([true, false].map((seen) => second.shown?.(snapshot({ seen })))).toEqual([true, false]);
    expect([first.name, second.name]).toEqual(['Screen', 'Screen 2']);
  });

  it('is available where a display is there and its state is known', () => {
    expect(first.available(snapshot({ display, lit: true }))).toBe(true);
    expect(first.available(snapshot({ display: null, lit: true }))).toBe(false);
    expect(first.available(snapshot({ display, lit: null }))).toBe(false);
    expect(first.read(snapshot({ lit: null, brightness: 9 }))).toBeNull();
    expect(first.read(snapshot({ lit: false, brightness: 9 }))).toEqual({ on: false, brightness: 9 });
  });

  it.each([
    [{ on: true }, { on: true }],
    [{ brightness: 0 }, { brightness: 0 }],
    [
      { on: true, brightness: 255 },
      { on: true, brightness: 255 },
    ],
  ])('takes %j', (command, asked) => {
    expect(rowCommandOf(first, command, 'home-assistant')).toEqual({
      ok: true,
      value: { do: 'tell', event: { type: 'screen.set', origin: 'home-assistant', ...asked } },
    });
  });

  it.each([
    [{}, 'empty-command'],
    [{ brightness: 256 }, 'brightness-out-of-range'],
    [{ brightness: -1 }, 'brightness-out-of-range'],
    [{ brightness: Number.NaN }, 'brightness-out-of-range'],
    [true, 'malformed'],
    ['ON', 'malformed'],
  ])('refuses %j', (command, reason) => {
    expect(rowCommandOf(first, command, 'home-assistant')).toMatchObject({ ok: false, reason });
  });
});
