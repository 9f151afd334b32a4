import { describe, expect, it } from 'vitest';

import { sentenceOf } from '#machines/auto-brightness/sentence.ts';

import { display, litRoom, plain, room } from './room.ts';

const HOUR = 3_600_000;
/** 20 % of 255. */
const NIGHT = 51;

/** A bright room, with what the light alone asks for. */
function brightRoom() {
  const one = litRoom(500);
  const free = one.view().automaticTarget ?? 0;
  expect(free).toBeGreaterThan(NIGHT + 40);
  const cap = (level: number | null): void => {
    one.take({ type: 'ceiling', level });
    one.pass(300);
  };
  return { ...one, free, cap, level: () => one.displays()[0]?.level };
}

describe('night’s ceiling', () => {
  it('caps the automatic level while it counts, and says so', () => {
    const one = brightRoom();
    one.cap(NIGHT);
    expect(one.view()).toMatchObject({ automaticTarget: NIGHT, heldTo: NIGHT, appliedTarget: NIGHT });
    expect(one.level()).toBe(NIGHT);
    expect(sentenceOf(one.view(), one.moment().now)).toMatch(/^20 %: .+, held to night’s 20 %\.$/);
    one.take({ type: 'sample', lux: 10_000 });
    one.pass(HOUR);
    expect(one.level()).toBe(NIGHT);
    one.take({ type: 'sample', lux: 500 });
    one.pass(HOUR);
    one.cap(null);
    expect(one.view().heldTo).toBeNull();
    expect(Math.abs((one.level() ?? 0) - one.free)).toBeLessThan(8);
    expect(sentenceOf(one.view(), one.moment().now)).not.toContain('night');
  });

  it('never raises: a level below it stays', () => {
    const one = litRoom(1);
    const level = one.view().appliedTarget;
    one.take({ type: 'ceiling', level: 200 });
    one.pass(300);
    expect(one.view()).toMatchObject({ appliedTarget: level, heldTo: null });
  });

  it('counts for a dark display too, which keeps the level for later', () => {
    const one = brightRoom();
    one.change('screen', { lit: false, changed: { by: 'auto-sleep', at: one.moment().now } });
    one.cap(NIGHT);
    expect(one.view()).toMatchObject({ state: 'dark', appliedTarget: NIGHT });
    expect(one.displays()).toMatchObject([{ lit: false, level: NIGHT }]);
  });

  it('does not cap what a hand chose, which gives way to the capped level', () => {
    const one = brightRoom();
    one.cap(NIGHT);
    one.set('http', 220);
    one.pass(300);
    expect(one.view()).toMatchObject({
      state: 'preferred',
      appliedTarget: 220,
      heldTo: NIGHT,
      preference: { requested: 220, automaticAtStart: NIGHT },
    });
    one.pass(2 * HOUR);
    expect(one.level()).toBeGreaterThan(NIGHT + 40);
    one.pass(2 * HOUR);
    expect(one.view()).toMatchObject({ state: 'following', appliedTarget: NIGHT });
  });

  it('leaves a hand’s level of the evening far above it', () => {
    const one = brightRoom();
    one.set('home-assistant', 240);
    one.pass(60_000);
    one.cap(NIGHT);
    expect(one.view().state).toBe('preferred');
    expect(one.level()).toBeGreaterThan(200);
  });

  it('is no hand when the clock sets that level because the light is away', () => {
    const one = brightRoom();
    one.take({ type: 'silent', why: 'source-away' });
    one.cap(NIGHT);
    // Nothing is decided without light: the level stays.
    expect(one.level()).toBe(one.free);
    one.set('clock', NIGHT);
    one.pass(HOUR);
    one.take({ type: 'sample', lux: 500 });
    one.pass(300);
    expect(one.view()).toMatchObject({ state: 'following', preference: null, appliedTarget: NIGHT });
    expect(one.level()).toBe(NIGHT);
  });

  it('ends as if it had never been, also if the wall clock was set meanwhile', () => {
    const one = brightRoom();
    one.cap(NIGHT);
    one.setClock(6 * HOUR);
    one.pass(HOUR);
    expect(one.level()).toBe(NIGHT);
    one.cap(null);
    expect(Math.abs((one.level() ?? 0) - one.free)).toBeLessThan(8);
  });

  it('counts from the first light on', () => {
    const one = room();
    one.take({ type: 'ceiling', level: NIGHT });
    one.take({ type: 'settings', settings: plain });
    one.show([display()]);
    one.take({ type: 'source', kind: 'panel', revision: 1 });
    one.take({ type: 'sample', lux: 500 });
    one.pass(HOUR);
    expect(one.of('room.adjust').map(({ level }) => level)).toEqual([NIGHT]);
  });
});
