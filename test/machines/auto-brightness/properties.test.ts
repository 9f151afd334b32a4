import { expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

import { display, plain, room, steadyFit } from './room.ts';

type Room = ReturnType<typeof room>;
type Step = (one: Room, random: Random) => void;

const causes = ['http', 'home-assistant', 'elsewhere', 'touch', 'wave', 'itself', 'stop'];
const ids = ['screen', 'screen_2'] as const;

const steps: readonly Step[] = [
  (one, random) => one.pass(random(pick(random, [100, 2000, 90_000]))),
  (one, random) => one.take({ type: 'sample', lux: random(pick(random, [3, 300, 20_000, 200_000])) }),
  (one, random) => one.set(pick(random, causes), 1 + random(255), pick(random, ids)),
  (one, random) =>
    one.change(pick(random, ids), { lit: random(2) === 0, changed: { by: pick(random, causes), at: random(9) } }),
  (one, random) => one.take({ type: 'silent', why: pick(random, ['source-away', 'not-lux', 'not-a-number']) }),
  (one, random) =>
    one.take({
      type: 'source',
      kind: pick(random, ['panel', 'home_assistant']),
      revision: one.view().sourceRevision + 1,
    }),
  (one) => one.take({ type: 'resume' }),
  (one) => one.take({ type: 'forget' }),
  (one, random) => one.take({ type: 'learned', fit: steadyFit(random(10), random(8)) }),
  (one, random) => one.take({ type: 'settings', settings: { ...plain, responsePercent: random(101) } }),
  (one, random) => one.setClock(random(2_000_000_000) - 1_000_000_000),
  (one, random) =>
    one.show([
      display({ level: 1 + random(255), route: pick(random, ['backlight', 'ddc', null]) }),
      ...(random(2) === 0 ? [display({ id: 'screen_2', lit: random(2) === 0, route: 'adb' })] : []),
    ]),
];

/** A room after a number of random steps. */
function played(seed: number, until: number): { one: Room; random: Random } {
  const random = sequence(seed);
  const one = room();
  one.take({ type: 'settings', settings: plain });
  one.show([display(), display({ id: 'screen_2', lit: false, route: 'ddc' })]);
  one.take({ type: 'source', kind: 'panel', revision: 1 });
  for (let step = 0; step < until; step += 1) pick(random, steps)(one, random);
  return { one, random };
}

const seeds = Array.from({ length: amount(200, 2000) }, (_, index) => index + 1);

it('decides at most every 250 ms, and keeps levels whole', () => {
  let decided = 0;
  let adjusted = 0;
  for (const seed of seeds) {
    const { one } = played(seed, 40);
    const moments = one.of('room.decided').map(({ when }) => when.elapsed);
    decided += moments.length;
    for (const [index, at] of moments.slice(1).entries())
      if (at - (moments[index] ?? 0) < 250) expect.unreachable(`seed ${seed}: two decisions within 250 ms`);
    for (const { level } of one.of('room.adjust')) {
      adjusted += 1;
      if (!Number.isInteger(level) || level < 1 || level > 255) expect.unreachable(`seed ${seed}: level ${level}`);
    }
    if (one.follow.dueIn(one.moment()) > 60_000) expect.unreachable(`seed ${seed}: nothing is due within a minute`);
  }
  expect(decided).toBeGreaterThan(10 * seeds.length);
  expect(adjusted).toBeGreaterThan(seeds.length);
});

it('moves no level by a clock or a time zone that is set', () => {
  let following = 0;
  for (const seed of seeds) {
    const { one, random } = played(seed, 15);
    // What was under way comes to rest first: ten minutes of steady light, and no preference.
    one.take({ type: 'sample', lux: 500 });
    one.take({ type: 'learned', fit: { ...steadyFit(3), expectedAt: hourly } });
    one.take({ type: 'resume' });
    one.pass(2_000_000);
    const before = one.of('room.adjust').length;
    const { sourceRevision } = one.view();
    if (random(2) === 0) one.setClock(random(2_000_000_000) - 1_000_000_000);
    else
      one.take({
        type: 'place',
        place: { latitude: 1, longitude: 1, timeZone: 'Asia/Tokyo' },
        revision: sourceRevision + 1,
      });
    one.pass(random(2_000_000));
    if (one.of('room.adjust').length !== before) expect.unreachable(`seed ${seed}: the level moved`);
    if (one.view().state === 'following') following += 1;
  }
  expect(following).toBeGreaterThan(seeds.length / 3);
});

/** Another light is usual at each hour. */
const hourly = (at: number) => ({ log: Math.abs(Math.floor(at / 3_600_000) % 10), spread: 0.15, coveredDays: 7 });

it('drops what comes late from an earlier source', () => {
  let compared = 0;
  for (const seed of seeds) {
    const [plainly, late] = [played(seed, 25), played(seed, 25)];
    const revision = 0;
    late.one.take({ type: 'sample', lux: 77_777, revision });
    late.one.take({ type: 'learned', fit: steadyFit(11), revision });
    late.one.take({ type: 'silent', why: 'source-away', revision });
    for (const { one } of [plainly, late]) one.pass(200_000);
    // Compared as text first, which is quick.
    const [before, after] = [plainly.one.outputs, late.one.outputs];
    if (JSON.stringify(before) !== JSON.stringify(after)) expect(after).toEqual(before);
    compared += before.length;
  }
  expect(compared).toBeGreaterThan(10 * seeds.length);
});
