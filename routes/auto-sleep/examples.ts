import type {
  AutoSleepDocument,
  SleepHistory,
  SleepPrerequisite,
  SleepSources,
} from '#machines/auto-sleep/document.ts';

const NOW = 1_795_693_740_000;
const SENSOR = 'a0'.repeat(32);

/** Examples of the answers, for the document. */
export const decision: AutoSleepDocument = {
  available: true,
  enabled: true,
  source: 'home_assistant',
  phase: 'holding',
  reason: 'presence_lease',
  gap: null,
  learned_lease_ms: 900_000,
  source_count: 2,
  discovered_source_count: 3,
  area_name: 'Hall',
  manual_suppression: false,
  detail: 'Off in 9 min: nobody in the room, last seen 6 min ago.',
  until_epoch_ms: NOW + 540_000,
  screen_off_hours: { active: false, changes_epoch_ms: NOW + 36_000_000, why: null },
  night_dim_hours: { active: false, changes_epoch_ms: null, why: null },
  changes: [{ epoch_ms: NOW - 3_600_000, lit: true, by: 'presence', reason: 'source_active', source_key: SENSOR }],
};

export const prerequisite: SleepPrerequisite = {
  eligible: true,
  phase: 'assigned',
  area_name: 'Hall',
  detail: 'The presence sensors of the panel’s area can be used.',
};

export const replay: SleepHistory = {
  available: true,
  hours: 6,
  bucket_ms: 60_000,
  window_start_epoch_ms: NOW - 21_600_000,
  window_end_epoch_ms: NOW,
  warmup_ms: 3_600_000,
  learned_lease_ms: 900_000,
  source_scope: 'selected_area_sources',
  area_sources_only: true,
  source_count: 1,
  exclusions: [
    'past_touch',
    'panel_proximity',
    'manual_override_or_suppression',
    'screen_wake',
    'historical_learning_changes',
  ],
  segments: [
    {
      start_epoch_ms: NOW - 21_600_000,
      end_epoch_ms: NOW,
      category: 'hold_awake',
      reason: 'source_active',
    },
  ],
  source_lanes: [{ source_key: SENSOR, states: [{ epoch_ms: NOW - 21_600_000, state: 'on' }] }],
  detail: null,
};

export const sensors: SleepSources = {
  area_key: '5f'.repeat(32),
  area_name: 'Hall',
  items: [
    {
      source_key: SENSOR,
      entity_id: 'binary_sensor.hall_motion',
      name: 'Hall motion',
      state: 'off',
      included: true,
    },
  ],
  total: 3,
};
