import { describe, expect, it } from 'vitest';

import { type Dim, dimAfter, dimmedLevels, dimRecalled, notDimmed } from '#machines/auto-sleep/dim.ts';
import type { SleepDisplay } from '#machines/auto-sleep/events.ts';
import type { ScreenId } from '#machines/screen/events.ts';

type Now = Parameters<typeof dimAfter>[1];

/** 20 % of 255. */
const NIGHT = 51;

const display = (changes: Partial<SleepDisplay> = {}): SleepDisplay => ({
  id: 'screen',
  lit: true,
  level: 200,
  dims: true,
  changed: null,
  ...changes,
});

/** Night's level with displays that take what they are given, if they are lit. */
function night(from: Dim = notDimmed) {
  let dim = from;
  let now: Now = { isActive: false, percent: 20, isAutomatic: false, displays: [display()], handChanged: [] };
  return {
    dim: () => dim,
    level: (id: ScreenId = 'screen') => now.displays.find((one) => one.id === id)?.level,
    /** Changes the situation; what was set. */
    step: (changes: Partial<Now> = {}) => {
      now = { ...now, handChanged: [], ...changes };
      const { sets, ceiling, dim: next } = dimAfter(dim, now);
      dim = next;
      const set = (one: SleepDisplay): SleepDisplay => ({
        ...one,
        level: sets.find(({ screen }) => screen === one.id)?.brightness ?? one.level,
      });
      now = { ...now, displays: now.displays.map(set) };
      return { sets: sets.map(({ screen, brightness }) => `${screen} ${brightness}`), ceiling };
    },
    /** Changes every display. */
    with: (changes: Partial<SleepDisplay>) => now.displays.map((one) => ({ ...one, ...changes })),
  };
}

describe('night’s level', () => {
  it('lowers at the beginning, once, and gives back at the end', () => {
    const one = night();
    expect(one.step()).toEqual({ sets: [], ceiling: null });
    expect(one.step({ isActive: true })).toEqual({ sets: [`screen ${NIGHT}`], ceiling: NIGHT });
    expect(one.step()).toEqual({ sets: [], ceiling: NIGHT });
    expect(one.step({ isActive: false })).toEqual({ sets: ['screen 200'], ceiling: null });
    expect(one.step()).toEqual({ sets: [], ceiling: null });
  });

  it('is not set again while a display has not taken it yet', () => {
    const begun = dimAfter(notDimmed, {
      isActive: true,
      percent: 20,
      isAutomatic: false,
      displays: [display()],
      handChanged: [],
    });
    const again = dimAfter(begun.dim, {
      isActive: true,
      percent: 20,
      isAutomatic: false,
      displays: [display()],
      handChanged: [],
    });
    expect([begun.sets.length, again.sets.length]).toEqual([1, 0]);
  });

  it.each<[string, Partial<SleepDisplay>]>([
    ['a display that is dim enough', { level: 40 }],
    ['one at exactly that level', { level: NIGHT }],
    ['one that nothing dims', { dims: false }],
    ['a dark one', { lit: false }],
    ['one of unknown state', { lit: null }],
  ])('leaves alone %s', (_, changes) => {
    const one = night();
    one.step({ displays: [display(changes)] });
    expect(one.step({ isActive: true }).sets).toEqual([]);
    expect(one.step({ isActive: false }).sets).toEqual([]);
  });

  it('is given to a display that is lit within the hours', () => {
    const one = night();
    one.step({ isActive: true, displays: [display({ lit: false })] });
    expect(one.step({ displays: one.with({ lit: true }) }).sets).toEqual([`screen ${NIGHT}`]);
    expect(one.step({ displays: one.with({ lit: false }) }).sets).toEqual([]);
    // One that forgets its level while dark.
    expect(one.step({ displays: one.with({ lit: true, level: 255 }) }).sets).toEqual([`screen ${NIGHT}`]);
    expect(one.step({ isActive: false }).sets).toEqual(['screen 200']);
  });

  it('is given back to a dark display once it is lit', () => {
    const one = night();
    one.step({ isActive: true });
    one.step({ displays: one.with({ lit: false }) });
    expect(one.step({ isActive: false }).sets).toEqual([]);
    expect(one.step({ displays: one.with({ lit: true }) }).sets).toEqual(['screen 200']);
    expect(one.step({ displays: one.with({ lit: false }) }).sets).toEqual([]);
    expect(one.step({ displays: one.with({ lit: true }) }).sets).toEqual([]);
  });

  it('gives the level of the day before back, if it never was lit between two nights', () => {
    const one = night();
    one.step({ isActive: true });
    one.step({ displays: one.with({ lit: false }) });
    one.step({ isActive: false });
    expect(one.step({ isActive: true }).sets).toEqual([]);
    expect(one.step({ displays: one.with({ lit: true }) }).sets).toEqual([]);
    expect(one.step({ isActive: false }).sets).toEqual(['screen 200']);
  });

  it('gives way to a hand until the hours end', () => {
    const one = night();
    one.step({ isActive: true });
    expect(one.step({ displays: one.with({ level: 150 }), handChanged: ['screen'] }).sets).toEqual([]);
    one.step({ displays: one.with({ lit: false }) });
    expect(one.step({ displays: one.with({ lit: true }) }).sets).toEqual([]);
    expect(one.step({ isActive: false }).sets).toEqual([]);
    expect(one.level()).toBe(150);
    // The next night counts again.
    expect(one.step({ isActive: true }).sets).toEqual([`screen ${NIGHT}`]);
    expect(one.step({ isActive: false }).sets).toEqual(['screen 150']);
  });

  it('owes nothing to a dark display that a hand set after the hours', () => {
    const one = night();
    one.step({ isActive: true });
    one.step({ displays: one.with({ lit: false }) });
    one.step({ isActive: false });
    expect(one.step({ displays: one.with({ lit: true, level: 90 }), handChanged: ['screen'] }).sets).toEqual([]);
    expect(one.step().sets).toEqual([]);
  });

  it('gives way to a hand on one display only', () => {
    const one = night();
    const both = [display(), display({ id: 'screen_2', level: 100 })];
    expect(one.step({ isActive: true, displays: both }).sets).toEqual([`screen ${NIGHT}`, `screen_2 ${NIGHT}`]);
    one.step({ handChanged: ['screen'] });
    expect(one.step({ isActive: false }).sets).toEqual(['screen_2 100']);
  });

  it('is no more than a ceiling while the automatic brightness works', () => {
    const one = night();
    expect(one.step({ isActive: true, isAutomatic: true })).toEqual({ sets: [], ceiling: NIGHT });
    // Its source is lost: the level stays, or is lowered.
    expect(one.step({ isAutomatic: false })).toEqual({ sets: [`screen ${NIGHT}`], ceiling: NIGHT });
    expect(one.step({ isAutomatic: true })).toEqual({ sets: [], ceiling: NIGHT });
    expect(one.step({ isActive: false })).toEqual({ sets: [], ceiling: null });
  });

  it('keeps a hand’s level when the automatic brightness stops working', () => {
    const one = night();
    one.step({ isActive: true, isAutomatic: true });
    one.step({ handChanged: ['screen'] });
    expect(one.step({ isAutomatic: false }).sets).toEqual([]);
  });

  it('follows its setting within the hours, never above the level before them', () => {
    const one = night();
    one.step({ isActive: true });
    expect(one.step({ percent: 10 }).sets).toEqual(['screen 26']);
    expect(one.step({ percent: 40 })).toEqual({ sets: ['screen 102'], ceiling: 102 });
    expect(one.step({ percent: 100 }).sets).toEqual(['screen 200']);
    expect(one.step({ percent: 50 }).sets).toEqual(['screen 128']);
    expect(one.step({ isActive: false }).sets).toEqual(['screen 200']);
  });

  it('keeps what it owes to a display that is away for a moment', () => {
    const one = night();
    one.step({ isActive: true });
    expect(one.step({ displays: [] }).sets).toEqual([]);
    expect(one.step({ displays: [display({ level: NIGHT })] }).sets).toEqual([]);
    expect(one.step({ isActive: false }).sets).toEqual(['screen 200']);
  });
});

describe('after a restart', () => {
  it('within the hours, the level is still given back at their end', () => {
    const before = night();
    before.step({ isActive: true });
    expect(dimmedLevels(before.dim())).toEqual({ screen: 200 });
    const after = night(dimRecalled(dimmedLevels(before.dim())));
    expect(after.step({ isActive: true, displays: [display({ level: NIGHT })] }).sets).toEqual([]);
    expect(after.step({ isActive: false }).sets).toEqual(['screen 200']);
    expect(dimmedLevels(after.dim())).toEqual({});
  });

  it('after them, it is given back at once', () => {
    const after = night(dimRecalled({ screen: 200 }));
    expect(after.step({ displays: [display({ level: NIGHT })] }).sets).toEqual(['screen 200']);
  });

  it('nothing is owed if nothing was lowered', () => expect(dimRecalled({})).toEqual(notDimmed));
});
