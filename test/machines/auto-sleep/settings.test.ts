import { describe, expect, it } from 'vitest';

import { autoSleepSettings, isSleepWanted, sleepGroup, sleepSettingsOf } from '#machines/auto-sleep/settings.ts';
import { checkValue } from '#machines/settings/check-value.ts';
import { describeSetting } from '#machines/settings/registry.ts';

const rows = Object.entries(autoSleepSettings.shape).map(([key, field]) => describeSetting(key, field));

function check(key: string, raw: unknown): unknown {
  const row = rows.find((one) => one.key === key);
  if (row === undefined) throw new Error(`no setting ${key}`);
  const checked = checkValue(row, raw);
  return checked.ok ? checked.value : checked.message;
}

const defaults = Object.fromEntries(rows.map(({ key, defaultValue }) => [key, defaultValue ?? '']));

it('has these settings, in a group of its own, all for a panel with a screen', () => {
  expect(rows.map(({ key, type, default: value, min, max }) => [key, type, value, min, max])).toEqual([
    ['auto_sleep', 'BOOL', 'false', null, null],
    ['auto_sleep_source', 'ENUM', 'panel', null, null],
    ['auto_sleep_touch_delay_seconds', 'INT', '30', 5, 86_400],
    ['screen_off_hours', 'STRING', '', null, null],
    ['night_dim_hours', 'STRING', '', null, null],
    ['night_dim_percent', 'INT', '20', 1, 100],
    ['wake_on_announcement', 'BOOL', 'false', null, null],
    ['wake_on_entity', 'STRING', '', null, null],
    ['stay_awake_dashboard', 'STRING', '', null, null],
    ['auto_sleep_activity', 'BOOL', '', null, null],
  ]);
  expect(new Set(rows.map(({ group, needs }) => `${group} ${needs}`))).toEqual(new Set([`${sleepGroup.id} screen`]));
  expect(rows.filter(({ ha }) => ha).map(({ key, exposedByDefault }) => [key, exposedByDefault])).toEqual([
    ['auto_sleep', false],
    ['auto_sleep_activity', false],
  ]);
});

describe('a value', () => {
  it.each<[string, unknown, unknown]>([
    ['auto_sleep_source', 'Home_Assistant', 'home_assistant'],
    ['screen_off_hours', ' Mon-Fri 22:30 - 6:30;sat,sun 0:00-8:00 ', 'mon-fri 22:30-06:30; sat,sun 00:00-08:00'],
    ['screen_off_hours', '', ''],
    ['night_dim_hours', 'Sun', 'sun'],
    ['wake_on_entity', 'binary_sensor.doorbell', 'binary_sensor.doorbell'],
    ['stay_awake_dashboard', 'lovelace/../lovelace/cooking/', '/lovelace/cooking'],
    ['stay_awake_dashboard', '/', ''],
  ])('of %s: %s is kept as %s', (key, raw, value) => expect(check(key, raw)).toBe(value));

  it.each([
    [
      'screen_off_hours',
      '22:30-06:30; 25:00-08:00',
      'Screen off from and to cannot be understood. The second range, at character 14: 25:00 is no time of day.',
    ],
    [
      'screen_off_hours',
      'sun',
      'Screen off from and to cannot be understood. The first range, at its end: a time such as 22:30 must follow sun.',
    ],
    [
      'night_dim_hours',
      '20:00',
      'Dim from and to cannot be understood. The first range, at its end: a hyphen and the end, such as -06:30, must follow 20:00.',
    ],
    ['night_dim_percent', 0, 'Level while dim must be a whole number from 1 to 100 %.'],
    ['auto_sleep_touch_delay_seconds', 4, 'Off after the last touch must be a whole number from 5 to 86400 s.'],
    [
      'wake_on_entity',
      'doorbell',
      'Entity that lights the screen must be an entity such as binary_sensor.doorbell, or empty.',
    ],
    [
      'stay_awake_dashboard',
      'https://elsewhere.test/x',
      'Dashboard that keeps the screen on must be a path on Home Assistant, such as /lovelace/hallway, without http:// and the host.',
    ],
  ])('of %s: %s is refused', (key, raw, message) => expect(check(key, raw)).toBe(message));
});

describe('the owner’s choices', () => {
  it('are the defaults at first, under which the part does not run', () => {
    expect(sleepSettingsOf(defaults)).toEqual({
      enabled: false,
      source: 'panel',
      touchDelaySeconds: 30,
      offHours: '',
      dimHours: '',
      dimPercent: 20,
      wakeOnAnnouncement: false,
      wakeOnEntity: '',
      stayAwakeDashboard: '',
    });
    expect(sleepSettingsOf({})).toEqual(sleepSettingsOf(defaults));
    expect([isSleepWanted(defaults), isSleepWanted({})]).toEqual([false, false]);
  });

  it.each<[string, string | number | boolean, boolean, object]>([
    ['auto_sleep', true, true, { enabled: true }],
    ['screen_off_hours', '22:30-06:30', true, { offHours: '22:30-06:30' }],
    ['night_dim_hours', 'sun', true, { dimHours: 'sun' }],
    ['wake_on_announcement', true, true, { wakeOnAnnouncement: true }],
    ['wake_on_entity', 'input_boolean.lamp', true, { wakeOnEntity: 'input_boolean.lamp' }],
    ['auto_sleep_source', 'touch', false, { source: 'touch' }],
    ['auto_sleep_touch_delay_seconds', 90, false, { touchDelaySeconds: 90 }],
    ['night_dim_percent', 5, false, { dimPercent: 5 }],
    ['stay_awake_dashboard', '/lovelace/cooking', false, { stayAwakeDashboard: '/lovelace/cooking' }],
  ])('with %s %s: runs %s', (key, value, isWanted, chosen) => {
    const values = { ...defaults, [key]: value };
    expect(isSleepWanted(values)).toBe(isWanted);
    expect(sleepSettingsOf(values)).toMatchObject(chosen);
  });
});
