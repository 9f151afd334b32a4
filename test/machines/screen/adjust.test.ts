import { describe, expect, it } from 'vitest';

import type { ScreenFact } from '#machines/screen/events.ts';
import { ANSWER_BOUND_MS, RECHECK_MS, RELIGHT_BOUND_MS } from '#machines/screen/machine.ts';

import { display, start } from './start.ts';

const adjust = (level: number) => ({ type: 'screen.adjust', level, origin: 'auto-brightness' }) as const;
const off = { type: 'screen.set', on: false, origin: 'http' } as const;
const on = { type: 'screen.set', on: true, origin: 'touch' } as const;
const level = (brightness: number) => ({ type: 'screen.set', brightness, origin: 'http' }) as const;

const backlight: ScreenFact = {
  type: 'display.found',
  display: { ...display, routes: { brightness: 'backlight', power: 'backlight' } },
  reading: { raw: 100, powered: true },
  at: 1,
};

function startDark() {
  const screen = start({ type: 'display.found', display, reading: { raw: 200, powered: false }, at: 1 });
  expect(screen.facts().lastBrightness).toBe(200);
  return screen;
}

describe('a lit display that the light of the room adjusts', () => {
  it('is written without its switch, and keeps nothing in the store', () => {
    const { actor, writes, answer, facts, kept } = start();
    actor.send(adjust(40));
    expect(writes()).toEqual([{ type: 'display.write', generation: 1, raw: 40, powered: null, onlyAbove: 0 }]);
    expect(facts()).toMatchObject({ brightness: 100, wanted: null });
    answer({ raw: 40, powered: true });
    expect(facts()).toMatchObject({
      brightness: 40,
      lastBrightness: 40,
      changed: { by: 'auto-brightness', at: 5 },
      roomLevel: null,
    });
    expect(kept).toEqual([]);
  });

  it('without a switch is left alone on its floor', () => {
    const { actor, writes } = start({
      type: 'display.found',
      display: { ...display, power: false, rawMin: 3 },
      reading: { raw: 100, powered: true },
      at: 1,
    });
    actor.send(adjust(90));
    expect(writes().at(-1)).toMatchObject({ powered: null, onlyAbove: 3 });
  });

  it('takes levels one at a time, the newest last, and a repeated one once', () => {
    const { actor, writes, answer } = start();
    for (const one of [40, 40, 50, 60]) actor.send(adjust(one));
    answer({ raw: 40, powered: true });
    answer({ raw: 60, powered: true });
    expect(writes().map(({ raw }) => raw)).toEqual([40, 60]);
  });

  it.each([
    [0.2, 1],
    [300, 255],
  ])('holds %d inside the levels', (asked, raw) => {
    const { actor, writes } = start();
    actor.send(adjust(asked));
    expect(writes().at(-1)?.raw).toBe(raw);
  });

  it('is not asked again and again after a refusal or a silence', () => {
    const { actor, clock, writes, facts } = start();
    actor.send(adjust(40));
    actor.send({ type: 'display.refused', generation: 1, reason: 'failed' });
    expect(facts().fault).toBe('failed');
    actor.send(adjust(40));
    clock.increment(ANSWER_BOUND_MS);
    expect(facts().fault).toBe('no-answer');
    expect(writes()).toHaveLength(2);
    actor.send(adjust(40));
    expect(writes()).toHaveLength(3);
  });

  it('is planned again when its route gave way', () => {
    const { actor, writes } = start();
    actor.send(adjust(255));
    const other = { ...display, rawMax: 80 };
    actor.send({ type: 'display.found', display: other, reading: { raw: 40, powered: true }, at: 6 });
    actor.send({ type: 'display.refused', generation: 1, reason: 'route-changed' });
    expect(writes().at(-1)).toMatchObject({ generation: 2, raw: 80, onlyAbove: 0 });
  });

  it('still says that it turned itself on', () => {
    const { actor, answer, facts } = start();
    actor.send(off);
    answer({ raw: 100, powered: false });
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: true }, at: 3000 });
    actor.send(adjust(20));
    answer({ raw: 20, powered: true });
    expect(facts()).toMatchObject({ fault: 'turned-itself-on', brightness: 20 });
  });
});

describe('a dark display that the light of the room adjusts', () => {
  it('is not written; ON lights it at that level with the first write', () => {
    const { actor, writes, answer, facts, kept } = startDark();
    actor.send(adjust(90));
    actor.send(adjust(12));
    expect(writes()).toEqual([]);
    expect(facts()).toMatchObject({ lit: false, brightness: null, lastBrightness: 12, changed: null });
    expect(kept).toEqual([]);
    actor.send(on);
    expect(writes()).toEqual([{ type: 'display.write', generation: 1, raw: 12, powered: true }]);
    answer({ raw: 12, powered: true });
    expect(facts()).toMatchObject({ lit: true, brightness: 12, changed: { by: 'touch' }, roomLevel: null });
    expect(writes()).toHaveLength(1);
  });

  it('keeps that level whatever is read of it, and whatever an earlier run kept', () => {
    const { actor, clock, answer, facts } = start();
    actor.send(off);
    answer({ raw: 100, powered: false });
    actor.send(adjust(12));
    clock.increment(RECHECK_MS);
    actor.send({ type: 'display.observed', reading: { raw: 180, powered: false }, at: 9 });
    actor.send({ type: 'level.recalled', level: 77 });
    actor.send({ type: 'screen.limits', minimumPercent: 2 });
    expect(facts().lastBrightness).toBe(12);
    actor.send({ type: 'display.lost', reason: 'gone' });
    actor.send({ type: 'display.found', display, reading: { raw: 180, powered: false }, at: 10 });
    expect(facts().lastBrightness).toBe(12);
  });

  it('forgets it once it is lit by others, which is not written over', () => {
    const { actor, writes, facts } = startDark();
    actor.send(adjust(12));
    actor.send({ type: 'display.observed', reading: { raw: 180, powered: true }, at: 9 });
    expect(facts()).toMatchObject({ lit: true, brightness: 180, lastBrightness: 180, roomLevel: null });
    actor.send({ type: 'display.observed', reading: { raw: 180, powered: false }, at: 10 });
    expect(facts().lastBrightness).toBe(180);
    expect(writes()).toEqual([]);
  });

  it('takes a person’s level instead', () => {
    const { actor, writes, answer, facts } = startDark();
    actor.send(adjust(12));
    actor.send(level(150));
    expect(writes().at(-1)).toMatchObject({ raw: 150, powered: true });
    answer({ raw: 150, powered: true });
    actor.send(off);
    answer({ raw: 150, powered: false });
    expect(facts().lastBrightness).toBe(150);
  });

  it('is not lit by a level that comes after a light that failed', () => {
    const { actor, writes, answer, facts } = startDark();
    actor.send(on);
    actor.send(adjust(12));
    answer({ raw: 200, powered: false });
    expect(facts()).toMatchObject({ fault: 'still-dark', lastBrightness: 12 });
    expect(writes()).toHaveLength(1);
    actor.send(on);
    expect(writes().at(-1)).toMatchObject({ raw: 12, powered: true });
  });

  it('is lit at that level when the agent stops', () => {
    const { actor, writes } = startDark();
    actor.send(adjust(12));
    actor.send({ type: 'screen.stop' });
    expect(writes()).toEqual([{ type: 'display.write', generation: 1, raw: 12, powered: true }]);
  });
});

describe('a level of the room while a display is being switched', () => {
  it('waits for ON where OFF is being written', () => {
    const { actor, writes, answer, facts } = start();
    actor.send(off);
    actor.send(adjust(12));
    expect(facts()).toMatchObject({ lit: true, brightness: 100, lastBrightness: 12, changed: null });
    // A poll from before the write.
    actor.send({ type: 'display.observed', reading: { raw: 101, powered: true }, at: 4 });
    expect(facts().lastBrightness).toBe(12);
    answer({ raw: 101, powered: false });
    expect(facts()).toMatchObject({ lit: false, lastBrightness: 12 });
    expect(writes()).toHaveLength(1);
    actor.send(on);
    expect(writes().at(-1)).toMatchObject({ raw: 12, powered: true });
  });

  it('waits for ON where OFF comes while it is being written', () => {
    const { actor, writes, answer, facts } = start();
    actor.send(adjust(12));
    actor.send(off);
    answer({ raw: 12, powered: true });
    expect(writes().at(-1)).toMatchObject({ raw: null, powered: false });
    answer({ raw: 180, powered: false });
    expect(facts()).toMatchObject({ lit: false, lastBrightness: 12, changed: { by: 'http' } });
    expect(writes()).toHaveLength(2);
  });

  it('comes along with the ON that follows an OFF', () => {
    const { actor, writes, answer } = start();
    actor.send(off);
    actor.send(on);
    actor.send(adjust(12));
    answer({ raw: 100, powered: false });
    expect(writes().at(-1)).toEqual({ type: 'display.write', generation: 2, raw: 12, powered: true });
    answer({ raw: 12, powered: true });
    expect(writes()).toHaveLength(2);
  });

  it('is written after the bare ON that is under way', () => {
    const { actor, writes, answer, facts } = startDark();
    actor.send(on);
    actor.send(adjust(12));
    expect(writes()).toHaveLength(1);
    answer({ raw: 200, powered: true });
    expect(writes().at(-1)).toEqual({ type: 'display.write', generation: 2, raw: 12, powered: null, onlyAbove: 0 });
    answer({ raw: 12, powered: true });
    expect(facts()).toMatchObject({ brightness: 12, changed: { by: 'auto-brightness' } });
  });

  it('never takes the place of a person’s level, whether that waits or is being written', () => {
    const { actor, writes, answer, facts } = start();
    actor.send(level(150));
    actor.send(adjust(12));
    actor.send(level(160));
    actor.send(adjust(13));
    answer({ raw: 150, powered: true });
    answer({ raw: 160, powered: true });
    expect(writes().map(({ raw }) => raw)).toEqual([150, 160]);
    expect(facts()).toMatchObject({ brightness: 160, changed: { by: 'http' } });
  });

  it('gives way to a person’s level, and stays with a bare ON', () => {
    const { actor, writes, answer } = start();
    actor.send(adjust(12));
    actor.send(adjust(14));
    actor.send(on);
    answer({ raw: 12, powered: true });
    expect(writes().at(-1)).toMatchObject({ raw: 14, powered: true });
    answer({ raw: 14, powered: true });
    actor.send(adjust(20));
    actor.send(adjust(22));
    actor.send(level(99));
    answer({ raw: 20, powered: true });
    answer({ raw: 99, powered: true });
    expect(writes().map(({ raw }) => raw)).toEqual([12, 14, 20, 99]);
  });

  it('does not light a display that fades out longer than its answer takes', () => {
    const { actor, writes, answer, facts } = start();
    actor.send(off);
    answer({ raw: 100, powered: true });
    expect(facts().fault).toBe('still-lit');
    actor.send(adjust(12));
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: false }, at: 6 });
    expect(writes()).toHaveLength(1);
    expect(facts().lastBrightness).toBe(12);
    actor.send({ type: 'display.observed', reading: { raw: 100, powered: true }, at: 7 });
    actor.send(adjust(13));
    expect(writes()).toHaveLength(2);
  });

  it('finds a display that another program darkened, and lets it be', () => {
    const { actor, writes, answer, facts } = start();
    actor.send(adjust(12));
    answer({ raw: 100, powered: false });
    expect(facts()).toMatchObject({ lit: false, lastBrightness: 12, fault: null, changed: { by: 'elsewhere', at: 5 } });
    actor.send(on);
    expect(writes().at(-1)).toMatchObject({ raw: 12, powered: true });
  });

  it('is written once a refused OFF leaves the display lit', () => {
    const { actor, writes } = start();
    actor.send(off);
    actor.send(adjust(12));
    actor.send({ type: 'display.refused', generation: 1, reason: 'failed' });
    expect(writes().at(-1)).toMatchObject({ raw: 12, powered: null, onlyAbove: 0 });
  });

  it('is nothing to a display that is not there', () => {
    const { actor, commands, facts } = start(null);
    actor.send(adjust(12));
    expect(facts()).toMatchObject({ lastBrightness: 255, fault: null });
    expect(commands).toEqual([]);
  });
});

describe('a fade', () => {
  const cuts = ({ commands }: ReturnType<typeof start>) => commands.filter(({ type }) => type === 'display.cut');

  it('is asked of the kernel’s backlight alone, and not for a small step', () => {
    const { actor, writes, answer } = start(backlight);
    actor.send(adjust(228));
    expect(writes().at(-1)).toMatchObject({ raw: 228, fadeMs: 1000 });
    answer({ raw: 228, powered: true });
    actor.send(adjust(224));
    expect(writes().at(-1)).not.toHaveProperty('fadeMs');
    const monitor = start({ ...backlight, display: { ...display, routes: { brightness: 'ddc', power: 'ddc' } } });
    monitor.actor.send(adjust(250));
    expect(monitor.writes().at(-1)).not.toHaveProperty('fadeMs');
    const byHand = start(backlight);
    byHand.actor.send(level(250));
    expect(byHand.writes().at(-1)).not.toHaveProperty('fadeMs');
  });

  it('is waited for as long as it takes, and then as long as any answer', () => {
    const { actor, clock, facts } = start({ ...backlight, reading: { raw: 250, powered: true } });
    actor.send(adjust(2));
    clock.increment(3000 + ANSWER_BOUND_MS - 1);
    expect(facts().fault).toBeNull();
    clock.increment(1);
    expect(facts().fault).toBe('no-answer');
  });

  it.each([
    ['a level', level(30), { raw: 30, powered: true }],
    ['OFF', off, { raw: null, powered: false }],
    ['ON, which ends where the fade would have', on, { raw: 228, powered: true }],
    ['another level of the room', adjust(60), { raw: 60, powered: null, onlyAbove: 0, fadeMs: 1412 }],
  ])('is cut by %s, which is written next', (_, event, write) => {
    const screen = start(backlight);
    screen.actor.send(adjust(228));
    screen.actor.send(event);
    expect(cuts(screen)).toEqual([{ type: 'display.cut', generation: 1 }]);
    expect(screen.writes()).toHaveLength(1);
    screen.answer({ raw: 120, powered: true });
    expect(screen.facts().brightness).toBe(120);
    expect(screen.writes().at(-1)).toEqual({ type: 'display.write', generation: 2, ...write });
    expect(screen.kept).toEqual([]);
  });

  it('that OFF has cut leaves its own level to the next ON', () => {
    const { actor, answer, writes } = start(backlight);
    actor.send(adjust(228));
    actor.send(off);
    answer({ raw: 120, powered: true });
    answer({ raw: 120, powered: false });
    actor.send(on);
    expect(writes().at(-1)).toMatchObject({ raw: 228, powered: true });
  });

  it('delays neither the stop nor the light of it', () => {
    const lit = start(backlight);
    lit.actor.send(adjust(228));
    lit.actor.send({ type: 'screen.stop' });
    expect(lit.actor.getSnapshot().status).toBe('done');
    const left = start(backlight);
    left.actor.send(adjust(228));
    left.actor.send({ type: 'screen.leave' });
    expect(left.actor.getSnapshot().status).toBe('done');
    const dark = start(backlight);
    dark.actor.send(adjust(228));
    dark.actor.send(off);
    dark.actor.send({ type: 'screen.stop' });
    expect(dark.commands.map(({ type }) => type)).toEqual(['display.write', 'display.cut', 'display.write']);
    expect(dark.writes().at(-1)).toMatchObject({ raw: 228, powered: true });
    dark.answer({ raw: 120, powered: true }, 1);
    expect(dark.actor.getSnapshot().status).toBe('active');
    dark.clock.increment(RELIGHT_BOUND_MS);
    expect(dark.actor.getSnapshot().status).toBe('done');
  });
});
