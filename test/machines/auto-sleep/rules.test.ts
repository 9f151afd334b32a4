import { describe, expect, it } from 'vitest';

import { asleep, display, HOUR, live, lost, MINUTE, panel, SECOND, START } from './panel.ts';

/** From 12:30 to 14:00; a panel begins at noon. */
const offHours = '12:30-14:00';

describe('screen_off_hours', () => {
  it('darken the screen, whatever the sources report, and light it', () => {
    const one = panel({ settings: { offHours } });
    one.feed(live('on'));
    one.pass(30 * MINUTE - SECOND);
    expect(one.said()).toEqual([]);
    expect(one.view().offHours).toEqual({ isActive: false, changesAt: START + 30 * MINUTE, why: null });
    one.pass(SECOND);
    expect(one.said()).toEqual(['off clock']);
    expect(one.view()).toMatchObject({ phase: 'sleeping', reason: 'screen_off_hours', until: START + 2 * HOUR });
    one.feed(live('off'));
    one.feed(live('on'));
    one.pass(90 * MINUTE - SECOND);
    expect(one.said()).toEqual([]);
    one.pass(SECOND);
    expect(one.said()).toEqual(['on clock']);
  });

  it.each([
    ['nothing else is wanted', { enabled: false }, null, 'on clock'],
    ['a source is on', {}, live('on'), 'on clock'],
    ['the sources are lost', {}, lost, 'on clock'],
    ['there are none', {}, { kind: 'none', why: 'no-area' } as const, 'on clock'],
    ['the sources say sleep', {}, live('off'), null],
  ])('end when %s', (_, settings, feed, said) => {
    const one = panel({ settings: { offHours, ...settings } });
    one.feed(live('on'));
    one.pass(31 * MINUTE);
    expect(one.said()).toEqual(['off clock']);
    if (feed !== null) one.feed(feed);
    one.pass(90 * MINUTE);
    expect(one.said()).toEqual(said === null ? [] : [said]);
    if (said === null) {
      expect(one.view()).toMatchObject({ reason: 'lease_expired', asleep: ['screen'] });
      expect(one.kept().darkened).toEqual({ screen: 'auto-sleep' });
      one.feed(live('on'));
      one.pass(SECOND);
      expect(one.said()).toEqual(['on presence']);
    }
  });

  it('end when they are emptied', () => {
    const one = panel({ settings: { offHours, enabled: false } });
    one.pass(31 * MINUTE);
    one.said();
    one.set({ offHours: '' });
    expect(one.said()).toEqual(['on clock']);
    one.pass(MINUTE + SECOND);
    expect(one.follow.dueIn(one.moment())).toBe(Infinity);
  });

  it('leave what slept before asleep at their end', () => {
    const one = asleep({ settings: { offHours } });
    one.pass(3 * HOUR);
    expect(one.said()).toEqual([]);
    one.feed(live('on'));
    expect(one.said()).toEqual(['on presence']);
  });

  it('leave what a hand darkened dark at their end', () => {
    const one = panel({ settings: { offHours, enabled: false } });
    one.hand('http', false);
    one.pass(3 * HOUR);
    expect(one.said()).toEqual([]);
    expect(one.view().asleep).toEqual([]);
  });

  it('wait for a lease that a hand began before', () => {
    const one = panel({ settings: { offHours } });
    one.feed(live('off'));
    one.pass(25 * MINUTE);
    one.touch();
    one.said();
    one.pass(9 * MINUTE);
    expect(one.said()).toEqual([]);
    // After a premature sleep the lease may be longer than the minimum.
    one.pass(10 * MINUTE);
    expect(one.said()).toEqual(['off clock']);
  });

  it('follow a clock that is set, within a minute', () => {
    const one = panel({ settings: { offHours, enabled: false } });
    one.setClock(40 * MINUTE);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['off clock']);
    one.setClock(-40 * MINUTE);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['on clock']);
  });

  it('go by another place once it is known', () => {
    const one = panel({ settings: { offHours: '20:00-21:00', enabled: false } });
    one.pass(MINUTE);
    one.take({ type: 'place', place: { latitude: 35.7, longitude: 139.7, timeZone: 'Asia/Tokyo' } });
    one.pass(SECOND);
    expect(one.said()).toEqual(['off clock']);
    one.take({ type: 'place', place: null });
    one.pass(MINUTE);
    expect(one.said()).toEqual([]);
    expect(one.kept().place?.timeZone).toBe('Asia/Tokyo');
  });

  it('darken again after a restart', () => {
    const one = panel({ settings: { offHours: '11:00-13:00' }, stored: { darkened: { screen: 'clock' } } });
    one.pass(SECOND);
    expect(one.said()).toEqual(['off clock']);
  });
});

describe('wake_on_entity', () => {
  const settings = { wakeOnEntity: 'binary_sensor.bell' };

  it('lights a dark screen for two minutes', () => {
    const one = asleep({ settings });
    one.take({ type: 'entity.on' });
    expect(one.said()).toEqual(['on entity']);
    one.pass(2 * MINUTE - SECOND);
    expect(one.view()).toMatchObject({ phase: 'holding', reason: 'entity' });
    expect(one.said()).toEqual([]);
    one.pass(SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
    one.pass(SECOND);
    expect(one.view().asleep).toEqual(['screen']);
  });

  it('lights after a hand has switched it off, and then it is off as before', () => {
    const one = panel({ settings });
    one.feed(live('on'));
    one.hand('http', false);
    one.pass(MINUTE);
    one.take({ type: 'entity.on' });
    expect(one.said()).toEqual(['on entity']);
    one.pass(2 * MINUTE + SECOND);
    expect(one.said()).toEqual(['off entity']);
    expect(one.view()).toMatchObject({ isSuppressed: true, asleep: [] });
  });

  it('lights within off-hours', () => {
    const one = panel({ settings: { ...settings, offHours, enabled: false } });
    one.pass(31 * MINUTE);
    one.said();
    one.take({ type: 'entity.on' });
    expect(one.said()).toEqual(['on entity']);
    one.pass(3 * MINUTE);
    expect(one.said()).toEqual(['off clock']);
    one.pass(90 * MINUTE);
    expect(one.said()).toEqual(['on clock']);
  });

  it('leaves lit what presence, or a touch, wants lit', () => {
    const one = asleep({ settings });
    one.take({ type: 'entity.on' });
    one.pass(MINUTE);
    one.feed(live('on'));
    one.pass(5 * MINUTE);
    expect(one.said()).toEqual(['on entity']);
    const other = panel({ settings });
    other.hand('http', false);
    other.pass(MINUTE);
    other.take({ type: 'entity.on' });
    other.pass(MINUTE);
    other.touch();
    other.pass(5 * MINUTE);
    expect(other.said()).toEqual(['on entity']);
    expect(other.view().isSuppressed).toBe(false);
  });

  it('sleeps on though the sources were lost meanwhile', () => {
    const one = asleep({ settings });
    one.take({ type: 'entity.on' });
    one.pass(MINUTE);
    one.feed(lost);
    one.pass(2 * MINUTE);
    expect(one.said()).toEqual(['on entity', 'off entity']);
    expect(one.view().asleep).toEqual(['screen']);
    one.feed(live('on'));
    one.pass(MINUTE);
    expect(one.said()).toEqual(['on presence']);
  });

  it('is over when a hand switches the screen off', () => {
    const one = asleep({ settings });
    one.take({ type: 'entity.on' });
    one.pass(MINUTE);
    one.hand('http', false);
    one.pass(MINUTE);
    expect(one.said()).toEqual(['on entity']);
    expect(one.lit()).toBe(false);
  });

  it('is followed by dark though a dashboard holds another display lit', () => {
    const one = panel({ settings, displays: [display(), display({ id: 'screen_2' })] });
    one.feed(live('off'));
    one.hold({ dashboard: true });
    one.hand('http', false);
    one.pass(HOUR);
    one.take({ type: 'entity.on' });
    one.pass(3 * MINUTE);
    expect(one.said()).toEqual(['on entity', 'off entity']);
    expect([one.lit(), one.lit('screen_2')]).toEqual([false, true]);
  });

  it('does nothing without an entity', () => {
    const one = asleep();
    one.take({ type: 'entity.on' });
    one.pass(MINUTE);
    expect(one.said()).toEqual([]);
  });
});

describe('wake_on_announcement', () => {
  const settings = { wakeOnAnnouncement: true };

  it.each([
    ['what slept', asleep, 'off auto-sleep'],
    [
      'what a hand darkened',
      (options: Parameters<typeof asleep>[0]) => {
        const one = panel(options);
        one.feed(live('on'));
        one.hand('http', false);
        one.pass(MINUTE);
        return one;
      },
      'off announcement',
    ],
  ])('lights %s while it plays and ten seconds more', (_, begin, end) => {
    const one = begin({ settings });
    one.hold({ announcement: true });
    expect(one.said()).toEqual(['on announcement']);
    one.pass(5 * MINUTE);
    expect(one.view()).toMatchObject({ phase: 'holding', reason: 'announcement', until: null });
    one.hold({ announcement: false });
    one.pass(10 * SECOND - 1);
    expect(one.said()).toEqual([]);
    one.pass(1);
    expect(one.said()).toEqual([end]);
  });

  it('is over when a hand switches the screen off, until the next one', () => {
    const one = asleep({ settings });
    one.hold({ announcement: true });
    one.pass(MINUTE);
    one.hand('http', false);
    one.pass(MINUTE);
    one.hold({ announcement: false });
    one.pass(MINUTE);
    expect(one.said()).toEqual(['on announcement']);
    one.hold({ announcement: true });
    one.pass(MINUTE);
    expect(one.said()).toEqual(['on announcement']);
  });
});

describe('night_dim_hours', () => {
  const settings = { dimHours: offHours, enabled: false };
  const levels = (one: ReturnType<typeof panel>) =>
    one.of('sleep.set').flatMap(({ brightness, origin }) => (brightness === undefined ? [] : [[brightness, origin]]));

  it('lower the level, and give it back', () => {
    const one = panel({ settings });
    one.pass(31 * MINUTE);
    expect(levels(one)).toEqual([[51, 'clock']]);
    expect(one.of('sleep.decided').at(-1)?.ceiling).toBe(51);
    expect(one.kept().dimmed).toEqual({ screen: 200 });
    one.pass(2 * HOUR);
    expect(levels(one)).toEqual([
      [51, 'clock'],
      [200, 'clock'],
    ]);
    expect(one.of('sleep.decided').at(-1)?.ceiling).toBeNull();
    expect(one.kept().dimmed).toEqual({});
  });

  it('leave a level that a hand chose, and are no hand', () => {
    const one = panel({ settings });
    one.pass(31 * MINUTE);
    expect(one.view().lastPresenceAt).toBeNull();
    one.level('http', 120);
    one.pass(3 * HOUR);
    expect(levels(one)).toHaveLength(1);
  });

  it('light nothing that is dark, or just goes dark', () => {
    const one = panel({ settings: { ...settings, offHours }, displays: [display(), display({ id: 'screen_2' })] });
    one.hand('http', false, 'screen_2');
    one.pass(HOUR);
    expect(levels(one)).toEqual([]);
    expect([one.lit(), one.lit('screen_2')]).toEqual([false, false]);
  });

  it('are a ceiling alone while the brightness is automatic', () => {
    const one = panel({ settings });
    one.take({ type: 'brightness', isAutomatic: true });
    one.pass(HOUR);
    expect(levels(one)).toEqual([]);
    expect(one.of('sleep.decided').at(-1)?.ceiling).toBe(51);
  });
});
