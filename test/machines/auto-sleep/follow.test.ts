import { describe, expect, it } from 'vitest';

import { asleep, display, HOUR, live, lost, MINUTE, panel, SECOND, START } from './panel.ts';

const two = [display(), display({ id: 'screen_2' })];

describe('presence', () => {
  it('holds the screen lit, lets it sleep once its lease is over, and lights it', () => {
    const one = panel();
    one.feed(live('on'));
    one.pass(3 * HOUR);
    expect(one.view()).toMatchObject({ phase: 'holding', reason: 'source_active', until: null, sourceCount: 1 });
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    expect(one.view()).toMatchObject({ reason: 'presence_lease', until: START + 3 * HOUR + 10 * MINUTE });
    expect(one.view().lastPresenceAt).toBe(START + 3 * HOUR);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
    expect(one.view()).toMatchObject({ phase: 'sleeping', reason: 'lease_expired', until: null, asleep: ['screen'] });
    one.pass(HOUR);
    one.feed(live('on'));
    expect(one.said()).toEqual(['on presence']);
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ phase: 'holding', asleep: [] });
    expect(one.view().changes.map(({ lit, by, reason }) => [lit, by, reason])).toEqual([
      [true, 'presence', 'source_active'],
      [false, 'auto-sleep', 'lease_expired'],
    ]);
    expect(one.view().changes[0]?.sourceKey).toBe('0'.repeat(64));
    expect(one.said()).toEqual([]);
  });

  it('lights every display that it darkened, and tells of them as one', () => {
    const one = asleep({ displays: two });
    expect(one.view().asleep).toEqual(['screen', 'screen_2']);
    one.feed(live('on'));
    expect(one.said()).toEqual(['on presence', 'screen_2 on presence']);
    one.pass(SECOND);
    expect(one.view().changes).toHaveLength(2);
  });

  it('does not light what it did not darken', () => {
    const one = panel({ displays: [display({ lit: false })] });
    one.feed(live('off'));
    one.pass(HOUR);
    one.feed(live('on'));
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
  });

  it('counts touches alone in mode touch, with the chosen delay', () => {
    const one = panel({ settings: { source: 'touch', touchDelaySeconds: 30 } });
    one.feed({ kind: 'touch' });
    one.pass(20 * SECOND);
    one.touch();
    one.pass(29 * SECOND);
    expect(one.view()).toMatchObject({ reason: 'touch_lease', leaseMs: 30 * SECOND });
    one.pass(SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.pass(SECOND);
    one.touch();
    one.pass(29 * SECOND);
    expect(one.said()).toEqual([]);
    expect(one.lit()).toBe(true);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
    expect(one.kept().learned).toBeNull();
  });

  it('holds as long as the panel is used', () => {
    const one = panel();
    one.feed(live('off'));
    for (let use = 0; use < 10; use += 1) {
      one.pass(9 * MINUTE);
      one.touch();
    }
    expect(one.said()).toEqual([]);
    // Pauses of 5 to 10 min were learned.
    one.pass(12 * MINUTE - 1);
    expect(one.said()).toEqual([]);
    one.pass(1);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('extends the lease by an approach', () => {
    const one = panel({ settings: { source: 'panel' } });
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    one.take({ type: 'approached' });
    one.pass(9 * MINUTE);
    expect(one.view().reason).toBe('approach_lease');
    expect(one.said()).toEqual([]);
  });

  it.each([
    ['a calibration', 'calibration', 'calibration'],
    ['its own pages', 'ownPages', 'own_pages'],
    ['a dashboard', 'dashboard', 'dashboard'],
    ['an announcement', 'announcement', 'announcement'],
  ] as const)('stays lit for %s, which does not light it', (_, hold, reason) => {
    const one = panel();
    one.feed(live('off'));
    one.hold({ [hold]: true });
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    expect(one.view().reason).toBe(reason);
    one.hold({ [hold]: false });
    one.pass(SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.hold({ [hold]: true });
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    expect(one.view().reason).toBe('lease_expired');
  });
});

describe('loss and return', () => {
  it('lets nothing fall asleep', () => {
    const one = panel();
    one.feed(live('off'));
    one.pass(MINUTE);
    one.feed(lost);
    one.pass(5 * HOUR);
    expect(one.view()).toMatchObject({ phase: 'inhibited', reason: 'source_loss', gap: 'home-assistant-away' });
    expect(one.said()).toEqual([]);
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('wakes nothing, and sleeps on when all are back and off', () => {
    const one = asleep();
    one.feed(lost);
    one.pass(HOUR);
    one.feed(live('unavailable'));
    one.pass(HOUR);
    one.feed(live('off'));
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    expect(one.lit()).toBe(false);
  });

  it('wakes when one is back and on', () => {
    const one = asleep();
    one.feed(lost);
    one.pass(HOUR);
    one.feed(live('on'));
    expect(one.said()).toEqual(['on presence']);
  });

  it('lights what slept when there are no sources any more', () => {
    const one = asleep();
    one.feed({ kind: 'none', why: 'no-area' });
    one.pass(9 * SECOND);
    expect(one.said()).toEqual([]);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['on auto-sleep']);
    one.pass(HOUR);
    expect(one.view()).toMatchObject({ phase: 'inhibited', reason: 'no_sources_configured', gap: 'no-area' });
    expect(one.said()).toEqual([]);
  });

  it.each(['starting', 'signed-out', 'home-assistant-away'] as const)('sleeps on while %s', (why) => {
    const one = asleep();
    one.feed({ kind: 'none', why });
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
  });

  it('drops what is older than the last', () => {
    const one = asleep();
    one.take({ type: 'feed', feed: live('on'), position: { generation: 0, revision: 99 }, partition: '' });
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
  });
});

describe('a display', () => {
  it('that is not switched is told again, once a minute', () => {
    const one = panel();
    one.breakDisplays(true);
    one.feed(live('off'));
    one.pass(10 * MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.pass(59 * SECOND);
    expect(one.said()).toEqual([]);
    one.pass(SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.breakDisplays(false);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    one.breakDisplays(true);
    one.feed(live('on'));
    one.pass(MINUTE + SECOND);
    expect(one.said()).toEqual(['on presence', 'on presence']);
  });

  it('that lights itself is darkened again, once a minute', () => {
    const one = asleep();
    for (let time = 0; time < 3; time += 1) {
      one.hand('itself', true);
      one.pass(55 * SECOND);
      expect(one.said()).toEqual([]);
      one.pass(5 * SECOND);
      expect(one.said()).toEqual(['off auto-sleep']);
      expect(one.view().isSuppressed).toBe(false);
    }
  });

  it('that fades is not taken for a hand', () => {
    const one = panel({ writeMs: 100 });
    one.breakDisplays(true);
    one.feed(live('off'));
    one.pass(10 * MINUTE);
    // Read back right after the write it is still lit, five seconds later it is dark.
    one.change('screen', { lit: false });
    one.pass(100);
    one.change('screen', { lit: true, changed: { by: 'auto-sleep', at: one.moment().now } });
    one.pass(5 * SECOND);
    one.change('screen', { lit: false, changed: { by: 'elsewhere', at: one.moment().now } });
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ isSuppressed: false, asleep: ['screen'] });
    one.breakDisplays(false);
    one.said();
    one.feed(live('on'));
    expect(one.said()).toEqual(['on presence']);
  });

  it('is switched at most once in two seconds', () => {
    const one = asleep();
    one.feed(live('on'));
    one.pass(300);
    expect(one.said()).toEqual(['on presence']);
    one.set({ offHours: '00:00-23:59' });
    one.pass(1600);
    expect(one.said()).toEqual([]);
    one.pass(200);
    expect(one.said()).toEqual(['off clock']);
  });

  it('is not switched while a request is being written', () => {
    const one = asleep({ writeMs: 5000 });
    one.pass(HOUR);
    one.hand('http', true);
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.lit()).toBe(true);
  });
});

describe('a restart', () => {
  const stored = { darkened: { screen: 'auto-sleep' } } as const;

  it.each([
    ['stop', { by: 'stop', at: 1 }],
    ['itself', { by: 'itself', at: 1 }],
    ['nothing known', null],
  ])('lit by %s, sleeps on without a lease once all sources are off', (_, changed) => {
    const one = panel({ stored, displays: [display({ changed })] });
    one.feed({ kind: 'lost', why: 'starting' });
    one.pass(HOUR);
    expect(one.said()).toEqual([]);
    one.feed(live('off', 'off'));
    expect(one.said()).toEqual(['off auto-sleep']);
    one.pass(MINUTE);
    one.feed(live('on', 'off'));
    expect(one.said()).toEqual(['on presence']);
  });

  it('stays lit with a source on', () => {
    const one = panel({ stored });
    one.feed(live('on'));
    one.pass(MINUTE);
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.kept().darkened).toEqual({});
  });

  it('leaves what a hand has lit', () => {
    const one = panel({ stored, displays: [display({ changed: { by: 'http', at: 1 } })] });
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
  });

  it('lights what is still dark', () => {
    const one = panel({ stored, displays: [display({ lit: false })] });
    one.feed(live('on'));
    one.pass(250);
    expect(one.said()).toEqual(['on presence']);
  });

  it('waits for what was stored', () => {
    const one = panel({ stored: null });
    one.feed(live('off'));
    one.pass(HOUR);
    expect(one.view()).toMatchObject({ phase: 'unavailable', reason: 'runtime_unavailable' });
    one.take({ type: 'recalled', stored: { learned: null, isSuppressed: false, place: null, ...stored } });
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('remembers that a hand switched it off', () => {
    const one = panel({ stored: { isSuppressed: true }, displays: [display({ lit: false })] });
    one.feed(live('on'));
    one.pass(HOUR);
    expect(one.view()).toMatchObject({ reason: 'manual_suppression', isSuppressed: true });
    expect(one.said()).toEqual([]);
  });

  it('needs a switch to be kept before it is made', () => {
    const one = panel();
    one.feed(live('off'));
    one.pass(10 * MINUTE);
    const types = one.outputs.map(({ type }) => type);
    const keep = types.lastIndexOf('keep');
    expect(one.of('keep').at(-1)).toMatchObject({ stored, isUrgent: true });
    expect(keep).toBeLessThan(types.indexOf('sleep.set'));
  });
});

describe('turning off', () => {
  it('lights what it darkened', () => {
    const one = asleep({ displays: two });
    one.set({ enabled: false });
    expect(one.said()).toEqual(['on auto-sleep', 'screen_2 on auto-sleep']);
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ phase: 'off', reason: 'disabled', asleep: [], leaseMs: null });
    expect(one.follow.dueIn(one.moment())).toBeGreaterThan(MINUTE / 2);
    one.pass(HOUR);
    expect(one.follow.dueIn(one.moment())).toBe(Infinity);
  });

  it('leaves what a hand darkened', () => {
    const one = asleep({ displays: two });
    one.hand('http', false);
    one.pass(SECOND);
    one.set({ enabled: false });
    expect(one.said()).toEqual(['screen_2 on auto-sleep']);
    one.pass(SECOND);
    expect(one.kept().isSuppressed).toBe(false);
  });

  it('lights what it darkened for another source, which begins with a lease', () => {
    const one = asleep();
    one.set({ source: 'panel' });
    expect(one.said()).toEqual(['on auto-sleep']);
    one.begin();
    one.feed(live('off'));
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('leaves it dark within off-hours until they end', () => {
    const one = asleep({ settings: { offHours: '12:30-13:00' } });
    one.pass(30 * MINUTE);
    one.set({ enabled: false });
    one.pass(19 * MINUTE);
    expect(one.said()).toEqual([]);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual(['on auto-sleep']);
  });
});

it('decides at most every 250 ms, whatever a broken sensor reports', () => {
  const one = panel();
  for (let time = 0; time < 300; time += 1) {
    one.feed(live(time % 2 === 0 ? 'on' : 'off'));
    one.pass(10);
  }
  expect(one.of('sleep.decided').length).toBeLessThan(15);
  expect(one.said()).toEqual([]);
});
