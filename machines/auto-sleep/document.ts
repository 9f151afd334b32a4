import { z } from 'zod';
import { once } from '../kit/once.ts';
import { gaps, replayFaults, sleepReasons, sourceModes } from './events.ts';

const moment = (what: string) => z.int().meta({ description: `${what}, milliseconds since the Unix epoch.` });
const leaseMs = () =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'How long the screen stays lit after the last sign of a person; null while unknown.' });
const sourceKey = () => z.string().meta({ description: 'Key of the sensor, 64 hexadecimal digits.' });
const areaName = () => z.string().nullable().meta({ description: 'The panel’s area in Home Assistant, if known.' });
const reason = once(() => z.enum(sleepReasons));
const sourceState = once(() => z.enum(['on', 'off', 'unavailable']));

const rule = once(() =>
  z.object({
    active: z.boolean().meta({ description: 'True within the hours.' }),
    changes_epoch_ms: moment('When they begin or end next').nullable(),
    why: z.enum(['no-place']).nullable().meta({
      description: '`no-place`: the hours go by the sun, and it is not known where the house is.',
    }),
  }),
);

/** Answer of `GET /api/v1/auto-sleep`. */
export const AutoSleepDocument = once(() =>
  z
    .object({
      available: z.boolean().meta({ description: 'True while the screen is decided about.' }),
      enabled: z.boolean().meta({ description: 'The setting `auto_sleep`.' }),
      source: z.enum(sourceModes).meta({ description: 'The setting `auto_sleep_source`.' }),
      phase: z.enum(['off', 'unavailable', 'holding', 'sleeping', 'inhibited']).meta({
        description: 'Whether the screen is kept lit, may go dark, or is left as it is for want of sensors.',
      }),
      reason: reason().meta({ description: 'Why so; the hours count also while auto-sleep is off.' }),
      gap: z.enum(gaps).nullable().meta({ description: 'Why there are no sensors; null while there are some.' }),
      learned_lease_ms: leaseMs(),
      source_count: z.int().min(0).meta({ description: 'Sensors that count.' }),
      discovered_source_count: z.int().min(0).meta({ description: 'Sensors found, also those that are left out.' }),
      area_name: areaName(),
      manual_suppression: z.boolean().meta({
        description: 'True while a person switched the screen off, so that no sensor lights it.',
      }),
      detail: z.string().meta({ description: 'The decision and its reasons in one sentence.' }),
      until_epoch_ms: moment('When the decision changes if nothing happens before').nullable(),
      screen_off_hours: rule().meta({ description: 'The hours in which the screen is off.' }),
      night_dim_hours: rule().meta({ description: 'The hours in which the screen is dimmed.' }),
      changes: z
        .array(
          z.object({
            epoch_ms: moment('When it changed'),
            lit: z.boolean().meta({ description: 'True if it came on.' }),
            by: z.string().meta({ description: 'What switched it, as in the status.' }),
            reason: reason().nullable().meta({ description: 'Why, if it was auto-sleep or the hours.' }),
            source_key: sourceKey().nullable(),
          }),
        )
        .meta({ description: 'The last ten switches of the screen, the newest first.' }),
    })
    .meta({ id: 'AutoSleepDecision', description: 'Whether the screen sleeps while the room is empty, as of now.' }),
);
export type AutoSleepDocument = z.infer<ReturnType<typeof AutoSleepDocument>>;

/** Answer of `GET /api/v1/auto-sleep/prerequisite`. */
export const SleepPrerequisite = once(() =>
  z
    .object({
      eligible: z.boolean().meta({ description: 'True if sensors of Home Assistant can be the source.' }),
      phase: z.enum(['assigned', 'unassigned', 'auth_failed', 'unavailable']).meta({
        description:
          '`unassigned`: the panel has no area, or is unknown; `auth_failed`: sign in first; `unavailable`: try again.',
      }),
      area_name: areaName(),
      detail: z.string().max(240).meta({ description: 'One sentence: what is so, or the step that helps.' }),
    })
    .meta({ id: 'AutoSleepPrerequisite', description: 'The panel’s area, as Home Assistant has it now.' }),
);
export type SleepPrerequisite = z.infer<ReturnType<typeof SleepPrerequisite>>;

/** What the replay does not consider. */
export const exclusions = [
  'past_touch',
  'panel_proximity',
  'manual_override_or_suppression',
  'screen_wake',
  'historical_learning_changes',
] as const;

/** Answer of `GET /api/v1/auto-sleep/history`. */
export const SleepHistory = once(() =>
  z
    .object({
      available: z.boolean().meta({ description: 'True if there is a window.' }),
      hours: z.int().min(1).max(48).meta({ description: 'How far it goes back.' }),
      bucket_ms: z.literal(60_000).meta({ description: 'How finely it is replayed.' }),
      window_start_epoch_ms: moment('Where the window begins').nullable(),
      window_end_epoch_ms: moment('Where it ends').nullable(),
      warmup_ms: z.literal(3_600_000).meta({ description: 'How much before the window was read as well.' }),
      learned_lease_ms: leaseMs(),
      source_scope: z.literal('selected_area_sources').meta({ description: 'The sensors that count.' }),
      area_sources_only: z.literal(true).meta({ description: 'Touches and hands are not replayed.' }),
      source_count: z.int().min(0).meta({ description: 'How many sensors.' }),
      exclusions: z.array(z.enum(exclusions)).meta({ description: 'What it does not know of.' }),
      segments: z
        .array(
          z.object({
            start_epoch_ms: moment('Where it begins'),
            end_epoch_ms: moment('Where it ends'),
            category: z.enum(['hold_awake', 'allow_sleep', 'inhibited']).meta({ description: 'What followed.' }),
            reason: reason().meta({ description: 'Why.' }),
          }),
        )
        .meta({ description: 'What followed from the sensors, oldest first.' }),
      source_lanes: z
        .array(
          z.object({
            source_key: sourceKey(),
            states: z
              .array(
                z.object({ epoch_ms: moment('Since when'), state: sourceState().meta({ description: 'Its state.' }) }),
              )
              .meta({ description: 'Oldest first.' }),
          }),
        )
        .meta({ description: 'What each sensor reported.' }),
      detail: z.enum(replayFaults).nullable().meta({
        description: 'Why there is nothing newer; the last complete view is shown then. Null if this one is new.',
      }),
    })
    .meta({ id: 'AutoSleepHistory', description: 'The last hours of the sensors, and what follows from them.' }),
);
export type SleepHistory = z.infer<ReturnType<typeof SleepHistory>>;

/** The sensors of the panel's area, as the page `/room` shows them. */
export const SleepSources = once(() =>
  z
    .object({
      area_key: z.string().meta({ description: 'Key of the area, 64 hexadecimal digits.' }),
      area_name: z.string().meta({ description: 'Its name.' }),
      items: z
        .array(
          z.object({
            source_key: sourceKey(),
            entity_id: z.string().meta({ description: 'Its entity id.' }),
            name: z.string().meta({ description: 'Its name; "" without one.' }),
            state: sourceState().meta({ description: 'What it reports now.' }),
            included: z.boolean().meta({ description: 'Whether it counts.' }),
          }),
        )
        .meta({ description: 'At most 32, by entity id.' }),
      total: z.int().min(0).meta({ description: 'Presence sensors of the area, also those beyond the list.' }),
    })
    .meta({ id: 'AutoSleepSources', description: 'The presence sensors of the panel’s area.' }),
);
export type SleepSources = z.infer<ReturnType<typeof SleepSources>>;
