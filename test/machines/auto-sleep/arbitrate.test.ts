import { describe, expect, it } from 'vitest';

import { arbitrate, type Situation } from '#machines/auto-sleep/arbitrate.ts';
import type { Holds, SleepReason } from '#machines/auto-sleep/events.ts';

const AT = 1_000_000;
const LATER = AT + 60_000;
const noHolds: Holds = { announcement: false, calibration: false, ownPages: false, dashboard: false };

const empty: Situation = {
  presence: { verdict: 'sleep', reason: 'lease_expired', gap: null, until: null },
  holds: noHolds,
  handUntil: null,
  entityUntil: null,
  announcementUntil: null,
  isOffHours: false,
  suppression: null,
  at: AT,
};

type Presence = NonNullable<Situation['presence']>;

const presence = (verdict: Presence['verdict'], reason: SleepReason, until: number | null = null) => ({
  presence: { verdict, reason, gap: null, until },
});
const holding = (hold: keyof Holds) => ({ holds: { ...noHolds, [hold]: true } });

interface Row {
  readonly reason: SleepReason;
  readonly screen: 'on' | 'off' | 'leave';
  readonly given: Partial<Situation>;
}

/** The order of the arbiter. */
const order: readonly Row[] = [
  { reason: 'hand_lease', screen: 'on', given: { handUntil: LATER } },
  { reason: 'announcement', screen: 'on', given: holding('announcement') },
  { reason: 'calibration', screen: 'on', given: holding('calibration') },
  { reason: 'own_pages', screen: 'on', given: holding('ownPages') },
  { reason: 'dashboard', screen: 'on', given: holding('dashboard') },
  { reason: 'entity', screen: 'on', given: { entityUntil: LATER } },
  { reason: 'screen_off_hours', screen: 'off', given: { isOffHours: true } },
  { reason: 'disabled', screen: 'leave', given: { presence: null } },
  { reason: 'lease_expired', screen: 'off', given: presence('sleep', 'lease_expired') },
  { reason: 'manual_suppression', screen: 'leave', given: { suppression: { until: null } } },
  { reason: 'source_active', screen: 'on', given: presence('hold', 'source_active') },
  ...(['presence_lease', 'touch_lease', 'approach_lease', 'partial_source_loss'] as const).map((reason): Row => {
    return { reason, screen: 'on', given: presence('hold', reason, LATER - 1) };
  }),
  ...(['no_sources_configured', 'all_sources_unavailable', 'source_loss'] as const).map((reason): Row => {
    return { reason, screen: 'leave', given: presence('inhibited', reason) };
  }),
];

/** What does not win over everything below it. */
const exceptions: Readonly<Record<string, SleepReason>> = {
  // A source that is on lasts longer than the lease of a hand, and says more.
  'hand_lease over source_active': 'source_active',
  // Nothing would switch the screen off.
  'hand_lease over disabled': 'disabled',
  'calibration over disabled': 'disabled',
  'own_pages over disabled': 'disabled',
  'dashboard over disabled': 'disabled',
};

function joined(one: Row, other: Row): Situation {
  const holds = { ...noHolds };
  for (const { given } of [one, other]) {
    for (const hold of ['announcement', 'calibration', 'ownPages', 'dashboard'] as const)
      if (given.holds?.[hold] === true) holds[hold] = true;
  }
  return { ...empty, ...other.given, ...one.given, holds };
}

const pairs = order.flatMap((one, index) =>
  order.slice(index + 1).flatMap((other) => {
    // There is one verdict of presence at a time.
    if (one.given.presence !== undefined && other.given.presence !== undefined) return [];
    const name = `${one.reason} over ${other.reason}`;
    return [{ name, one, other, reason: exceptions[name] ?? one.reason }];
  }),
);

describe('the arbiter', () => {
  it.each(order)('knows $reason alone', ({ reason, screen, given }) => {
    const alone = reason === 'manual_suppression' ? presence('hold', 'source_active') : {};
    expect(arbitrate({ ...empty, ...alone, ...given })).toMatchObject({ screen, reason });
  });

  it.each(pairs)('$name', ({ one, other, reason }) => {
    const screen = order.find((row) => row.reason === reason)?.screen;
    expect(arbitrate(joined(one, other))).toMatchObject({ screen, reason });
  });

  it('has a row for every reason that it may give', () => {
    expect(pairs).toHaveLength(108);
  });

  it.each([
    ['a hand', { handUntil: LATER }, LATER],
    ['a hand and a longer lease', { handUntil: LATER, ...presence('hold', 'touch_lease', LATER + 1) }, LATER + 1],
    ['a hand and a source', { handUntil: LATER, ...presence('hold', 'source_active') }, null],
    ['a hand and a dashboard', { handUntil: LATER, ...holding('dashboard') }, null],
    ['an entity and the end of an announcement', { entityUntil: LATER, announcementUntil: LATER - 5 }, LATER],
    ['a lease', presence('hold', 'presence_lease', LATER), LATER],
    ['a hand within off-hours', { handUntil: LATER, isOffHours: true, ...presence('hold', 'source_active') }, LATER],
    [
      'a hand after another had switched it off',
      { handUntil: LATER, suppression: { until: null }, ...presence('hold', 'source_active') },
      LATER,
    ],
    ['suppression that ends', { suppression: { until: LATER }, ...presence('hold', 'source_active') }, LATER],
  ])('tells until when %s decides', (_, given, until) => {
    expect(arbitrate({ ...empty, ...given }).until).toBe(until);
  });

  it.each([
    ['handUntil', 'hand_lease'],
    ['entityUntil', 'entity'],
    ['announcementUntil', 'announcement'],
  ] as const)('ends with %s', (field, reason) => {
    expect(arbitrate({ ...empty, [field]: AT + 1 }).reason).toBe(reason);
    expect(arbitrate({ ...empty, [field]: AT }).reason).toBe('lease_expired');
  });
});
