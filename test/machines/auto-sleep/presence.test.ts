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
const [on, off, gone] = [live('on'), live('off'), live('unavailable')];
const partly = live('off', 'unavailable');
const lost: Feed = { kind: 'lost', why: 'home-assistant-away' };
const none: Feed = { kind: 'none', why: 'no-area' };
const touch: Feed = { kind: 'touch' };

/** Feeds at the minutes they come; `asleep` after the minute for dark displays. */
type Script = readonly (readonly [minute: number, feed: Feed, asleep?: 'asleep'])[];

const played = (script: Script, leaseMs = LEASE): Presence =>
  script.reduce<Presence>(
    (presence, [minute, feed, asleep], index) =>
      presenceAfterFeed(
        presence,
        feed,
        { generation: 1, revision: index },
        minute * MINUTE,
        leaseMs,
        asleep !== undefined,
      ),
    noPresence,
  );

const at = (presence: Presence, minute: number) => {
  const { verdict, reason, until } = presenceVerdict(presence, minute * MINUTE);
  return [verdict, reason, until === null ? null : until / MINUTE];
};

it('a lease has 10 to 60 min', () => expect([MINIMUM_LEASE_MS, MAXIMUM_LEASE_MS]).toEqual([600_000, 3_600_000]));

describe('what sources and leases say', () => {
  it.each<[string, Script, number, (string | number | null)[]]>([
    ['before the first feed', [], 0, ['inhibited', 'all_sources_unavailable', null]],
    ['without sources', [[0, none]], 0, ['inhibited', 'no_sources_configured', null]],
    [
      'without sources that were there',
      [
        [0, on],
        [1, none],
      ],
      1,
      ['inhibited', 'no_sources_configured', null],
    ],
    ['with an empty feed', [[0, live()]], 0, ['inhibited', 'no_sources_configured', null]],
    ['while Home Assistant was never reached', [[0, lost]], 0, ['inhibited', 'all_sources_unavailable', null]],
    ['with none healthy', [[0, live('unavailable', 'unavailable')]], 0, ['inhibited', 'all_sources_unavailable', null]],
    [
      'with none healthy that was',
      [
        [0, off],
        [1, gone],
      ],
      1,
      ['inhibited', 'all_sources_unavailable', null],
    ],
    [
      'after a loss',
      [
        [0, off],
        [1, lost],
      ],
      1,
      ['inhibited', 'source_loss', null],
    ],
    [
      'after a loss of what was on',
      [
        [0, on],
        [1, lost],
      ],
      99,
      ['inhibited', 'source_loss', null],
    ],
    [
      'long after a loss',
      [
        [0, off],
        [1, lost],
        [2, lost],
      ],
      999,
      ['inhibited', 'source_loss', null],
    ],
    ['with a source on', [[0, on]], 999, ['hold', 'source_active', null]],
    ['with one of several on', [[0, live('off', 'on', 'unavailable')]], 999, ['hold', 'source_active', null]],
    ['at the start, all off', [[5, off]], 5, ['hold', 'presence_lease', 15]],
    ['just before the lease ends', [[5, off]], 14.999, ['hold', 'presence_lease', 15]],
    ['as soon as it ends', [[5, off]], 15, ['sleep', 'lease_expired', null]],
    [
      'after the last went off',
      [
        [0, live('on', 'off')],
        [30, live('off', 'off')],
      ],
      39,
      ['hold', 'presence_lease', 40],
    ],
    [
      'while one of two is still on',
      [
        [0, live('on', 'on')],
        [30, live('on', 'off')],
      ],
      99,
      ['hold', 'source_active', null],
    ],
    ['with a part lost, at the start', [[0, partly]], 59, ['hold', 'partial_source_loss', 60]],
    ['with a part lost, after the longest lease', [[0, partly]], 60, ['sleep', 'lease_expired', null]],
    [
      'with what was on lost',
      [
        [0, live('off', 'on')],
        [9, partly],
      ],
      68,
      ['hold', 'partial_source_loss', 69],
    ],
    [
      'with a part lost while the lease runs',
      [
        [0, live('off', 'off')],
        [9, partly],
      ],
      11,
      ['hold', 'partial_source_loss', 60],
    ],
    [
      'with a part lost after the lease',
      [
        [0, live('off', 'off')],
        [10, partly],
      ],
      10,
      ['sleep', 'lease_expired', null],
    ],
    [
      'with the part back, while the longest lease runs',
      [
        [0, partly],
        [5, live('off', 'off')],
      ],
      59,
      ['hold', 'presence_lease', 60],
    ],
    [
      'with the part back after it',
      [
        [0, partly],
        [61, live('off', 'off')],
      ],
      61,
      ['sleep', 'lease_expired', null],
    ],
    ['at the start on dark displays', [[0, off, 'asleep']], 0, ['sleep', 'lease_expired', null]],
    ['at the start on dark displays, with a part lost', [[0, partly, 'asleep']], 0, ['sleep', 'lease_expired', null]],
    ['at the start on dark displays, on', [[0, on, 'asleep']], 0, ['hold', 'source_active', null]],
    [
      'after that source went off',
      [
        [0, on, 'asleep'],
        [3, off],
      ],
      12,
      ['hold', 'presence_lease', 13],
    ],
    [
      'on displays that a hand darkened meanwhile',
      [
        [0, on],
        [3, off, 'asleep'],
      ],
      12,
      ['hold', 'presence_lease', 13],
    ],
    [
      'after a loss, back and on',
      [
        [0, off],
        [20, lost, 'asleep'],
        [30, on, 'asleep'],
      ],
      30,
      ['hold', 'source_active', null],
    ],
    [
      'after a loss, back and off while it slept',
      [
        [0, off],
        [20, lost, 'asleep'],
        [30, off, 'asleep'],
      ],
      30,
      ['sleep', 'lease_expired', null],
    ],
    [
      'after a loss, back and off while it was awake',
      [
        [0, off],
        [5, lost],
        [30, off],
      ],
      39,
      ['hold', 'presence_lease', 40],
    ],
    [
      'after a loss, back in part while it slept',
      [
        [0, off],
        [20, gone, 'asleep'],
        [30, partly, 'asleep'],
      ],
      30,
      ['sleep', 'lease_expired', null],
    ],
    [
      'after a loss, back in part while it was awake',
      [
        [0, off],
        [5, gone],
        [30, partly],
      ],
      30,
      ['hold', 'partial_source_loss', 90],
    ],
    ['by touches alone', [[0, touch]], 9, ['hold', 'touch_lease', 10]],
    ['by touches alone, after the delay', [[0, touch]], 10, ['sleep', 'lease_expired', null]],
    ['by touches alone, on dark displays', [[0, touch, 'asleep']], 0, ['sleep', 'lease_expired', null]],
  ])('%s', (_, script, minute, expected) => expect(at(played(script), minute)).toEqual(expected));

  it.each<[string, Script, string | null]>([
    ['nothing yet', [], 'starting'],
    ['no area', [[0, none]], 'no-area'],
    ['an empty feed', [[0, live()]], 'no-sensors'],
    ['Home Assistant away', [[0, lost]], 'home-assistant-away'],
    ['sources that are unavailable', [[0, gone]], null],
    ['a source on', [[0, on]], null],
    ['a source off', [[0, off]], null],
    ['touches', [[0, touch]], null],
  ])('names the gap: %s', (_, script, gap) => expect(presenceVerdict(played(script), 0).gap).toBe(gap));
});

describe('a lease', () => {
  it.each<[string, Script]>([
    [
      'a source on',
      [
        [0, off],
        [5, on],
      ],
    ],
    [
      'none healthy',
      [
        [0, off],
        [5, gone],
      ],
    ],
    [
      'a loss',
      [
        [0, off],
        [5, lost],
      ],
    ],
    [
      'no sources',
      [
        [0, off],
        [5, none],
      ],
    ],
  ])('is over with %s', (_, script) =>
    expect(played(script)).toMatchObject({ awakeUntil: null, leaseFrom: null, leaseReason: null }),
  );

  it('is not extended by a feed that says the same', () =>
    expect(
      played([
        [0, off],
        [5, off],
        [9, off],
      ]).awakeUntil,
    ).toBe(10 * MINUTE));

  it('does not grow with each loss of a sensor that comes and goes', () => {
    const flaps = Array.from({ length: 100 }, (_, index): Script[number] => [
      index + 1,
      index % 2 === 0 ? partly : live('off', 'off'),
    ]);
    expect(played([[0, live('off', 'off')], ...flaps]).awakeUntil).toBe(60 * MINUTE);
  });

  it('starts over with another source, unless it slept', () => {
    const before = played([[0, off]]);
    const next = (isAsleep: boolean) =>
      presenceAfterFeed(before, off, { generation: 2, revision: 0 }, 30 * MINUTE, LEASE, isAsleep).awakeUntil;
    expect([next(false), next(true)]).toEqual([40 * MINUTE, 10 * MINUTE]);
  });

  it('of touches and of sources do not count for each other', () => {
    const long = played([[0, touch]], 86_400_000);
    const other = (feed: Feed, leaseMs: number) =>
      presenceAfterFeed(long, feed, { generation: 2, revision: 0 }, MINUTE, leaseMs, false).awakeUntil;
    expect(other(off, LEASE)).toBe(11 * MINUTE);
    expect(
      presenceAfterFeed(played([[0, partly]]), touch, { generation: 2, revision: 0 }, 0, 5000, false),
    ).toMatchObject({
      awakeUntil: 5000,
      leaseReason: 'touch_lease',
    });
  });

  it('remembers a loss until sources are back', () =>
    expect(
      [
        [],
        [[0, lost]],
        [
          [0, off],
          [1, lost],
        ],
        [
          [0, off],
          [1, gone],
          [2, lost],
        ],
        [
          [0, off],
          [1, lost],
          [2, off],
        ],
        [
          [0, off],
          [1, lost],
          [2, none],
        ],
      ].map((script) => played(script as Script).wasLost),
    ).toEqual([false, false, true, true, false, false]));
});

describe('an activity', () => {
  it.each(['touch_lease', 'approach_lease', 'hand_lease'] as const)('%s extends the lease', (reason) => {
    const presence = presenceAfterActivity(played([[0, off]]), reason, 5 * MINUTE, LEASE);
    expect(at(presence, 14)).toEqual(['hold', reason, 15]);
  });

  it.each([
    ['came late', 0, LEASE],
    ['gives less than what runs', 9, 30_000],
    ['has a lease that is no number', 9, Number.NaN],
  ])('changes nothing if it %s', (_, minute, leaseMs) => {
    const before = played([[0, off]]);
    expect(presenceAfterActivity(before, 'touch_lease', minute * MINUTE, leaseMs)).toBe(before);
  });

  it('starts the lease where it was, not where it was told', () =>
    expect(at(presenceAfterActivity(played([[0, off]]), 'touch_lease', 4 * MINUTE, LEASE), 13.9)).toEqual([
      'hold',
      'touch_lease',
      14,
    ]));

  it('has the longest lease with a part lost', () =>
    expect(at(presenceAfterActivity(played([[0, partly]]), 'touch_lease', 30 * MINUTE, LEASE), 61)).toEqual([
      'hold',
      'partial_source_loss',
      90,
    ]));

  it('lights nothing by itself while sources are lost, and still counts when they are back', () => {
    const touched = presenceAfterActivity(
      played([
        [0, off],
        [20, lost],
      ]),
      'touch_lease',
      25 * MINUTE,
      LEASE,
    );
    expect(at(touched, 26)).toEqual(['inhibited', 'source_loss', null]);
    const back = presenceAfterFeed(touched, off, { generation: 1, revision: 9 }, 27 * MINUTE, LEASE, true);
    expect(at(back, 34)).toEqual(['hold', 'touch_lease', 35]);
  });

  it('keeps the fixed delay by touches alone', () =>
    expect(at(presenceAfterActivity(played([[0, touch]], 30_000), 'touch_lease', MINUTE, 30_000), 1)).toEqual([
      'hold',
      'touch_lease',
      1.5,
    ]));
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
