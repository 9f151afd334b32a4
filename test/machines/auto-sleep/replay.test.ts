import { describe, expect, it } from 'vitest';

import type { Replay, SourceLane } from '#machines/auto-sleep/events.ts';
import { noPresence, presenceAfterFeed, presenceVerdict } from '#machines/auto-sleep/presence.ts';
import { replayOf, ROWS_MAX, WARMUP_MS } from '#machines/auto-sleep/replay.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LEASE = 10 * MINUTE;
const FROM = Date.UTC(2026, 8, 14, 18);

type Row = readonly [minute: number, state: 'on' | 'off' | 'unavailable'];

/** A lane by minutes from `FROM`. */
const lane = (key: string, ...rows: readonly Row[]): SourceLane => ({
  key,
  states: rows.map(([minute, state]) => ({ at: FROM + minute * MINUTE, state })),
});

const replayed = (lanes: readonly SourceLane[], hours = 1, leaseMs = LEASE): Replay =>
  replayOf({ lanes, from: FROM, to: FROM + hours * HOUR, leaseMs });

/** Segments as `from to verdict reason`, in minutes. */
const told = ({ segments }: Replay): readonly string[] =>
  segments.map(
    ({ from, to, verdict, reason }) => `${(from - FROM) / MINUTE} ${(to - FROM) / MINUTE} ${verdict} ${reason}`,
  );

it('warms up for as long as the longest lease, and takes 20,000 rows', () =>
  expect([WARMUP_MS, ROWS_MAX]).toEqual([3_600_000, 20_000]));

describe('the decisions of the last hours', () => {
  it.each<[string, readonly SourceLane[], readonly string[]]>([
    ['no sources', [], ['0 60 inhibited no_sources_configured']],
    ['a source without a record', [lane('a')], ['0 60 inhibited all_sources_unavailable']],
    ['an empty room', [lane('a', [-60, 'off'])], ['0 60 allow_sleep lease_expired']],
    [
      'a person who comes and goes',
      [lane('a', [-60, 'off'], [10, 'on'], [20, 'off'])],
      [
        '0 10 allow_sleep lease_expired',
        '10 20 hold_awake source_active',
        '20 30 hold_awake presence_lease',
        '30 60 allow_sleep lease_expired',
      ],
    ],
    [
      'a person who left before',
      [lane('a', [-60, 'off'], [-30, 'on'], [-5, 'off'])],
      ['0 5 hold_awake presence_lease', '5 60 allow_sleep lease_expired'],
    ],
    [
      'a person who passes within a minute',
      [lane('a', [-60, 'off'], [10.2, 'on'], [10.4, 'off'])],
      ['0 11 allow_sleep lease_expired', '11 21 hold_awake presence_lease', '21 60 allow_sleep lease_expired'],
    ],
    [
      'two sources, of which one stays on',
      [lane('a', [-60, 'off'], [10, 'on'], [20, 'off']), lane('b', [-60, 'off'], [15, 'on'], [40, 'off'])],
      [
        '0 10 allow_sleep lease_expired',
        '10 40 hold_awake source_active',
        '40 50 hold_awake presence_lease',
        '50 60 allow_sleep lease_expired',
      ],
    ],
    [
      'a source that is lost while it sleeps',
      [lane('a', [-60, 'off'], [10, 'unavailable'], [20, 'off'])],
      ['0 10 allow_sleep lease_expired', '10 20 inhibited all_sources_unavailable', '20 60 allow_sleep lease_expired'],
    ],
    [
      'a source that is lost while it is awake',
      [lane('a', [-60, 'on'], [10, 'unavailable'], [20, 'off'])],
      [
        '0 10 hold_awake source_active',
        '10 20 inhibited all_sources_unavailable',
        '20 30 hold_awake presence_lease',
        '30 60 allow_sleep lease_expired',
      ],
    ],
    [
      'a part that is lost',
      [lane('a', [-60, 'on'], [10, 'off']), lane('b', [-60, 'off'], [5, 'unavailable'], [50, 'off'])],
      ['0 10 hold_awake source_active', '10 50 hold_awake partial_source_loss', '50 60 hold_awake presence_lease'],
    ],
  ])('%s', (_, lanes, segments) => expect(told(replayed(lanes))).toEqual(segments));

  it('takes the lease it is given', () => {
    const replay = replayed([lane('a', [-60, 'on'], [10, 'off'])], 1, 45 * MINUTE);
    expect(replay.leaseMs).toBe(45 * MINUTE);
    expect(told(replay)[1]).toBe('10 55 hold_awake presence_lease');
  });

  it('ends within a minute if it is asked so', () => {
    const replay = replayOf({ lanes: [lane('a', [-60, 'on'])], from: FROM, to: FROM + 90_500, leaseMs: 0 });
    expect(replay.segments).toEqual([
      { from: FROM, to: FROM + 90_500, verdict: 'hold_awake', reason: 'source_active' },
    ]);
  });
});

describe('lanes', () => {
  it('begin with what was before, and show changes only', () =>
    expect(
      replayed([lane('a', [-90, 'on'], [-70, 'off'], [5, 'off'], [10, 'on'], [59.5, 'off']), lane('b')]).lanes,
    ).toEqual([lane('a', [0, 'off'], [10, 'on'], [59.5, 'off']), lane('b', [0, 'unavailable'])]));
});

describe('foreign rows', () => {
  const sorted = lane('a', [-60, 'off'], [10, 'on'], [20, 'off'], [40, 'on']);
  const expected = replayed([sorted]);

  it.each<[string, readonly SourceLane[]]>([
    ['in any order', [{ key: 'a', states: sorted.states.toReversed() }]],
    ['twice', [{ key: 'a', states: [...sorted.states, ...sorted.states] }]],
    [
      'with a moment that is corrected',
      [lane('a', [10, 'unavailable'], [-60, 'off'], [10, 'on'], [20, 'off'], [40, 'on'])],
    ],
    ['of the future', [lane('a', [60, 'off'], [-60, 'off'], [10, 'on'], [20, 'off'], [40, 'on'], [1e6, 'off'])]],
    ['of no time', [lane('a', [Number.NaN, 'on'], [-60, 'off'], [10, 'on'], [20, 'off'], [40, 'on'])]],
    ['of long ago', [lane('a', [-1e6, 'on'], [-60, 'off'], [10, 'on'], [20, 'off'], [40, 'on'])]],
  ])('%s', (_, lanes) => expect(replayed(lanes)).toEqual(expected));

  it.each([
    ['that ends before it begins', FROM, FROM - 1],
    ['of no time', Number.NaN, Number.NaN],
    ['without an end', FROM, Infinity],
  ])('a span %s has nothing', (_, from, to) =>
    expect(replayOf({ lanes: [sorted], from, to, leaseMs: MINUTE })).toMatchObject({
      segments: [],
      lanes: [{ key: 'a', states: [] }],
    }),
  );

  it('has the newest 48 h, and 32 sources', () => {
    const lanes = Array.from({ length: 40 }, (_, index) => lane(`${index}`, [-60, index < 32 ? 'off' : 'on']));
    const replay = replayOf({ lanes, from: FROM - 100 * HOUR, to: FROM + HOUR, leaseMs: MINUTE });
    expect([replay.from, replay.lanes.length]).toEqual([FROM - 47 * HOUR, 32]);
    expect(replay.segments.at(-1)).toMatchObject({ to: FROM + HOUR, reason: 'lease_expired' });
  });

  it('has the newest 20,000 rows', () => {
    const many = Array.from({ length: ROWS_MAX - 1 }, (_, index): Row => [index / 1000, 'off']);
    const began = (...earlier: readonly Row[]) => replayed([lane('a', ...earlier), lane('b', ...many)]).lanes[0];
    expect(began([-60, 'on'])?.states).toEqual(lane('a', [0, 'on']).states);
    expect(began([-61, 'on'], [-60, 'off'])?.states).toEqual(lane('a', [0, 'off']).states);
    expect(replayed([lane('a', [-60, 'on']), lane('b', ...many, [30, 'off'])]).lanes[0]?.states).toEqual(
      lane('a', [0, 'unavailable']).states,
    );
  });
});

/** Verdict and reason of each minute of the hour, by a feed for each row and nothing saved. */
function plainly(lanes: readonly SourceLane[]): readonly string[] {
  let presence = noPresence;
  let isAsleep = false;
  const decide = (at: number): string => {
    const { verdict, reason } = presenceVerdict(presence, at);
    if (verdict !== 'inhibited') isAsleep = verdict === 'sleep';
    return `${verdict} ${reason}`;
  };
  const stateAt = (at: number) => (one: SourceLane) => ({
    key: one.key,
    state: one.states.findLast((row) => row.at <= at)?.state ?? 'unavailable',
  });
  const feedAt = (at: number, revision: number): void => {
    decide(at);
    const sources = lanes.map(stateAt(at));
    presence = presenceAfterFeed(presence, { kind: 'live', sources }, { generation: 0, revision }, at, LEASE, isAsleep);
  };
  const moments = lanes.flatMap(({ states }) => states.map(({ at }) => at)).toSorted((a, b) => a - b);
  const minutes = Array.from({ length: 60 }, (_, minute) => FROM + minute * MINUTE);
  let next = 0;
  return minutes.map((now) => {
    for (; (moments[next] ?? Infinity) <= now; next += 1) feedAt(moments[next] ?? 0, next);
    return decide(now);
  });
}

it('decides as a panel does that is given each state', () => {
  const words = { hold_awake: 'hold', allow_sleep: 'sleep', inhibited: 'inhibited' };
  const seen = new Set<string>();
  for (let seed = 1; seed <= amount(100, 1000); seed += 1) {
    const random = sequence(seed);
    const odd = pick(random, ['off', 'on', 'unavailable'] as const);
    const states = ['off', 'off', 'on', odd] as const;
    const lanes = Array.from({ length: 1 + random(3) }, (_, key) =>
      lane(
        `${key}`,
        ...Array.from({ length: random(7) }, (__, index): Row => [index * 20 - 60 + random(20), pick(random, states)]),
      ),
    );
    const { segments } = replayed(lanes);
    const minutes = segments.flatMap(({ from, to, verdict, reason }) =>
      Array.from({ length: (to - from) / MINUTE }, () => `${words[verdict]} ${reason}`),
    );
    const expected = plainly(lanes);
    if (minutes.join() !== expected.join()) expect(minutes, `seed ${seed}`).toEqual(expected);
    for (const minute of minutes) seen.add(minute);
  }
  // No sources are not among them.
  expect([...seen].toSorted()).toEqual([
    'hold partial_source_loss',
    'hold presence_lease',
    'hold source_active',
    'inhibited all_sources_unavailable',
    'sleep lease_expired',
  ]);
});

it('replays 48 h of 32 sources with 20,000 rows quickly', () => {
  // Twelve times, they change all the time for half an hour.
  const random = sequence(1);
  const rowOf = (index: number): Row => [
    Math.floor(index / 52) * 240 + (index % 52) * 0.58 + random(50) / 100,
    index % 52 === 51 ? 'off' : pick(random, ['on', 'off', 'unavailable']),
  ];
  const lanes = Array.from({ length: 32 }, (_, key) =>
    lane(`${key}`, ...Array.from({ length: ROWS_MAX / 32 }, (__, index) => rowOf(index))),
  );
  const before = process.cpuUsage();
  const { segments } = replayed(lanes, 48);
  const { user, system } = process.cpuUsage(before);
  expect(segments.length).toBeGreaterThan(24);
  // Ten times as long as it takes on a slow machine.
  expect((user + system) / 1000).toBeLessThan(500);
});
