import { describe, expect, it } from 'vitest';

import type { DisplayView } from '#machines/auto-brightness/events.ts';
import { handIn } from '#machines/auto-brightness/hand.ts';

import { display, litRoom, plain, room, START } from './room.ts';

const HOUR = 3_600_000;

describe('a hand', () => {
  const before = display({ level: 100, changed: { by: 'auto-brightness', at: 1 } });
  const after = (changes: Partial<DisplayView>, by = 'http'): DisplayView => ({
    ...before,
    changed: { by, at: 2 },
    ...changes,
  });
  const isHand = (one: DisplayView, other: DisplayView, applied: number | null = 100): boolean =>
    handIn([one], [other], applied) !== null;

  it.each([
    ['home-assistant', 'home_assistant'],
    ['http', 'panel_controls'],
    ['elsewhere', 'system'],
  ])('is a level by %s', (by, origin) => {
    expect(handIn([before], [after({ level: 120 }, by)], 100)).toEqual({ display: 'screen', origin, requested: 120 });
  });

  it.each(['touch', 'wave', 'stop', 'itself', 'auto-brightness', 'button'])('is none by %s', (by) => {
    expect(isHand(before, after({ level: 120 }, by))).toBe(false);
  });

  it.each([
    ['3 levels away', before, after({ level: 103 }), false],
    ['4 levels away', before, after({ level: 104 }), true],
    ['the same change again', after({ level: 120 }), after({ level: 130 }), false],
    ['a bare ON', { ...before, lit: false, level: 50 }, after({ lit: true, level: 50 }), false],
    ['an ON with a level', { ...before, lit: false, level: 50 }, after({ lit: true, level: 90 }), true],
    ['what lit up by itself', { ...before, lit: false }, after({ lit: true, level: 200 }, 'elsewhere'), false],
    ['OFF', before, after({ lit: false, level: 130 }), false],
    ['what cannot be dimmed', { ...before, route: null }, after({ route: null, level: 130 }), false],
  ])('%s: %#', (_, one, other, expected) => expect(isHand(one, other)).toBe(expected));

  it('is none on a display that was not there before', () => {
    expect(handIn([], [after({ level: 200 })], 100)).toBeNull();
  });

  it('is the newest of several', () => {
    const second = display({ id: 'screen_2', level: 100 });
    const hands = handIn(
      [before, second],
      [after({ level: 150 }), { ...second, level: 160, changed: { by: 'http', at: 3 } }],
      100,
    );
    expect(hands?.requested).toBe(160);
  });
});

describe('a preference', () => {
  it('is what the hand chose, on every display, and slowly gives way', () => {
    const one = litRoom(100, [display(), display({ id: 'screen_2' })]);
    const automatic = one.view().automaticTarget ?? 0;
    one.set('http', 200);
    one.pass(300);
    expect(one.view()).toMatchObject({
      state: 'preferred',
      appliedTarget: 200,
      preference: {
        origin: 'panel_controls',
        requested: 200,
        automaticAtStart: automatic,
        authority: expect.closeTo(0.2),
      },
    });
    expect(one.displays().map(({ level }) => level)).toEqual([200, 200]);
    // The display that the hand set is not written again.
    expect(one.of('room.adjust').filter(({ level }) => level === 200)).toMatchObject([{ screen: 'screen_2' }]);
    one.pass(2 * HOUR);
    expect(one.view().appliedTarget).toBeCloseTo((200 + automatic) / 2, -1);
    one.pass(2 * HOUR);
    expect(one.view()).toMatchObject({ state: 'following', preference: null });
    expect(Math.abs((one.view().appliedTarget ?? 0) - automatic)).toBeLessThan(4);
  });

  it('is kept once it has not changed for 2 s, and its end too', () => {
    const one = litRoom(100);
    for (const level of [150, 170, 190]) {
      one.set('home-assistant', level);
      one.pass(1000);
    }
    expect(one.of('keep.preference')).toEqual([]);
    one.pass(1000);
    expect(one.of('keep.preference')).toMatchObject([{ preference: { origin: 'home_assistant', requested: 190 } }]);
    one.take({ type: 'resume' });
    one.pass(2000);
    expect(one.of('keep.preference').at(-1)?.preference).toBeNull();
    expect(one.view().state).toBe('following');
  });

  it('is kept at the end of the run, even if it has just changed', () => {
    const one = litRoom(100);
    one.set('http', 190);
    one.pass(300);
    one.take({ type: 'stop' });
    expect(one.of('keep.preference')).toMatchObject([{ preference: { requested: 190 } }]);
  });

  it('waits for the light if there is none yet', () => {
    const one = litRoom(100);
    one.take({ type: 'silent', why: 'source-away' });
    one.pass(300);
    one.set('http', 200);
    one.pass(HOUR);
    expect(one.view().state).toBe('unavailable');
    one.take({ type: 'sample', lux: 100 });
    one.pass(300);
    expect(one.view()).toMatchObject({ state: 'preferred', preference: { requested: 200 } });
    expect(one.displays()[0]?.level).toBeGreaterThan(150);
  });

  it('ends with another source', () => {
    const one = litRoom(100);
    one.set('http', 200);
    one.pass(3000);
    one.take({ type: 'source', kind: 'home_assistant', revision: 2 });
    one.take({ type: 'sample', lux: 100 });
    one.pass(3000);
    expect(one.view().state).toBe('following');
    expect(one.of('keep.preference').at(-1)?.preference).toBeNull();
  });

  it('is none when a touch lights the screen', () => {
    const one = litRoom(100);
    const level = one.view().appliedTarget ?? 0;
    one.change('screen', { lit: false, changed: { by: 'touch', at: START } });
    one.pass(300);
    one.change('screen', { lit: true, changed: { by: 'touch', at: START + 300 } });
    one.pass(300);
    expect(one.view()).toMatchObject({ state: 'following', appliedTarget: level });
  });
});

describe('a preference of an earlier run', () => {
  const stored = { origin: 'system', requested: 200, automaticAtStart: 80 } as const;
  const recalled = (startedAt: number) => {
    const one = room();
    one.take({ type: 'recalled', preference: { ...stored, startedAt } });
    one.take({ type: 'settings', settings: plain });
    one.show([display()]);
    one.take({ type: 'source', kind: 'panel', revision: 1 });
    one.take({ type: 'sample', lux: 100 });
    one.pass(3000);
    return one;
  };

  it('goes on where it was', () => {
    const one = recalled(START - 2 * HOUR);
    expect(one.view()).toMatchObject({ state: 'preferred', preference: { requested: 200 } });
    expect(one.view().preference?.authority).toBeCloseTo(0.6, 2);
    one.pass(2 * HOUR);
    expect(one.view().state).toBe('following');
  });

  it.each([
    ['is over', START - 4 * HOUR],
    ['begins in the future', START + HOUR],
  ])('is dropped if it %s', (_, startedAt) => {
    const one = recalled(startedAt);
    expect(one.view().state).toBe('following');
    expect(one.of('keep.preference')).toMatchObject([{ preference: null }]);
  });

  it('comes too late after a hand of this run', () => {
    const one = litRoom(100);
    one.set('http', 150);
    one.take({ type: 'recalled', preference: { ...stored, startedAt: START - HOUR } });
    one.pass(300);
    expect(one.view().preference?.requested).toBe(150);
  });
});
