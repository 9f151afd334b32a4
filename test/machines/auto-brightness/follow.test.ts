import { describe, expect, it } from 'vitest';

import { display, litRoom, plain, room, START, steadyFit } from './room.ts';

const HOUR = 3_600_000;
const levels = (one: ReturnType<typeof room>) => one.of('room.adjust').map(({ screen, level }) => [screen, level]);

describe('a room', () => {
  it('says what it waits for', () => {
    const one = room();
    one.take({ type: 'settings', settings: plain });
    expect(one.view()).toMatchObject({ state: 'unavailable', why: 'starting' });
    one.show([display({ route: null })]);
    one.pass(300);
    expect(one.view().why).toBe('no-display');
    one.show([display()]);
    one.take({ type: 'source', kind: null, revision: 1 });
    one.pass(300);
    expect(one.view()).toMatchObject({ why: 'no-source', sourceKind: null, sourceRevision: 1 });
    one.take({ type: 'source', kind: 'panel', revision: 2 });
    one.take({ type: 'silent', why: 'not-lux' });
    one.pass(300);
    expect(one.view()).toMatchObject({ why: 'not-lux', sourceKind: 'panel', sourceAvailable: false });
    expect(levels(one)).toEqual([]);
  });

  it('follows the light', () => {
    const one = litRoom(100);
    // 100 lx are 30 %.
    expect(one.view()).toMatchObject({ state: 'following', latestLux: 100, mode: 'cold_start' });
    expect(levels(one)).toHaveLength(1);
    const [[, first] = []] = levels(one);
    one.take({ type: 'sample', lux: 1000 });
    one.pass(400_000);
    const last = levels(one).at(-1)?.[1];
    expect(last).toBeGreaterThan(Number(first) + 60);
    expect(one.view().appliedTarget).toBe(last);
  });

  it('stays within the deadband of 4 levels, unless it is forced', () => {
    const one = litRoom(100);
    const before = one.view().appliedTarget;
    one.take({ type: 'sample', lux: 104 });
    one.pass(300_000);
    expect(one.view().automaticTarget).not.toBe(before);
    expect(levels(one)).toHaveLength(1);
    one.take({ type: 'resume' });
    one.pass(300);
    expect(one.view().appliedTarget).toBe(one.view().automaticTarget);
    expect(levels(one)).toHaveLength(2);
  });

  it('decides at once if the light changed by 5 %, otherwise within a minute', () => {
    const one = litRoom(100);
    one.pass(300_000);
    const before = one.of('room.decided').length;
    one.take({ type: 'sample', lux: 102 });
    expect(one.of('room.decided')).toHaveLength(before);
    one.take({ type: 'sample', lux: 108 });
    expect(one.of('room.decided')).toHaveLength(before + 1);
    expect(one.follow.dueIn(one.moment())).toBeLessThanOrEqual(60_000);
  });

  it('keeps the level while the source is away, and the verdict of the theme', () => {
    const one = litRoom(5000);
    expect(one.view().ambient.verdict).toBe('light');
    const before = levels(one);
    one.take({ type: 'silent', why: 'source-away' });
    one.pass(HOUR);
    expect(one.view()).toMatchObject({ state: 'unavailable', why: 'source-away', latestLux: null });
    expect(one.view().ambient).toEqual({ verdict: 'light', level: null, changesAt: null });
    expect(levels(one)).toEqual(before);
    one.take({ type: 'sample', lux: 5000 });
    one.pass(300);
    expect(one.view().state).toBe('following');
  });

  it('holds what is no number for a silent source', () => {
    const one = litRoom(100);
    one.take({ type: 'sample', lux: NaN });
    one.pass(300);
    expect(one.view()).toMatchObject({ why: 'not-a-number', latestLux: null });
  });

  it('is dark once all displays are, and then changes what the next ON restores', () => {
    const one = litRoom(1000, [display(), display({ id: 'screen_2', lit: false })]);
    expect(one.view().state).toBe('following');
    one.change('screen', { lit: false, changed: { by: 'http', at: START } });
    one.pass(300);
    expect(one.view().state).toBe('dark');
    one.take({ type: 'sample', lux: 0 });
    one.pass(600_000);
    // Within the deadband of 10, which is 4 %.
    expect(one.displays().map(({ lit, level }) => [lit, level < 14])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it('writes a monitor over DDC/CI once a minute, and from 10 levels on', () => {
    const one = litRoom(100, [display({ route: 'ddc' }), display({ id: 'screen_2' })]);
    one.take({ type: 'sample', lux: 3000 });
    one.pass(600_000);
    const at = one.of('room.adjust').filter(({ screen }) => screen === 'screen');
    expect(at.length).toBeGreaterThan(2);
    expect(one.of('room.adjust').length).toBeGreaterThan(3 * at.length);
    for (const [index, now] of at.slice(1).entries()) {
      expect(now.when.elapsed - (at[index]?.when.elapsed ?? 0)).toBeGreaterThanOrEqual(60_000);
      expect(Math.abs(now.level - (at[index]?.level ?? 0))).toBeGreaterThanOrEqual(10);
    }
  });

  it('gives a dark monitor its level at once, since nothing is written', () => {
    const one = litRoom(100, [display({ route: 'ddc', lit: false })]);
    one.take({ type: 'sample', lux: 3000 });
    one.pass(50_000);
    const given = one.of('room.adjust');
    expect(given.length).toBeGreaterThan(5);
    expect(given.some(({ level }, index) => index > 0 && level - (given[index - 1]?.level ?? 0) < 10)).toBe(true);
  });

  it('gives the level to a display that comes back with another one', () => {
    const one = litRoom(100);
    const level = one.view().appliedTarget;
    one.show([]);
    one.pass(300);
    one.show([display({ level: 255, changed: { by: 'elsewhere', at: one.moment().now } })]);
    one.pass(300);
    expect(one.view().preference).toBeNull();
    expect(one.displays()[0]?.level).toBe(level);
  });

  it('counts a brighter room only after a while, and not toward the baseline', () => {
    const one = litRoom(100);
    one.take({ type: 'learned', fit: steadyFit(Math.log1p(100)) });
    one.pass(1_900_000);
    expect(one.view()).toMatchObject({ mode: 'confident', brighter: false });
    one.take({ type: 'sample', lux: 400 });
    one.pass(1000);
    expect(one.view().brighter).toBe(false);
    one.pass(2500);
    expect(one.view().brighter).toBe(true);
    expect(one.view().automaticTarget).toBeGreaterThan(100);
    one.pass(120_000);
    const rows = one.follow.minutes(one.moment());
    expect(rows[5]?.baselineMs).toBe(60_000);
    expect(rows.at(-2)).toMatchObject({ coveredMs: 60_000, baselineMs: 0 });
  });

  it('leaves the first 5 s after a write out of the baseline', () => {
    const one = litRoom(100);
    one.pass(65_000);
    const [row] = one.follow.minutes(one.moment());
    expect(row?.coveredMs).toBe(60_000);
    expect(row?.baselineMs).toBeGreaterThan(54_000);
    expect(row?.baselineMs).toBeLessThanOrEqual(55_000);
  });

  it('asks for a fit every five minutes, with complete minutes', () => {
    const one = litRoom(100);
    one.pass(HOUR);
    const asked = one.of('want.fit');
    expect(asked.length).toBeGreaterThanOrEqual(11);
    expect(asked.length).toBeLessThanOrEqual(13);
    expect(asked.at(-1)?.minutes.every(({ coveredMs }) => Math.abs(coveredMs - 60_000) < 1)).toBe(true);
    expect(one.of('keep.minutes').flatMap(({ minutes }) => minutes)).toHaveLength(60);
  });

  it('hands over the minute under way at the end, and when the source changes', () => {
    const one = litRoom(100);
    one.pass(10_000);
    one.take({ type: 'source', kind: 'home_assistant', revision: 2 });
    expect(one.of('keep.minutes').flatMap(({ minutes }) => minutes)).toHaveLength(1);
    one.take({ type: 'sample', lux: 5 });
    one.pass(5000);
    one.take({ type: 'stop' });
    expect(one.of('keep.minutes').flatMap(({ minutes }) => minutes.map(({ last }) => last))).toEqual([100, 5]);
  });

  it('forgets what was learned, and goes on', () => {
    const one = litRoom(100);
    one.take({ type: 'learned', fit: steadyFit(2) });
    one.pass(HOUR);
    expect(one.view().mode).toBe('confident');
    one.take({ type: 'forget' });
    one.pass(300);
    expect(one.view()).toMatchObject({ mode: 'cold_start', coveredDays: 0, latestLux: 100 });
    expect(one.follow.minutes(one.moment())).toHaveLength(1);
  });

  it('says why minutes are not kept', () => {
    const one = litRoom(100);
    one.take({ type: 'kept', fault: 'ENOSPC' });
    one.pass(300);
    expect(one.view()).toMatchObject({ state: 'following', historyFault: 'ENOSPC' });
    one.take({ type: 'kept', fault: null });
    one.pass(300);
    expect(one.view().historyFault).toBeNull();
  });

  it('applies new settings at once', () => {
    const one = litRoom(0);
    one.take({ type: 'settings', settings: { ...plain, minimumPercent: 20 } });
    one.pass(300);
    expect(one.view().appliedTarget).toBe(51);
  });

  it('flips the theme after a minute', () => {
    const one = litRoom(5000);
    one.take({ type: 'sample', lux: 0 });
    one.pass(HOUR);
    expect(one.view().ambient).toMatchObject({ verdict: 'dark', changesAt: null });
    const pending = one.of('room.decided').filter(({ view }) => view.ambient.changesAt !== null);
    expect(pending.length).toBeGreaterThan(0);
    const flipped = one.of('room.decided').find(({ view }) => view.ambient.verdict === 'dark');
    const since = pending.at(0)?.when.elapsed ?? 0;
    expect((flipped?.when.elapsed ?? 0) - since).toBeGreaterThanOrEqual(60_000);
    expect((flipped?.when.elapsed ?? 0) - since).toBeLessThan(60_300);
  });
});

describe('a late answer for an earlier source', () => {
  it.each([
    { type: 'learned', fit: steadyFit(9), revision: 1 } as const,
    { type: 'sample', lux: 90_000, revision: 1 } as const,
    { type: 'silent', why: 'not-lux', revision: 1 } as const,
    {
      type: 'minutes',
      revision: 1,
      minutes: [
        {
          minute: START / 60_000 - 5,
          luxMs: 1,
          coveredMs: 60_000,
          min: 0,
          max: 1,
          last: 1,
          samples: 1,
          baselineLogMs: 1,
          baselineMs: 1,
        },
      ],
    } as const,
  ])('changes nothing: $type', (late) => {
    const played = [false, true].map((isLate) => {
      const one = litRoom(100);
      one.take({ type: 'source', kind: 'home_assistant', revision: 2 });
      one.take({ type: 'sample', lux: 50 });
      one.pass(1000);
      if (isLate) one.take(late);
      one.pass(HOUR);
      return { outputs: one.outputs, minutes: one.follow.minutes(one.moment()) };
    });
    expect(played[1]).toEqual(played[0]);
  });
});

describe('a clock that is set', () => {
  it.each([-86_400_000, -HOUR, HOUR, 40 * 86_400_000])('moves no level by %i ms', (by) => {
    const one = litRoom(100);
    // At noon it is usually 100 lx, at any other hour 5000.
    const expectedAt = (at: number) => ({
      log: Math.log1p(Math.abs(at - START) < HOUR ? 100 : 5000),
      spread: 0.15,
      coveredDays: 7,
    });
    one.take({ type: 'learned', fit: { madeAt: 0, range: null, expectedAt } });
    one.pass(HOUR - 60_000);
    const before = levels(one);
    one.setClock(by);
    one.pass(10 * HOUR);
    expect(one.view().expectedLux).toBeGreaterThan(4000);
    expect(levels(one)).toEqual(before);
    one.take({ type: 'sample', lux: 120 });
    one.pass(1000);
    expect(levels(one)).not.toEqual(before);
  });

  it('leaves a preference its age', () => {
    const one = litRoom(100);
    one.set('http', 200);
    one.pass(2 * HOUR);
    one.setClock(-86_400_000);
    one.pass(10_000);
    const { preference } = one.view();
    expect(preference?.authority).toBeCloseTo(0.6, 2);
    expect(one.moment().now - (preference?.startedAt ?? 0)).toBeCloseTo(2 * HOUR + 10_000, -3);
    expect(one.of('keep.preference').at(-1)?.preference?.startedAt).toBe(preference?.startedAt);
  });
});

describe('a place that changes', () => {
  const home = { latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' };

  it('moves no level by another time zone alone', () => {
    const one = litRoom(100);
    one.take({ type: 'place', place: home });
    one.take({ type: 'learned', fit: steadyFit(Math.log1p(2000)) });
    one.pass(HOUR);
    one.set('http', 30);
    one.pass(300);
    one.take({ type: 'resume' });
    one.pass(300);
    const before = levels(one);
    one.take({ type: 'place', place: { ...home, timeZone: 'Asia/Tokyo' }, revision: 2 });
    one.pass(HOUR);
    expect(one.view()).toMatchObject({ sourceRevision: 2, coveredDays: 0, latestLux: 100 });
    expect(levels(one)).toEqual(before);
  });

  it('ends a preference if the house moved', () => {
    const one = litRoom(100);
    one.take({ type: 'place', place: home });
    one.set('http', 200);
    one.pass(3000);
    one.take({ type: 'place', place: { ...home, timeZone: 'Europe/Brussels' }, revision: 2 });
    one.pass(3000);
    expect(one.view().state).toBe('preferred');
    one.take({ type: 'place', place: { ...home, latitude: 40 }, revision: 3 });
    one.pass(3000);
    expect(one.view().state).toBe('following');
    expect(one.of('keep.preference').at(-1)?.preference).toBeNull();
  });
});
