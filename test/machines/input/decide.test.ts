import { describe, expect, it } from 'vitest';

import {
  allSettledLit,
  displaysToWake,
  isChange,
  isSameToTouch,
  WAKE_BOUND_MS,
  wakeStart,
  wakeTime,
} from '#machines/input/decide.ts';
import type { ObservedDisplay } from '#machines/input/events.ts';

const display = (
  lit: boolean | null,
  wanted: boolean | null = null,
  changed: ObservedDisplay['changed'] = null,
): ObservedDisplay => ({ lit, wanted, changed });

describe('what a touch lights', () => {
  it.each<[string, ObservedDisplay, boolean]>([
    ['a dark display', display(false), true],
    ['a lit one', display(true), false],
    ['one that is not known', display(null), false],
    ['a lit one that is being switched off', display(true, false), true],
    ['a dark one that is being switched on already', display(false, true), false],
  ])('%s', (_, seen, wakes) => {
    expect(displaysToWake({ screen: seen })).toEqual(wakes ? ['screen'] : []);
  });

  it('lights each dark one of several', () => {
    expect(displaysToWake({ screen: display(false), screen_2: display(true), screen_3: display(false) })).toEqual([
      'screen',
      'screen_3',
    ]);
  });

  it('has nothing to wait for once all are lit and at rest', () => {
    expect(allSettledLit({ screen: display(true), screen_2: display(null) })).toBe(true);
    expect(allSettledLit({ screen: display(false, true) })).toBe(false);
    expect(allSettledLit({ screen: display(true, true) })).toBe(false);
  });
});

describe('what is no news to touch', () => {
  const home = { by: 'home-assistant', at: 5 };
  const touch = { by: 'touch', at: 5 };
  it.each<[string, ObservedDisplay, ObservedDisplay, boolean]>([
    ['a lit display that is made brighter', display(true), display(true, true), true],
    ['one that was', display(true), display(true, null, home), true],
    ['one that is being switched off', display(true), display(true, false), false],
    ['one that was', display(true, false), display(false, null, home), false],
    ['a dark one that is being switched on', display(false), display(false, true), false],
    ['one that was', display(false, true), display(true, null, home), false],
    ['what comes of a switch that was taken back', display(true, false), display(true, true), false],
    ['what comes of that', display(true, true), display(true, null, home), false],
    ['what a touch did', display(true), display(true, null, touch), false],
    ['one that is lost', display(true), display(null), false],
  ])('%s', (_, before, now, isSame) => {
    expect(isSameToTouch(before, now)).toBe(isSame);
  });
});

describe('how long a wake took', () => {
  it.each<[string, number | null, ObservedDisplay, number | null]>([
    ['from the touch to the write', 1000, display(true, null, { by: 'touch', at: 1004 }), 4],
    ['nothing when nobody touched', null, display(true, null, { by: 'touch', at: 1004 }), null],
    ['nothing when somebody else lit it', 1000, display(true, null, { by: 'home-assistant', at: 1004 }), null],
    ['nothing while it is still dark', 1000, display(false, null, { by: 'touch', at: 1004 }), null],
    ['nothing when the clock was set back in between', 1000, display(true, null, { by: 'touch', at: 400 }), null],
    ['nothing when it was long ago', 1000, display(true, null, { by: 'touch', at: 1001 + WAKE_BOUND_MS }), null],
  ])('%s', (_, touchedAt, seen, took) => {
    expect(wakeTime(touchedAt, seen)).toBe(took);
  });

  it('counts from the first touch in the dark, and anew when that was too long ago or the clock was set', () => {
    expect(wakeStart(null, 500)).toBe(500);
    expect(wakeStart(400, 500)).toBe(400);
    expect(wakeStart(400, 400 + WAKE_BOUND_MS)).toBe(400 + WAKE_BOUND_MS);
    expect(wakeStart(400, 300)).toBe(300);
  });
});

describe('what is kept and said', () => {
  it('keeps one moment per second and kind', () => {
    expect(isChange(null, { kind: 'touch', at: 1 })).toBe(true);
    expect(isChange({ kind: 'touch', at: 1 }, { kind: 'touch', at: 1000 })).toBe(false);
    expect(isChange({ kind: 'touch', at: 1 }, { kind: 'touch', at: 1001 })).toBe(true);
    expect(isChange({ kind: 'touch', at: 1 }, { kind: 'key', at: 2 })).toBe(true);
  });
});
