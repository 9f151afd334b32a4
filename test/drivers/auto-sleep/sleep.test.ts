import { describe, expect, it } from 'vitest';

import type { SleepOutput, StoredSleep } from '#machines/auto-sleep/events.ts';
import { restingView } from '#machines/auto-sleep/off.ts';
import { nothingStored } from '#machines/auto-sleep/stored.ts';
import { settle } from '#test/fakes/kit-clock.ts';

import { chosen, display, home, rig } from './rig.ts';

const dark: StoredSleep = { ...nothingStored, darkened: { screen: 'auto-sleep' }, isSuppressed: true, place: home };
const decided = (changes: object): SleepOutput => ({
  type: 'sleep.decided',
  view: { ...restingView, ...changes },
  ceiling: null,
  at: 1,
});

describe('the beginning', () => {
  it('recalls what was kept before anything is decided or watched', () => {
    const { driver, taken, types, observed, recall, watched } = rig({ stored: dark, excluded: ['x'] });
    driver.tell({ type: 'sleep.displays', displays: [display] });
    driver.tell({ type: 'sleep.settings', settings: chosen });
    expect([types(), observed.length, watched.place]).toEqual([[], 0, 0]);
    recall();
    expect(taken).toEqual([
      { type: 'recalled', stored: dark },
      { type: 'displays', displays: [display] },
      { type: 'settings', settings: chosen },
    ]);
    expect(observed).toMatchObject([{ mode: 'home_assistant', excluded: ['x'] }]);
    expect(watched.place).toBe(1);
  });

  it('watches no source while only the hours are wanted', () => {
    const { begin, observed, watched } = rig();
    begin({ ...chosen, enabled: false, offHours: '22:30-06:30' });
    expect(observed).toEqual([]);
    expect(watched).toEqual({ panel: [''], entity: [], place: 1 });
  });
});

describe('the sources', () => {
  it('are one watch at a time, and their feeds are numbered', () => {
    const { begin, driver, taken, observed, current } = rig();
    begin();
    const first = current();
    first.handlers.onFeed({ kind: 'touch' }, 'p');
    first.handlers.onFeed({ kind: 'lost', why: 'signed-out' }, 'p');
    driver.tell({ type: 'sleep.settings', settings: { ...chosen, dimPercent: 5 } });
    expect(observed).toHaveLength(1);
    driver.tell({ type: 'sleep.settings', settings: { ...chosen, source: 'touch' } });
    expect(first.isOver).toBe(true);
    // Late.
    first.handlers.onFeed({ kind: 'touch' }, 'p');
    first.handlers.onApproached();
    current().handlers.onFeed({ kind: 'touch' }, 'q');
    const positions = taken.flatMap((input) => (input.type === 'feed' ? [input.position] : []));
    expect(positions).toHaveLength(3);
    expect(positions[1]?.generation).toBe(positions[0]?.generation);
    expect(positions[2]?.generation).toBeGreaterThan(positions[1]?.generation ?? 0);
    expect(positions.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(taken.some(({ type }) => type === 'approached')).toBe(false);
    driver.tell({ type: 'sleep.settings', settings: { ...chosen, enabled: false, offHours: '1' } });
    expect(observed.every(({ isOver }) => isOver)).toBe(true);
    expect(driver.facts.at(-1)).toEqual({ type: 'sources.discovered', count: 0 });
  });

  it('are counted, and an approach is passed on', () => {
    const { begin, driver, taken, current } = rig();
    begin();
    current().handlers.onDiscovered(40);
    current().handlers.onApproached();
    expect(driver.facts).toContainEqual({ type: 'sources.discovered', count: 40 });
    expect(taken.at(-1)).toEqual({ type: 'approached' });
  });
});

describe('what happens at the panel', () => {
  it('is passed on, and watched again for another dashboard', () => {
    const { begin, driver, taken, handlers, watched } = rig();
    begin();
    const holds = { announcement: true, calibration: false, ownPages: false, dashboard: false };
    handlers.panel?.onHolds(holds);
    handlers.panel?.onTouched(true);
    handlers.panel?.onBrightness(true);
    expect(taken.slice(-3)).toEqual([
      { type: 'holds', holds },
      { type: 'touched', isWave: true },
      { type: 'brightness', isAutomatic: true },
    ]);
    driver.tell({ type: 'sleep.settings', settings: { ...chosen, stayAwakeDashboard: '/cooking' } });
    expect(watched.panel).toEqual(['', 'over', '/cooking']);
  });

  it('includes one entity, while one is named', () => {
    const { begin, driver, taken, handlers, watched } = rig();
    begin({ ...chosen, wakeOnEntity: 'binary_sensor.bell' });
    handlers.entity();
    expect(taken.at(-1)).toEqual({ type: 'entity.on' });
    driver.tell({ type: 'sleep.settings', settings: chosen });
    expect(watched.entity).toEqual(['binary_sensor.bell', 'over']);
  });

  it('has a place, and keeps it while none is named', () => {
    const { begin, taken, handlers } = rig({ stored: dark });
    begin();
    handlers.place(home);
    handlers.place(null);
    expect(taken.some(({ type }) => type === 'place')).toBe(false);
    const moved = { ...home, timeZone: 'Asia/Tokyo' };
    handlers.place(moved);
    expect(taken.at(-1)).toEqual({ type: 'place', place: moved });
  });
});

describe('what is decided', () => {
  it('is reported with the wall clock of the house, and kept', () => {
    const { begin, driver, decide, kept } = rig({ stored: dark });
    const changesAt = Date.UTC(2026, 10, 27, 5, 30);
    const set = { type: 'sleep.set', screen: 'screen', on: false, origin: 'clock' } as const;
    decide(({ type }) =>
      type === 'settings'
        ? [
            decided({ offHours: { isActive: true, changesAt, why: null } }),
            set,
            { type: 'keep', stored: dark, isUrgent: true },
          ]
        : [],
    );
    begin();
    expect(driver.facts).toMatchObject([{ type: 'sleep.decided', offHoursClock: '06:30' }, set]);
    expect(kept).toEqual([dark]);
  });

  it('needs one timer, and none while nothing is due', () => {
    const { begin, clock, types, timers, dueIn } = rig();
    begin();
    expect(timers()).toBe(0);
    dueIn(250);
    begin();
    expect(timers()).toBe(1);
    dueIn(Infinity);
    clock.pass(250);
    expect(types().at(-1)).toBe('tick');
    expect(timers()).toBe(0);
  });
});

describe('the end', () => {
  it('lights what it darkened once the owner turned everything off', async () => {
    const { begin, driver, taken, atEnd, kept, turnOff, watched, observed } = rig({ stored: dark });
    begin({ ...chosen, wakeOnEntity: 'binary_sensor.bell' });
    driver.tell({ type: 'sleep.displays', displays: [{ ...display, lit: false }] });
    turnOff();
    driver.stop();
    await settle();
    expect(taken.slice(-2)).toMatchObject([{ type: 'settings', settings: { enabled: false } }, { type: 'stop' }]);
    expect(atEnd).toEqual([{ type: 'sleep.set', screen: 'screen', on: true, origin: 'auto-sleep' }]);
    expect(kept).toEqual([{ ...nothingStored, place: home }]);
    expect(observed.every(({ isOver }) => isOver)).toBe(true);
    expect(watched).toEqual({ panel: ['', 'over'], entity: ['binary_sensor.bell', 'over'], place: 0 });
  });

  it('leaves what a hand has lit meanwhile, and does not switch twice', async () => {
    const { begin, driver, atEnd, decide, turnOff } = rig({
      stored: { ...dark, darkened: { screen: 'clock', screen_2: 'clock' } },
    });
    begin();
    const set = { type: 'sleep.set', screen: 'screen_2', on: true, origin: 'clock' } as const;
    decide(({ type }) => (type === 'settings' ? [set] : []));
    turnOff();
    driver.stop();
    await settle();
    expect(atEnd).toEqual([set]);
  });

  it('of the agent keeps what is darkened, and switches nothing', async () => {
    const { begin, driver, atEnd, kept, decide } = rig({ stored: dark });
    begin();
    decide(({ type }) => (type === 'stop' ? [{ type: 'keep', stored: dark, isUrgent: false }] : []));
    driver.stop();
    await settle();
    expect(atEnd).toEqual([]);
    expect(kept).toEqual([dark]);
  });

  it('leaves no timer', async () => {
    const { begin, driver, dueIn, timers } = rig();
    dueIn(250);
    begin();
    expect(timers()).toBe(1);
    driver.stop();
    await settle();
    expect(timers()).toBe(0);
  });

  it('before the store was read keeps nothing', async () => {
    const { driver, taken, kept, turnOff } = rig();
    turnOff();
    driver.stop();
    await settle();
    expect([taken, kept]).toEqual([[], []]);
  });
});
