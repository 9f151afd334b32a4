import { z } from 'zod';
import { ENTITY_ID_LENGTH } from '../kit/entity-id.ts';
import { reading, setting, textUpTo, wholeNumber } from '../kit/fields.ts';
import { homePathField } from '../kit/home-path-field.ts';
import type { SettingGroup, SettingMeta, SettingValue } from '../kit/setting.ts';
import { type SleepSettings, sourceModes } from './events.ts';
import { HOURS_LENGTH, hoursText, parsedHours } from './hours-text.ts';

/** Defaults of what the owner can choose (the delay as panel-assistant). */
const DEFAULTS = { touchDelaySeconds: 30, dimPercent: 20 } as const;

/** Least and most of the same. */
const BOUNDS = {
  touchDelaySeconds: { min: 5, max: 86_400 },
  dimPercent: { min: 1, max: 100 },
} as const;

/** Any entity that can be on or off, or none. */
const WAKE_ENTITY = /^(?:|[a-z0-9_]+\.[a-z0-9_]+)$/;

/** The page under `/configure`, right after the one of the screen. */
export const sleepGroup: SettingGroup = {
  id: 'sleep',
  title: 'Sleep and hours',
  icon: 'mdi:clock-outline',
  after: 'screen',
};

const shared = { group: sleepGroup.id, needs: 'screen', scope: 'device' } as const satisfies Partial<SettingMeta>;

/** Hours as the owner writes them, kept in their canonical spelling; a refusal names the place of the fault. */
const hoursField = (allows: { readonly sun: boolean }): z.ZodString =>
  textUpTo(
    HOURS_LENGTH,
    z.check<string>((ctx) => {
      const hours = parsedHours(ctx.value, allows);
      if (hours.ok) return;
      // The end of "<title> ...", which gets a full stop.
      const message = `cannot be understood. ${hours.message.replace(/\.$/, '')}`;
      ctx.issues.push({ code: 'custom', input: ctx.value, message });
    }),
    z.overwrite<string>((written) => {
      const hours = parsedHours(written, allows);
      return hours.ok ? hoursText(hours.value) : written;
    }),
  );

/** Settings of what the screen does by itself. */
export const autoSleepSettings = z.object({
  auto_sleep: setting(z.boolean(), false, {
    ...shared,
    title: 'Sleep in an empty room',
    help: 'The screen goes off once nothing shows that a person is there, and on when a person comes.',
    tier: 'basic',
    ha: { entityKind: 'switch', icon: 'mdi:sleep' },
  }),
  auto_sleep_source: setting(z.enum(sourceModes), 'panel', {
    ...shared,
    title: 'Presence is seen by',
    help: 'Its own proximity sensor, the presence sensors of its area in Home Assistant, or touches alone.',
    tier: 'basic',
  }),
  auto_sleep_touch_delay_seconds: setting(wholeNumber(BOUNDS.touchDelaySeconds), DEFAULTS.touchDelaySeconds, {
    ...shared,
    title: 'Off after the last touch',
    help: 'How long the screen stays on without a touch, if touches alone count.',
    tier: 'basic',
    unit: 's',
  }),
  screen_off_hours: setting(hoursField({ sun: false }), '', {
    ...shared,
    title: 'Screen off from and to',
    help: 'Up to four times of the day, each for some days or for all; a touch lights the screen for two minutes.',
    tier: 'basic',
    scope: 'portable',
    placeholder: 'mon-fri 22:30-06:30; sat,sun 00:00-08:00',
  }),
  night_dim_hours: setting(hoursField({ sun: true }), '', {
    ...shared,
    title: 'Dim from and to',
    help: 'Times as above, or sun: from sunset to sunrise where your home is.',
    tier: 'basic',
    scope: 'portable',
    placeholder: '20:00-07:00',
  }),
  night_dim_percent: setting(wholeNumber(BOUNDS.dimPercent), DEFAULTS.dimPercent, {
    ...shared,
    title: 'Level while dim',
    help: 'The screen is no brighter than this in those hours, unless you set it.',
    tier: 'basic',
    scope: 'portable',
    unit: '%',
  }),
  wake_on_announcement: setting(z.boolean(), false, {
    ...shared,
    title: 'Announcements light the screen',
    help: 'A dark screen is lit while an announcement plays, and for 10 seconds after it.',
    tier: 'basic',
    scope: 'portable',
  }),
  wake_on_entity: setting(
    textUpTo(ENTITY_ID_LENGTH, z.regex(WAKE_ENTITY, 'must be an entity such as binary_sensor.doorbell, or empty')),
    '',
    {
      ...shared,
      title: 'Entity that lights the screen',
      help: 'When it turns on in Home Assistant, the screen is lit for two minutes.',
      tier: 'advanced',
      placeholder: 'binary_sensor.doorbell',
    },
  ),
  stay_awake_dashboard: setting(homePathField(), '', {
    ...shared,
    title: 'Dashboard that keeps the screen on',
    help: 'While the panel shows this page of Home Assistant, the screen stays on; leave it empty for none.',
    tier: 'advanced',
    placeholder: '/lovelace/cooking',
  }),
  auto_sleep_activity: reading(z.boolean(), {
    ...shared,
    title: 'Auto-sleep activity',
    help: 'Whether the screen is kept on because a person is there; says nothing while auto-sleep is off.',
    tier: 'advanced',
  }),
});

type Values = Readonly<Record<string, SettingValue>>;

const numberOf = (value: SettingValue | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

const textOf = (value: SettingValue | undefined): string => (typeof value === 'string' ? value : '');

/** What the owner chose, from the values of all settings. */
export const sleepSettingsOf = (values: Values): SleepSettings => ({
  enabled: values['auto_sleep'] === true,
  source: sourceModes.find((mode) => mode === values['auto_sleep_source']) ?? 'panel',
  touchDelaySeconds: numberOf(values['auto_sleep_touch_delay_seconds'], DEFAULTS.touchDelaySeconds),
  offHours: textOf(values['screen_off_hours']),
  dimHours: textOf(values['night_dim_hours']),
  dimPercent: numberOf(values['night_dim_percent'], DEFAULTS.dimPercent),
  wakeOnAnnouncement: values['wake_on_announcement'] === true,
  wakeOnEntity: textOf(values['wake_on_entity']),
  stayAwakeDashboard: textOf(values['stay_awake_dashboard']),
});

/** The settings that decide if the part runs. */
export const wantedKeys = [
  'auto_sleep',
  'screen_off_hours',
  'night_dim_hours',
  'wake_on_announcement',
  'wake_on_entity',
] as const;

/** True if one of them asks for something. */
export const isSleepWanted = (values: Values): boolean =>
  wantedKeys.some((key) => values[key] !== undefined && values[key] !== false && values[key] !== '');
