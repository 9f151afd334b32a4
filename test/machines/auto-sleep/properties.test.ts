import { expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';

import { dayOf, ids, isNight, live24, minuteOf, passed } from './day.ts';
import { display, HOUR, live, lost, MINUTE, panel, SECOND } from './panel.ts';

const seeds = Array.from({ length: amount(200, 2000) }, (_, index) => index + 1);

/** With the seed that fails. */
function each(check: (seed: number) => void): void {
  for (const seed of seeds) {
    try {
      check(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

it('switches for a reason alone, obeys hands, and at most once in two seconds', () => {
  const counts = new Map<string, number>();
  each((seed) => {
    const day = dayOf(seed);
    live24(day, 40);
    for (const { on, origin } of day.judged) {
      const name = `${on ? 'on' : 'off'} ${origin}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  for (const name of ['off auto-sleep', 'on auto-sleep', 'on presence', 'off clock', 'on clock', 'on entity'])
    expect([name, counts.get(name) ?? 0]).toEqual([
      name,
      expect.toSatisfy((count: number) => count > seeds.length / 40),
    ]);
});

it('leaves no display dark that nothing would light, also over a restart', () => {
  let dark = 0;
  each((seed) => {
    const day = dayOf(seed);
    live24(day, 30);
    passed(day, 5 * SECOND);
    const { one, random } = day;
    const { asleep } = one.view();
    const ours = one.displays().filter(({ lit, changed }) => {
      return lit === false && (changed?.by === 'auto-sleep' || changed?.by === 'clock');
    });
    for (const { id } of ours) if (!asleep.includes(id)) throw new Error(`${id} is forgotten`);
    dark += ours.length;
    const isRestarted = random(2) === 0;
    const next = isRestarted
      ? panel({
          settings: one.settings(),
          stored: one.kept(),
          displays: one.displays().map((shown) => ({ ...shown, changed: null })),
          start: { now: one.moment().now, elapsed: 7 },
        })
      : one;
    next.pass(SECOND);
    if (isRestarted && one.kept().isSuppressed !== next.view().isSuppressed) throw new Error('suppression is lost');
    next.set({ offHours: '', wakeOnEntity: '', wakeOnAnnouncement: false });
    if (one.settings().enabled && !one.view().isSuppressed && random(2) === 0) next.feed(live('on', 'off'));
    else next.set({ enabled: false });
    next.pass(2 * MINUTE);
    const forgotten = ours.filter(({ id }) => next.lit(id) !== true);
    if (forgotten.length > 0) throw new Error(`${forgotten[0]?.id} stays dark`);
  });
  expect(dark).toBeGreaterThan(seeds.length / 20);
});

it('never shortens a lease', () => {
  let compared = 0;
  each((seed) => {
    const random = sequence(seed);
    const one = panel({ displays: ids.map((id) => display({ id })) });
    one.feed(live('on', 'off'));
    one.feed(live('off', 'off'));
    let until = 0;
    for (let step = 0; step < 30; step += 1) {
      const isLit = one.lit() === true;
      pick(random, [
        () => one.pass(random(pick(random, [MINUTE, 9 * MINUTE]))),
        () => one.touch(random(3) === 0),
        () => one.take({ type: 'approached' }),
        () => one.level('http', 1 + random(255)),
        () => one.feed(live('off', pick(random, ['off', 'unavailable']))),
      ])();
      one.pass(300);
      const view = one.view();
      if (!isLit || view.phase !== 'holding' || view.until === null) {
        until = 0;
        continue;
      }
      if (view.until < until) throw new Error(`a lease ends ${until - view.until} ms earlier`);
      if (until > 0) compared += 1;
      until = view.until;
    }
  });
  expect(compared).toBeGreaterThan(8 * seeds.length);
});

it('is moved by no clock or zone that is set, where nothing goes by the wall clock', () => {
  let switches = 0;
  each((seed) => {
    const played = (isSet: boolean) => {
      const random = sequence(seed);
      const one = panel({ displays: ids.map((id) => display({ id })) });
      const done: string[] = [];
      for (let step = 0; step < 30; step += 1) {
        pick(random, [
          () => one.pass(random(pick(random, [MINUTE, 30 * MINUTE]))),
          () => one.feed(live(pick(random, ['on', 'off']), 'off')),
          () => one.feed(lost),
          () => one.hand('http', random(2) === 0, pick(random, ids)),
        ])();
        const by = (random(24) - 12) * HOUR;
        const timeZone = pick(random, ['Asia/Tokyo', 'America/New_York', 'Europe/Berlin']);
        // Both decide at the same moments.
        one.take({ type: 'brightness', isAutomatic: step % 2 === 0 });
        if (!isSet) continue;
        one.setClock(by);
        if (step % 13 === 7) one.take({ type: 'place', place: { latitude: 1, longitude: 1, timeZone } });
      }
      for (const { screen, on, origin, at } of one.switches) done.push(`${screen} ${on} ${origin} ${at}`);
      return done.join('\n');
    };
    const plainly = played(false);
    if (played(true) !== plainly) throw new Error('it switches otherwise');
    if (plainly !== '') switches += 1;
  });
  expect(switches).toBeGreaterThan(seeds.length / 4);
});

/** Weekends on which clocks are set, and others. */
const nights = [
  ['Europe/Berlin', Date.UTC(2026, 9, 24, 10)],
  ['Europe/Berlin', Date.UTC(2027, 2, 27, 10)],
  ['America/New_York', Date.UTC(2026, 9, 31, 16)],
  ['America/New_York', Date.UTC(2027, 2, 13, 16)],
  ['Australia/Lord_Howe', Date.UTC(2027, 3, 3, 2)],
  ['Asia/Kolkata', Date.UTC(2026, 11, 31, 6)],
] as const;

it('goes by the wall clock through both changes of summer time, and when it is set', () => {
  let dark = 0;
  for (const seed of seeds.slice(0, seeds.length / 16)) {
    const random = sequence(seed);
    const [timeZone, from] = pick(random, nights);
    const stored = { place: { latitude: 1, longitude: 1, timeZone } };
    const settings = { enabled: false, offHours: '22:30-06:30' };
    const one = panel({ settings, stored, start: { now: from + random(HOUR), elapsed: 1 } });
    for (let step = 0; step < 40; step += 1) {
      one.pass(random(90 * MINUTE));
      if (random(8) === 0) one.setClock((random(20) - 10) * HOUR);
      // A clock that was set is noticed within a minute.
      one.pass(MINUTE + 3 * SECOND);
      const minute = minuteOf(one.moment().now, timeZone);
      // In the first minute after a change it may not be switched yet.
      if ([1350, 1351, 390, 391].includes(minute)) continue;
      if (one.lit() === isNight(minute)) expect.unreachable(`seed ${seed}: ${timeZone} at minute ${minute}`);
      if (isNight(minute)) dark += 1;
    }
    expect(one.switches.every(({ origin }) => origin === 'clock')).toBe(true);
  }
  expect(dark).toBeGreaterThan(seeds.length / 16);
});
