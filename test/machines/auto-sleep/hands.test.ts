import { describe, expect, it } from 'vitest';

import { asleep, display, HOUR, live, lost, MINUTE, panel, SECOND } from './panel.ts';

const causes = ['home-assistant', 'http', 'touch', 'wave', 'elsewhere'];
const others = ['stop', 'itself', 'auto-brightness', 'clock', 'presence', 'announcement', 'entity', 'auto-sleep'];

describe.each(causes)('a hand by %s', (by) => {
  it('that switches off is obeyed, and presence does not undo it', () => {
    const one = panel();
    one.feed(live('on'));
    one.pass(MINUTE);
    one.hand(by, false);
    one.pass(2 * HOUR);
    expect(one.view()).toMatchObject({ phase: 'inhibited', reason: 'manual_suppression', isSuppressed: true });
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    one.feed(live('on'));
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    expect(one.of('keep').some(({ stored, isUrgent }) => stored.isSuppressed && isUrgent)).toBe(true);
  });

  it('that switches on begins a lease, and ends suppression', () => {
    const one = panel();
    one.feed(live('off'));
    one.hand(by, false);
    one.pass(MINUTE);
    one.hand(by, true);
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ phase: 'holding', isSuppressed: false });
    one.pass(10 * MINUTE - 2 * SECOND);
    expect(one.said()).toEqual([]);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('lights what slept, for a lease', () => {
    const one = asleep();
    one.pass(HOUR);
    one.hand(by, true);
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.view().asleep).toEqual([]);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('has two minutes within off-hours', () => {
    const one = panel({ settings: { enabled: false, offHours: '12:30-14:00' } });
    one.pass(40 * MINUTE);
    expect(one.said()).toEqual(['off clock']);
    one.hand(by, true);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.view().reason).toBe('hand_lease');
    one.pass(SECOND);
    expect(one.said()).toEqual(['off clock']);
  });

  it('counts on one display for all', () => {
    const one = panel({ displays: [display(), display({ id: 'screen_2' })] });
    one.feed(live('off'));
    one.pass(8 * MINUTE);
    one.level(by, 100, 'screen_2');
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual(['off auto-sleep', 'screen_2 off auto-sleep']);
    one.pass(MINUTE);
    one.hand(by, true);
    one.pass(3 * SECOND);
    expect(one.said()).toEqual(['screen_2 on presence']);
  });
});

it.each(others)('%s is no hand', (by) => {
  const one = panel();
  one.feed(live('off'));
  one.pass(9 * MINUTE);
  one.level(by, 100);
  one.pass(MINUTE);
  expect(one.said()).toEqual(['off auto-sleep']);
});

it.each(['stop', 'itself'])('%s ends no suppression', (by) => {
  const one = panel();
  one.feed(live('on'));
  one.hand('http', false);
  one.pass(MINUTE);
  one.hand(by, true);
  one.pass(MINUTE);
  expect(one.view().isSuppressed).toBe(true);
});

describe('suppression', () => {
  it('ends in an empty room without lighting it, however long the lease would still run', () => {
    const one = panel();
    one.feed(live('on'));
    // Pauses of half an hour are learned, so that the lease is longer than ten minutes.
    for (let use = 0; use < 12; use += 1) {
      one.pass(30 * MINUTE);
      one.touch();
    }
    expect(one.view().leaseMs).toBeGreaterThan(20 * MINUTE);
    one.hand('http', false);
    one.pass(SECOND);
    one.feed(live('off'));
    one.pass(11 * MINUTE);
    expect(one.view()).toMatchObject({ isSuppressed: false, phase: 'sleeping' });
    expect(one.lit()).toBe(false);
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    one.feed(live('on'));
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['on presence']);
  });

  const off = (options = {}) => {
    const one = panel(options);
    one.feed(live('on', 'off'));
    one.pass(MINUTE);
    one.hand('home-assistant', false);
    one.pass(MINUTE);
    return one;
  };

  it('ends once all sources were off for ten minutes; then presence lights again', () => {
    const one = off();
    one.feed(live('off', 'off'));
    one.pass(SECOND);
    const until = one.moment().now + 10 * MINUTE - SECOND;
    expect(one.view()).toMatchObject({ reason: 'manual_suppression', until });
    one.pass(10 * MINUTE);
    expect(one.view()).toMatchObject({ isSuppressed: false, asleep: ['screen'] });
    expect(one.kept()).toMatchObject({ isSuppressed: false, darkened: { screen: 'auto-sleep' } });
    one.feed(live('off', 'on'));
    expect(one.said()).toEqual(['on presence']);
  });

  it('counts from the hand, not from before', () => {
    const one = panel();
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    one.hand('http', false);
    one.pass(9 * MINUTE);
    one.feed(live('on'));
    one.pass(MINUTE);
    expect(one.said()).toEqual([]);
  });

  it('does not end while the sources are lost', () => {
    const one = off();
    one.feed(live('off', 'off'));
    one.pass(9 * MINUTE);
    one.feed(lost);
    one.pass(HOUR);
    one.feed(live('off', 'off'));
    one.pass(9 * MINUTE);
    expect(one.view().isSuppressed).toBe(true);
    one.feed(live('off', 'on'));
    one.pass(MINUTE);
    expect(one.said()).toEqual([]);
  });

  it('takes the longest lease where a source is unavailable', () => {
    const one = off();
    one.feed(live('unavailable', 'off'));
    one.pass(59 * MINUTE);
    expect(one.view().isSuppressed).toBe(true);
    one.pass(2 * MINUTE);
    expect(one.view().isSuppressed).toBe(false);
  });

  it('ends when a person touches a lit display', () => {
    const one = off({ displays: [display(), display({ id: 'screen_2' })] });
    expect(one.view().isSuppressed).toBe(true);
    one.touch();
    one.pass(SECOND);
    expect(one.view().isSuppressed).toBe(false);
    expect(one.kept().isSuppressed).toBe(false);
    expect(one.lit()).toBe(true);
  });
});

describe('a restart after a hand’s OFF', () => {
  it.each([
    ['stop', { by: 'stop', at: 1 }],
    ['nothing known', null],
  ])('that is lit by %s goes dark again, though a person is there', (_, changed) => {
    const one = panel({ stored: { isSuppressed: true }, displays: [display({ changed })] });
    one.feed(live('on'));
    one.pass(HOUR);
    expect(one.said()).toEqual(['off auto-sleep']);
    expect(one.view()).toMatchObject({ reason: 'manual_suppression', isSuppressed: true, asleep: [] });
    one.touch();
    one.pass(HOUR);
    expect([one.lit(), one.said(), one.view().isSuppressed]).toEqual([true, [], false]);
  });

  it('leaves what a hand has lit since', () => {
    const one = panel({ stored: { isSuppressed: true }, displays: [display({ changed: { by: 'http', at: 1 } })] });
    one.feed(live('on'));
    one.pass(HOUR);
    expect([one.lit(), one.said()]).toEqual([true, []]);
  });
});

describe('a touch', () => {
  it('lights by itself; the arbiter does not do it again', () => {
    const one = asleep();
    one.touch();
    one.pass(MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.view()).toMatchObject({ reason: 'touch_lease', asleep: [] });
    expect(one.view().changes[0]).toMatchObject({ lit: true, by: 'touch', reason: null });
  });

  it('right after an automatic sleep lengthens the lease, kept at once', () => {
    const one = asleep();
    one.touch();
    const keep = one.of('keep').at(-1);
    expect(keep).toMatchObject({ isUrgent: true, stored: { learned: { correction: { floorMs: 15 * MINUTE } } } });
    one.pass(14 * MINUTE);
    expect(one.view().leaseMs).toBe(15 * MINUTE);
    expect(one.said()).toEqual([]);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it.each([
    ['two minutes later', (one: ReturnType<typeof panel>) => one.pass(2 * MINUTE)],
    ['twice', (one: ReturnType<typeof panel>) => one.touch()],
  ])('%s corrects no more', (_, before) => {
    const one = asleep();
    before(one);
    const { learned } = one.kept();
    one.touch();
    one.pass(2 * MINUTE);
    expect(one.kept().learned?.correction ?? null).toEqual(learned?.correction ?? null);
  });

  it('after off-hours began is not premature', () => {
    const one = panel({ settings: { offHours: '12:05-13:00' } });
    one.feed(live('off'));
    one.pass(5 * MINUTE + SECOND);
    expect(one.said()).toEqual(['off clock']);
    one.touch();
    one.pass(2 * MINUTE);
    expect(one.kept().learned?.correction).toBeNull();
  });

  it('teaches pauses, kept once a minute at most', () => {
    const one = panel();
    one.feed(live('on'));
    for (let touch = 0; touch < 30; touch += 1) {
      one.touch();
      one.pass(35 * SECOND);
      one.take({ type: 'approached' });
    }
    const keeps = one.of('keep');
    expect(keeps.length).toBeGreaterThan(10);
    expect(keeps.every(({ isUrgent }) => !isUrgent)).toBe(true);
    const times = keeps.map(({ when }) => when.elapsed);
    expect(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= MINUTE)).toBe(true);
    one.take({ type: 'stop' });
    const [day] = one.kept().learned?.days ?? [];
    expect([day?.touch[0], day?.approach[0]]).toEqual([29, 29]);
    // Another set of sources starts over.
    one.begin();
    one.feed(live('off'), 'b'.repeat(64));
    one.take({ type: 'stop' });
    expect(one.kept().learned).toEqual({ partition: 'b'.repeat(64), days: [], correction: null });
  });

  it('in one use with the last teaches nothing', () => {
    const one = panel();
    one.feed(live('on'));
    for (let touch = 0; touch < 30; touch += 1) {
      one.touch();
      one.pass(29 * SECOND);
    }
    one.take({ type: 'stop' });
    expect(one.of('keep')).toEqual([]);
  });
});

it('tells the newest ten changes', () => {
  const one = panel();
  one.feed(live('on'));
  for (let time = 0; time < 12; time += 1) {
    one.hand('http', time % 2 === 1);
    one.pass(MINUTE);
  }
  const { changes } = one.view();
  expect(changes).toHaveLength(10);
  expect(changes[0]).toMatchObject({ lit: true, by: 'http', reason: null, sourceKey: null });
  expect(changes[1]?.lit).toBe(false);
});
