import type { AutoSleepDocument, SleepHistory, SleepSources } from '#machines/auto-sleep/document.ts';

const keyOf = (index: number): string => index.toString(16).padStart(2, '0').padEnd(64, 'a');

/** The first `count` presence sensors of a hall that has `total`; each third is on, the second is left out. */
export const sensorsOf = (count: number, total = count): SleepSources => ({
  area_key: '5f'.repeat(32),
  area_name: 'Hall',
  items: Array.from({ length: count }, (_, index) => ({
    source_key: keyOf(index),
    entity_id: `binary_sensor.hall_presence_${index + 1}`,
    name: `Hall presence ${index + 1}`,
    state: index % 3 === 0 ? 'on' : index % 5 === 4 ? 'unavailable' : 'off',
    included: index !== 1,
  })),
  total,
});

const origins = ['presence', 'auto-sleep', 'touch', 'clock', 'home-assistant'] as const;

/** The decision four minutes before the screen goes off, with ten changes. */
export const fullSleepDocument = (now: number): AutoSleepDocument => ({
  available: true,
  enabled: true,
  source: 'home_assistant',
  phase: 'holding',
  reason: 'presence_lease',
  gap: null,
  learned_lease_ms: 600_000,
  source_count: 31,
  discovered_source_count: 40,
  area_name: 'Hall',
  manual_suppression: false,
  detail: 'Off in 4 min: nobody in the room, last seen 6 min ago.',
  until_epoch_ms: now + 240_000,
  screen_off_hours: { active: false, changes_epoch_ms: now + 12_000_000, why: null },
  night_dim_hours: { active: false, changes_epoch_ms: null, why: 'no-place' },
  changes: Array.from({ length: 10 }, (_, index) => ({
    epoch_ms: now - (index + 1) * 1_500_000,
    lit: index % 2 === 0,
    by: origins[index % origins.length] ?? 'touch',
    reason: index === 0 ? 'source_active' : null,
    source_key: index === 0 ? keyOf(0) : null,
  })),
});

/** Six hours of the first sensors: each comes and goes every 40 min, the third was away for an hour. */
export function hoursOf(now: number, hours = 6): SleepHistory {
  const from = now - hours * 3_600_000;
  const lanes = sensorsOf(3).items.map(({ source_key }, lane) => ({
    source_key,
    states: Array.from({ length: hours * 3 }, (_, index) => ({
      epoch_ms: from + index * 1_200_000 + lane * 180_000 * Math.sign(index),
      state: lane === 2 && index < 3 ? ('unavailable' as const) : index % 2 === 0 ? ('on' as const) : ('off' as const),
    })),
  }));
  return {
    available: true,
    hours,
    bucket_ms: 60_000,
    window_start_epoch_ms: from,
    window_end_epoch_ms: now,
    warmup_ms: 3_600_000,
    learned_lease_ms: 900_000,
    source_scope: 'selected_area_sources',
    area_sources_only: true,
    source_count: lanes.length,
    exclusions: ['past_touch'],
    segments: [
      { start_epoch_ms: from, end_epoch_ms: from + 3_600_000, category: 'inhibited', reason: 'source_loss' },
      {
        start_epoch_ms: from + 3_600_000,
        end_epoch_ms: now - 1_800_000,
        category: 'hold_awake',
        reason: 'source_active',
      },
      { start_epoch_ms: now - 1_800_000, end_epoch_ms: now, category: 'allow_sleep', reason: 'lease_expired' },
    ],
    source_lanes: lanes,
    detail: null,
  };
}
