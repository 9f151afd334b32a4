import { expect, it } from 'vitest';

import type { Feed, FeedPosition } from '#machines/auto-sleep/events.ts';
import {
  MAXIMUM_LEASE_MS,
  noPresence,
  type Presence,
  presenceAfterActivity,
  presenceAfterFeed,
  presenceVerdict,
} from '#machines/auto-sleep/presence.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

const MINUTE = 60_000;
const STEPS = 60;
const seeds = Array.from({ length: amount(200, 2000) }, (_, index) => index + 1);

function randomFeed(random: Random): Feed {
  const kind = random(10);
  if (kind === 0) return { kind: 'lost', why: 'home-assistant-away' };
  if (kind === 1) return { kind: 'none', why: 'no-area' };
  // Mostly off, so that leases end.
  const states = ['off', 'off', 'off', 'off', 'on', 'unavailable'] as const;
  return {
    kind: 'live',
    sources: Array.from({ length: random(4) }, (_, index) => ({ key: `${index}`, state: pick(random, states) })),
  };
}

/** One step of a random day; `asleep` is what the verdicts said last, as displays would be that obey. */
interface Step {
  readonly before: Presence;
  readonly after: Presence;
  readonly at: number;
  readonly what: 'feed' | 'activity' | 'time';
  readonly wasAsleep: boolean;
}

function* randomDay(seed: number): Generator<Step> {
  const random = sequence(seed);
  let presence = noPresence;
  let position: FeedPosition = { generation: 0, revision: 0 };
  let at = random(100) * MINUTE;
  let isAsleep = random(2) === 0;
  for (let index = 0; index < STEPS; index += 1) {
    const before = presence;
    const wasAsleep = isAsleep;
    const leaseMs = (10 + random(51)) * MINUTE;
    const what = pick(random, ['feed', 'feed', 'time', 'time', 'activity'] as const);
    if (what === 'time') at += random(pick(random, [5, 90])) * MINUTE;
    if (what === 'activity')
      presence = presenceAfterActivity(before, 'touch_lease', Math.max(0, at - random(3) * MINUTE), leaseMs);
    if (what === 'feed') {
      const { generation, revision } = position;
      position = random(8) === 0 ? { generation: generation + 1, revision: 0 } : { generation, revision: revision + 1 };
      presence = presenceAfterFeed(before, randomFeed(random), position, at, leaseMs, isAsleep);
    }
    const { verdict } = presenceVerdict(presence, at);
    if (verdict !== 'inhibited') isAsleep = verdict === 'sleep';
    yield { before, after: presence, at, what, wasAsleep };
  }
}

const days = seeds.map((seed) => ({ seed, steps: [...randomDay(seed)] }));

const statesOf = ({ feed }: Presence): readonly string[] =>
  feed?.kind === 'live' ? feed.sources.map(({ state }) => state) : [];
const isOn = (presence: Presence): boolean => statesOf(presence).includes('on');
const isLive = (presence: Presence): boolean => statesOf(presence).some((state) => state !== 'unavailable');

it('never shortens a lease, except that presence or a loss ends it', () => {
  let compared = 0;
  for (const { seed, steps } of days)
    for (const { before, after } of steps) {
      if (before.awakeUntil === null || !isLive(after) || isOn(after)) continue;
      compared += 1;
      if (after.awakeUntil === null || after.awakeUntil < before.awakeUntil)
        expect.unreachable(`seed ${seed}: ${before.awakeUntil} became ${after.awakeUntil}`);
    }
  expect(compared).toBeGreaterThan(10 * seeds.length);
});

it('never sleeps while a source is on, and neither holds nor sleeps without a healthy one', () => {
  const seen = { on: 0, without: 0, slept: 0, held: 0 };
  for (const { seed, steps } of days)
    for (const { after, at } of steps) {
      const { verdict, reason, until } = presenceVerdict(after, at);
      if (isOn(after)) {
        seen.on += 1;
        if (verdict !== 'hold' || reason !== 'source_active' || until !== null)
          expect.unreachable(`seed ${seed}: ${verdict} while a source is on`);
      } else if (!isLive(after)) {
        seen.without += 1;
        if (verdict !== 'inhibited') expect.unreachable(`seed ${seed}: ${verdict} without a healthy source`);
      } else if (verdict === 'sleep') seen.slept += 1;
      else {
        seen.held += 1;
        if (until === null || until <= at || until > at + MAXIMUM_LEASE_MS)
          expect.unreachable(`seed ${seed}: held until ${until} at ${at}`);
      }
    }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(seeds.length);
});

it('wakes by presence or an activity, never by sources that are lost or back and off', () => {
  let slept = 0;
  for (const { seed, steps } of days) {
    let isTouched = false;
    for (const { after, at, what, wasAsleep } of steps) {
      isTouched = wasAsleep && (isTouched || what === 'activity');
      if (!wasAsleep) continue;
      slept += 1;
      if (presenceVerdict(after, at).verdict === 'hold' && !isOn(after) && !isTouched)
        expect.unreachable(`seed ${seed}: woke without presence`);
    }
  }
  expect(slept).toBeGreaterThan(10 * seeds.length);
});

it('drops what is not newer than the last feed', () => {
  let dropped = 0;
  for (const { seed, steps } of days) {
    const random = sequence(seed);
    for (const { after, at } of steps) {
      if (after.feed === null) continue;
      const { generation, revision } = after.position;
      const stale = pick(random, [
        { generation, revision },
        { generation, revision: revision - 1 - random(9) },
        { generation: generation - 1 - random(9), revision: revision + random(9) },
      ]);
      if (presenceAfterFeed(after, randomFeed(random), stale, at, MINUTE, random(2) === 0) !== after)
        expect.unreachable(`seed ${seed}: took a stale feed`);
      dropped += 1;
    }
  }
  expect(dropped).toBeGreaterThan(10 * seeds.length);
});
