import { describe, expect, it } from 'vitest';

import {
  interpret,
  isLit,
  merge,
  planWrite,
  SELF_WAKE_MS,
  settle,
  turnedItselfOn,
  type Situation,
  wantedBy,
} from '#machines/screen/decide.ts';

const powered = { name: 'x', rawMax: 100, rawMin: 1, power: true };
const floored = { ...powered, power: false };
const lit: Situation = {
  display: powered,
  reading: { raw: 50, powered: true },
  lit: true,
  lastBrightness: 127,
  minimumPercent: 1,
  roomLevel: null,
};
const dark: Situation = { ...lit, reading: { raw: 50, powered: false }, lit: false };
const onFloor: Situation = { ...dark, display: floored, reading: { raw: 1, powered: true } };
const origin = 'http';

describe('planWrite', () => {
  it.each([
    ['a level on a lit screen', lit, { brightness: 255 }, { raw: 100, powered: true, level: 255, lit: true }],
    [
      'a level on a dark screen lights it',
      dark,
      { on: true, brightness: 1 },
      { raw: 1, powered: true, level: 1, lit: true },
    ],
    [
      'a bare ON on a lit screen leaves its level',
      lit,
      { on: true },
      { raw: null, powered: true, level: null, lit: true },
    ],
    [
      'a bare ON on a dark screen restores the last level',
      dark,
      { on: true },
      { raw: 50, powered: true, level: 127, lit: true },
    ],
    ['OFF by power', lit, { on: false }, { raw: null, powered: false, level: null, lit: false }],
    [
      'OFF wins over a level',
      lit,
      { on: false, brightness: 90 },
      { raw: null, powered: false, level: null, lit: false },
    ],
    ['brightness 0 is off', lit, { brightness: 0 }, { raw: null, powered: false, level: null, lit: false }],
    [
      'ON with brightness 0 is off',
      lit,
      { on: true, brightness: 0 },
      { raw: null, powered: false, level: null, lit: false },
    ],
    [
      'OFF without a power switch is the floor',
      { ...lit, display: floored },
      { on: false },
      { raw: 1, powered: null, level: null, lit: false },
    ],
    [
      'the lowest level stays above the floor',
      onFloor,
      { brightness: 1 },
      { raw: 2, powered: null, level: 1, lit: true },
    ],
    ['a bare ON restores from the floor', onFloor, { on: true }, { raw: 51, powered: null, level: 127, lit: true }],
    [
      'the owner’s minimum',
      { ...lit, minimumPercent: 20 },
      { brightness: 1 },
      { raw: 20, powered: true, level: 1, lit: true },
    ],
    ['out of range is held', lit, { brightness: 999 }, { raw: 100, powered: true, level: 255, lit: true }],
  ])('%s', (_, situation, want, plan) => {
    expect(planWrite({ ...want, origin }, situation)).toEqual(plan);
  });
});

describe('merge', () => {
  it.each([
    ['the newer level wins', { brightness: 10 }, { brightness: 20 }, { brightness: 20 }],
    ['off wins', { brightness: 10 }, { on: false }, { on: false }],
    ['a bare ON keeps the level already asked for', { brightness: 10 }, { on: true }, { on: true, brightness: 10 }],
    ['a bare ON after off asks for no level', { on: false, brightness: 10 }, { on: true }, { on: true }],
    ['a bare ON after brightness 0 is on', { brightness: 0 }, { on: true }, { on: true }],
  ])('%s', (_, older, newer, merged) => {
    expect(merge({ ...older, origin }, { ...newer, origin })).toEqual({ ...merged, origin });
  });

  it('takes the first want as it is', () => expect(merge(null, { on: true, origin })).toEqual({ on: true, origin }));
});

describe('isLit', () => {
  it.each([
    [powered, { raw: 5, powered: true }, true],
    [powered, { raw: 5, powered: false }, false],
    [powered, { raw: 0, powered: true }, false],
    [floored, { raw: 1, powered: true }, false],
    [floored, { raw: 2, powered: true }, true],
    [{ ...floored, rawMax: 1 }, { raw: 1, powered: true }, true],
  ])('%o %o is %s', (display, reading, expected) => {
    expect(isLit(reading, display)).toBe(expected);
  });
});

describe('interpret', () => {
  it('publishes the hint where it is written as this raw value, else the scaled one', () => {
    expect(interpret({ raw: 50, powered: true }, powered, 1, 126)).toMatchObject({ brightness: 126 });
    expect(interpret({ raw: 50, powered: true }, powered, 1, 200)).toMatchObject({ brightness: 127 });
  });

  it('reads the remembered level off a dark display, and keeps the hint on the floor', () => {
    expect(interpret({ raw: 100, powered: false }, powered, 1, 9)).toEqual({
      lit: false,
      brightness: null,
      lastBrightness: 255,
    });
    expect(interpret({ raw: 1, powered: true }, floored, 1, 77)).toEqual({
      lit: false,
      brightness: null,
      lastBrightness: 77,
    });
  });
});

describe('settle', () => {
  const plan = { raw: 50, powered: true, level: 126, lit: true };
  it.each([
    [
      'as written: the requested level',
      plan,
      { raw: 50, powered: true },
      { lit: true, brightness: 126, lastBrightness: 126, fault: null },
    ],
    [
      'quantised: the scaled read-back',
      plan,
      { raw: 60, powered: true },
      { lit: true, brightness: 152, lastBrightness: 152, fault: null },
    ],
    ['still dark', plan, { raw: 50, powered: false }, { lit: false, brightness: null, fault: 'still-dark' }],
    [
      'off keeps the last level',
      { raw: null, powered: false, level: null, lit: false },
      { raw: 0, powered: false },
      { lit: false, brightness: null, lastBrightness: 127, fault: null },
    ],
    [
      'still lit',
      { raw: null, powered: false, level: null, lit: false },
      { raw: 50, powered: true },
      { lit: true, fault: 'still-lit' },
    ],
  ])('%s', (_, made, reading, expected) => {
    expect(settle(made, reading, lit)).toMatchObject(expected);
  });
});

describe('a screen that turns itself on', () => {
  const display = { name: 'x', rawMax: 100, rawMin: 1, power: true };
  const off = { lit: false, display, changed: { by: 'home-assistant', at: 1000 } };
  const on = { reading: { raw: 50, powered: true }, at: 4000 };

  it.each<[string, Parameters<typeof turnedItselfOn>[0], Parameters<typeof turnedItselfOn>[1], boolean]>([
    ['seconds after it was switched off by order', off, on, true],
    ['long after, when it may have been anybody', off, { ...on, at: 1001 + SELF_WAKE_MS }, false],
    ['after somebody else switched it off', { ...off, changed: { by: 'elsewhere', at: 1000 } }, on, false],
    ['nobody ever switched it', { ...off, changed: null }, on, false],
    ['it was lit', { ...off, lit: true }, on, false],
    ['it is still dark', off, { ...on, reading: { raw: 50, powered: false } }, false],
    ['the clock was set back', off, { ...on, at: 900 }, false],
  ])('%s', (_, now, seen, itself) => expect(turnedItselfOn(now, seen)).toBe(itself));
});

describe('what a screen will be once the writes under way are done', () => {
  const plan = (light: boolean) => ({ raw: null, powered: light, level: null, lit: light });
  it.each([
    ['nothing', { writing: null, next: null }, null],
    ['the light', { writing: { plan: plan(true) }, next: null }, true],
    ['the dark', { writing: { plan: plan(false) }, next: null }, false],
    ['what is asked for next counts', { writing: { plan: plan(false) }, next: { on: true, origin: 'touch' } }, true],
    ['a level of 0 is dark', { writing: { plan: plan(true) }, next: { brightness: 0, origin: 'http' } }, false],
  ])('%s', (_, { writing, next }, wanted) => expect(wantedBy(writing, next)).toBe(wanted));
});
