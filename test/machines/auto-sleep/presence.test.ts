import { describe, expect, it } from 'vitest';

import type { Feed, PresenceSource } from '#machines/auto-sleep/events.ts';
import {
  MAXIMUM_LEASE_MS,
  MINIMUM_LEASE_MS,
  noPresence,
  type Presence,
  presenceAfterActivity,
  presenceAfterFeed,
  presenceVerdict,
} from '#machines/auto-sleep/presence.ts';

const MINUTE = 60_000;
const LEASE = 10 * MINUTE;

const live = (...states: readonly PresenceSource['state'][]): Feed => ({
  kind: 'live',
  sources: states.map((state, index) => ({ key: `${index}`, state })),
});

/** Each source has its place: `off-gone` are two, of which the second is unavailable. */
const feeds = {
  on: live('on'),
  off: live('off'),
  gone: live('unavailable'),
  empty: live(),
  'on-on': live('on', 'on'),
  'on-off': live('on', 'off'),
  'off-on': live('off', 'on'),
  'off-off': live('off', 'off'),
  'off-gone': live('off', 'unavailable'),
  'gone-gone': live('unavailable', 'unavailable'),
  'off-on-gone': live('off', 'on', 'unavailable'),
  lost: { kind: 'lost', why: 'home-assistant-away' },
  none: { kind: 'none', why: 'no-area' },
  touch: { kind: 'touch' },
} as const satisfies Readonly<Record<string, Feed>>;
type Name = keyof typeof feeds;

const { on, off, touch } = feeds;

const isName = (name: string): name is Name => Object.hasOwn(feeds, name);

/** After feeds, each behind its minute; an asterisk for dark displays: `0 off, 30 lost*`. */
function played(script: string, leaseMs = LEASE): Presence {
  let presence = noPresence;
  for (const [index, step] of script.split(', ').filter(Boolean).entries()) {
    const [, minute, name = '', asleep] = /^(\d+) ([a-z-]+)(\*?)$/u.exec(step) ?? [];
    if (!isName(name)) throw new Error(`no feed ${step}`);
    const position = { generation: 1, revision: index };
    presence = presenceAfterFeed(presence, feeds[name], position, Number(minute) * MINUTE, leaseMs, asleep === '*');
  }
  return presence;
}

/** Verdict, reason, and the minute until which it holds. */
function at(presence: Presence, minute: number): string {
  const { verdict, reason, until } = presenceVerdict(presence, minute * MINUTE);
  return [verdict, reason, ...(until === null ? [] : [until / MINUTE])].join(' ');
}

it('a lease has 10 to 60 min', () => expect([MINIMUM_LEASE_MS, MAXIMUM_LEASE_MS]).toEqual([600_000, 3_600_000]));

describe('what sources and leases say', () => {
  it.each<[string, string, number, string]>([
    ['before the first feed', '', 0, 'inhibited all_sources_unavailable'],
    ['without sources', '0 none', 0, 'inhibited no_sources_configured'],
    ['without the sources that were there', '0 on, 1 none', 1, 'inhibited no_sources_configured'],
    ['with an empty feed', '0 empty', 0, 'inhibited no_sources_configured'],
    ['while Home Assistant was never reached', '0 lost', 0, 'inhibited all_sources_unavailable'],
    ['with none healthy', '0 gone-gone', 0, 'inhibited all_sources_unavailable'],
    ['with none healthy any more', '0 off, 1 gone', 1, 'inhibited all_sources_unavailable'],
    ['after a loss', '0 off, 1 lost', 1, 'inhibited source_loss'],
    ['after a loss of what was on', '0 on, 1 lost', 99, 'inhibited source_loss'],
    ['long after a loss', '0 off, 1 lost, 2 lost', 999, 'inhibited source_loss'],
    ['with a source on', '0 on', 999, 'hold source_active'],
    ['with one of several on', '0 off-on-gone', 999, 'hold source_active'],
    ['at the start, all off', '5 off', 5, 'hold presence_lease 15'],
    ['just before the lease ends', '5 off', 14.999, 'hold presence_lease 15'],
    ['as soon as it ends', '5 off', 15, 'sleep lease_expired'],
    ['after the last went off', '0 on-off, 30 off-off', 39, 'hold presence_lease 40'],
    ['while one of two is still on', '0 on-on, 30 on-off', 99, 'hold source_active'],
    ['with a part lost, at the start', '0 off-gone', 59, 'hold partial_source_loss 60'],
    ['with a part lost, after the longest lease', '0 off-gone', 60, 'sleep lease_expired'],
    ['with the part lost that was on', '0 off-on, 9 off-gone', 68, 'hold partial_source_loss 69'],
    ['with a part lost while a lease runs', '0 off-off, 9 off-gone', 11, 'hold partial_source_loss 60'],
    ['with a part lost after the lease', '0 off-off, 10 off-gone', 10, 'sleep lease_expired'],
    ['with the part back while that lease runs', '0 off-gone, 5 off-off', 59, 'hold presence_lease 60'],
    ['with the part back after it', '0 off-gone, 61 off-off', 61, 'sleep lease_expired'],
    ['at the start on dark displays', '0 off*', 0, 'sleep lease_expired'],
    ['at the start on dark displays, with a part lost', '0 off-gone*', 0, 'sleep lease_expired'],
    ['at the start on dark displays, on', '0 on*', 0, 'hold source_active'],
    ['after that source went off', '0 on*, 3 off', 12, 'hold presence_lease 13'],
    ['on displays that a hand darkened meanwhile', '0 on, 3 off*', 12, 'hold presence_lease 13'],
    ['after a loss, back and on', '0 off, 20 lost*, 30 on*', 30, 'hold source_active'],
    ['after a loss, off, asleep before', '0 off, 20 lost*, 30 off*', 30, 'sleep lease_expired'],
    ['after a loss, off, awake before', '0 off, 5 lost, 30 off', 39, 'hold presence_lease 40'],
    ['back in part, asleep before', '0 off, 20 gone*, 30 off-gone*', 30, 'sleep lease_expired'],
    ['back in part, awake before', '0 off, 5 gone, 30 off-gone', 30, 'hold partial_source_loss 90'],
    ['by touches alone', '0 touch', 9, 'hold touch_lease 10'],
    ['by touches alone, after the delay', '0 touch', 10, 'sleep lease_expired'],
    ['by touches alone, on dark displays', '0 touch*', 0, 'sleep lease_expired'],
  ])('%s', (_, script, minute, expected) => expect(at(played(script), minute)).toBe(expected));

  it.each<[string, string, string | null]>([
    ['nothing yet', '', 'starting'],
    ['no area', '0 none', 'no-area'],
    ['an empty feed', '0 empty', 'no-sensors'],
    ['Home Assistant away', '0 lost', 'home-assistant-away'],
    ['sources that are unavailable', '0 gone', null],
    ['a source on', '0 on', null],
    ['a source off', '0 off', null],
    ['touches', '0 touch', null],
  ])('names the gap: %s', (_, script, gap) => expect(presenceVerdict(played(script), 0).gap).toBe(gap));
});

describe('a lease', () => {
  it.each(['on', 'gone', 'lost', 'none', 'empty'] as const)('is over with the feed "%s"', (feed) =>
    expect(played(`0 off, 5 ${feed}`)).toMatchObject({ awakeUntil: null, leaseFrom: null, leaseReason: null }),
  );

  it('is not extended by a feed that says the same', () =>
    expect(played('0 off, 5 off, 9 off').awakeUntil).toBe(10 * MINUTE));

  it('does not grow with each loss of a sensor that comes and goes', () => {
    const feedsOfMinutes = Array.from(
      { length: 100 },
      (_, minute) => `${minute} off-${minute % 2 === 0 ? 'off' : 'gone'}`,
    );
    expect(played(feedsOfMinutes.join(', ')).awakeUntil).toBe(60 * MINUTE);
  });

  it('starts over with another source, unless it slept', () => {
    const before = played('0 off');
    const next = (isAsleep: boolean) =>
      presenceAfterFeed(before, off, { generation: 2, revision: 0 }, 30 * MINUTE, LEASE, isAsleep).awakeUntil;
    expect([next(false), next(true)]).toEqual([40 * MINUTE, 10 * MINUTE]);
  });

  it('of touches and one of sources do not count for each other', () => {
    const next = (before: Presence, feed: Feed, leaseMs: number) =>
      presenceAfterFeed(before, feed, { generation: 2, revision: 0 }, MINUTE, leaseMs, false);
    expect(next(played('0 touch', 86_400_000), off, LEASE)).toMatchObject({
      awakeUntil: 11 * MINUTE,
      leaseReason: 'presence_lease',
    });
    expect(next(played('0 off-gone'), touch, 5000)).toMatchObject({
      awakeUntil: MINUTE + 5000,
      leaseReason: 'touch_lease',
    });
  });

  it.each<[string, string, boolean]>([
    ['nothing yet', '', false],
    ['Home Assistant never reached', '0 lost', false],
    ['a loss', '0 off, 1 lost', true],
    ['a loss in two steps', '0 off, 1 gone, 2 lost', true],
    ['a loss that is over', '0 off, 1 lost, 2 off', false],
    ['a loss, then no sources', '0 off, 1 lost, 2 none', false],
  ])('remembers a loss until sources are back: %s', (_, script, wasLost) =>
    expect(played(script).wasLost).toBe(wasLost),
  );
});

describe('an activity', () => {
  it.each(['touch_lease', 'approach_lease', 'hand_lease'] as const)('%s extends the lease', (reason) => {
    const presence = presenceAfterActivity(played('0 off'), reason, 5 * MINUTE, LEASE);
    expect(at(presence, 14)).toBe(`hold ${reason} 15`);
  });

  it.each([
    ['came late', 0, LEASE],
    ['gives less than what runs', 9, 30_000],
    ['has a lease that is no number', 9, Number.NaN],
  ])('changes nothing if it %s', (_, minute, leaseMs) => {
    const before = played('0 off');
    expect(presenceAfterActivity(before, 'touch_lease', minute * MINUTE, leaseMs)).toBe(before);
  });

  it('has the longest lease with a part lost', () =>
    expect(at(presenceAfterActivity(played('0 off-gone'), 'touch_lease', 30 * MINUTE, LEASE), 61)).toBe(
      'hold partial_source_loss 90',
    ));

  it('decides nothing while sources are lost, and counts once they are back', () => {
    const before = played('0 off, 20 lost');
    const touched = presenceAfterActivity(before, 'touch_lease', 25 * MINUTE, LEASE);
    expect(at(touched, 26)).toBe('inhibited source_loss');
    const back = presenceAfterFeed(touched, off, { generation: 1, revision: 9 }, 27 * MINUTE, LEASE, true);
    expect(at(back, 34)).toBe('hold touch_lease 35');
  });

  it('has the fixed delay by touches alone', () =>
    expect(at(presenceAfterActivity(played('0 touch', 30_000), 'touch_lease', MINUTE, 30_000), 1)).toBe(
      'hold touch_lease 1.5',
    ));
});

describe('the position of a feed', () => {
  const first = presenceAfterFeed(noPresence, on, { generation: 2, revision: 5 }, 0, LEASE, false);
  it.each([
    ['an earlier revision', 2, 4, false],
    ['the same, with something else', 2, 5, false],
    ['an earlier source', 1, 99, false],
    ['no number', Number.NaN, Number.NaN, false],
    ['a later revision', 2, 6, true],
    ['a later source', 3, 0, true],
  ])('%s', (_, generation, revision, isTaken) => {
    const after = presenceAfterFeed(first, off, { generation, revision }, MINUTE, LEASE, false);
    if (isTaken) expect(after).toMatchObject({ feed: off, position: { generation, revision } });
    else expect(after).toBe(first);
  });
});
