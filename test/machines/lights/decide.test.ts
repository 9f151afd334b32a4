import { describe, expect, it } from 'vitest';

import {
  isShown,
  type LightSituation,
  modesOf,
  observedAs,
  type Showing,
  showingFor,
  unableTo,
  WHITE,
} from '#machines/lights/decide.ts';
import { rows } from '#machines/lights/entities.ts';
import type { LightRequest } from '#machines/lights/events.ts';

const red = { red: 255, green: 0, blue: 0 };
const dark: LightSituation = {
  on: false,
  level: null,
  lastLevel: 90,
  rgb: red,
  effect: 'none',
  ability: { colour: 'rgb', effects: true },
  wanted: null,
  plainOn: 'last',
};
const lit: LightSituation = { ...dark, on: true, level: 200, lastLevel: 200 };
const show = (level: number, rgb: Showing['output']['rgb'], effect: Showing['effect'] = 'none'): Showing => ({
  output: { level, rgb },
  effect,
});

describe('what a light shows for a request', () => {
  it.each<[string, LightSituation, LightRequest, Showing]>([
    ['on comes back as it was', dark, { on: true }, show(90, red)],
    ['on of the light behind the buttons is full', { ...dark, plainOn: 'full' }, { on: true }, show(255, red)],
    ['also while it is lit', { ...lit, plainOn: 'full' }, { on: true }, show(255, red)],
    ['a level of it is that level', { ...dark, plainOn: 'full' }, { on: true, level: 12 }, show(12, red)],
    ['a level lights it', dark, { level: 12 }, show(12, red)],
    ['level 0 is off, and ends an effect', { ...lit, effect: 'blink' }, { level: 0 }, show(0, red)],
    ['off keeps the colour', lit, { on: false }, show(0, red)],
    ['off wins', lit, { on: false, level: 9, rgb: WHITE }, show(0, red)],
    ['a colour keeps the level', lit, { on: true, rgb: WHITE }, show(200, WHITE)],
    ['a colour of a dark light lights it', dark, { rgb: WHITE }, show(90, WHITE)],
    ['an effect keeps both', lit, { effect: 'blink' }, show(200, red, 'blink')],
    ['a level keeps an effect', { ...lit, effect: 'pulse' }, { level: 5 }, show(5, red, 'pulse')],
    ['an effect ends', { ...lit, effect: 'pulse' }, { effect: 'none' }, show(200, red)],
    ['an effect of a dark light is over', { ...dark, effect: 'pulse' }, { on: true }, show(90, red)],
    ['no colour without one', { ...dark, ability: { colour: 'level', effects: true } }, { rgb: WHITE }, show(90, null)],
    [
      'no effect without any',
      { ...dark, ability: { colour: 'rgb', effects: false } },
      { effect: 'blink' },
      show(90, red),
    ],
    [
      'on or off alone is full',
      { ...dark, ability: { colour: 'switch', effects: false } },
      { level: 3 },
      show(255, null),
    ],
    ['out of range is held', dark, { level: 999 }, show(255, red)],
    ['below zero is held', dark, { level: -4 }, show(1, red)],
  ])('%s', (_, now, request, expected) => {
    expect(showingFor(now, request)).toEqual(expected);
  });
});

describe('a reading', () => {
  it.each([
    [
      { level: 12, rgb: WHITE },
      { on: true, level: 12, lastLevel: 12, rgb: WHITE },
    ],
    [
      { level: 0, rgb: WHITE },
      { on: false, level: null, lastLevel: 90, rgb: red },
    ],
    [
      { level: 7, rgb: null },
      { on: true, level: 7, lastLevel: 7, rgb: red },
    ],
    [
      { level: 7, rgb: { red: 0, green: 0, blue: 0 } },
      { on: true, level: 7, lastLevel: 7, rgb: red },
    ],
  ])('%o', (output, expected) => {
    expect(observedAs({ lastLevel: 90, rgb: red }, output)).toEqual(expected);
  });
  it('is what was wanted, whatever colour a dark light has', () => {
    expect(isShown({ level: 0, rgb: red }, { level: 0, rgb: WHITE })).toBe(true);
    expect(isShown({ level: 9, rgb: red }, { level: 9, rgb: WHITE })).toBe(false);
    expect(isShown({ level: 9, rgb: red }, { level: 9, rgb: { ...red } })).toBe(true);
    expect(isShown({ level: 9, rgb: null }, { level: 8, rgb: null })).toBe(false);
  });
});

describe('what a light cannot do', () => {
  const led = modesOf({ colour: 'rgb', effects: true }, ['none', 'blink']);
  it.each([
    [led, { brightness: 1, rgb: red, effect: 'blink' }, null],
    [{ ...led, effects: [] }, { effect: 'none' }, 'effect'],
    [{ ...led, colour: 'level' as const }, { brightness: 1 }, null],
    [{ ...led, colour: 'level' as const }, { rgb: red }, 'rgb'],
    [{ ...led, colour: 'switch' as const }, {}, null],
    [{ ...led, colour: 'switch' as const }, { brightness: 255 }, 'brightness'],
  ])('of %j asked for %j is named: %s', (modes, asked, field) => {
    expect(unableTo(modes, asked)?.field ?? null).toBe(field);
  });
});

describe('the rows of the lights', () => {
  const row = (key: string) => {
    const found = rows.find((one) => one.key === key);
    if (found?.entityKind !== 'light') throw new Error(key);
    return found;
  };
  it('offer what the hardware has, effects for the LED alone', () => {
    expect(modesOf({ colour: 'level', effects: true }, ['none', 'blink'])).toEqual({
      colour: 'level',
      effects: ['none', 'blink'],
    });
    const view = {
      value: 'here',
      context: {
        ability: { colour: 'switch', effects: true },
        here: true,
        on: true,
        level: 255,
        rgb: red,
        effect: 'blink',
      },
    };
    expect(row('button_led2').modesNow?.(view)).toEqual({ colour: 'switch', effects: [] });
    expect(row('button_led2').read(view)).toEqual({ on: true, brightness: null });
    expect(row('led').read(view)).toEqual({ on: true, brightness: null, effect: 'blink' });
    expect(row('led').read({ value: 'away', context: { ...view.context, on: null } })).toBeNull();
    expect(row('led').modesNow?.({ value: 'away', context: { ability: null } })).toBeNull();
  });
  it.each([
    [{}, 'empty-command'],
    [{ brightness: 256 }, 'brightness-out-of-range'],
    [{ brightness: 1.5 }, 'brightness-out-of-range'],
    [{ rgb: { red: 1, green: 2, blue: Number.NaN } }, 'colour-out-of-range'],
    [{ rgb: { red: 0, green: 0, blue: 0 } }, 'colour-black'],
    [{ effect: 'rainbow' }, 'unknown-effect'],
  ])('refuse %o', (command, reason) => {
    expect(row('led').write(command, 'home-assistant')).toMatchObject({ ok: false, reason });
  });
});
