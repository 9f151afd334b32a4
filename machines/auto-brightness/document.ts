import { z } from 'zod';
import { once } from '../kit/once.ts';

const lux = (what: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .meta({ description: `${what}, in lx; null while unknown.` });
const level = (what: string) =>
  z
    .int()
    .min(1)
    .max(255)
    .nullable()
    .meta({ description: `${what}, 1 to 255 as Home Assistant counts; null for none.` });
const percent = (what: string) => z.int().min(0).max(100).meta({ description: what });

/** Answer of `GET /api/v1/auto-brightness`. */
export const AutoBrightnessDocument = once(() =>
  z
    .object({
      available: z.boolean().meta({ description: 'True while a level is decided.' }),
      state: z.enum(['off', 'unavailable', 'dark', 'following', 'preferred']).meta({
        description:
          '`dark`: the screen is dark, and the level is the one that it lights with. `preferred`: a person’s choice counts.',
      }),
      detail: z.string().meta({ description: 'The decision and its reasons in one sentence.' }),
      enabled: z.boolean().meta({ description: 'The setting `auto_brightness`.' }),
      sourceKind: z
        .enum(['panel', 'home_assistant'])
        .nullable()
        .meta({ description: 'Whose sensor is read: the panel’s own, or an entity; null for none.' }),
      sourceId: z
        .string()
        .nullable()
        .meta({ description: 'The setting `auto_brightness_ha_entity`; null for the panel’s own sensor.' }),
      sourceAvailable: z.boolean().meta({ description: 'True while the sensor gives usable values.' }),
      sourceRevision: z
        .int()
        .nullable()
        .meta({ description: 'Counts changes of the source, its place and its account; null while this is off.' }),
      latestLux: lux('The newest value'),
      expectedLux: lux('The light expected at this time'),
      automaticTarget: level('The level that the light asks for'),
      appliedTarget: level('The level that displays have, or light with'),
      mode: z
        .enum(['cold_start', 'provisional', 'learning', 'confident'])
        .nullable()
        .meta({ description: 'How much was learned; null while unknown.' }),
      brighter: z.boolean().meta({ description: 'True while the room counts as brighter than expected.' }),
      historyFault: z.string().nullable().meta({
        description: 'Why the history cannot be kept now, such as `ENOSPC`; decisions go on. Null while it can.',
      }),
      manualPreference: z
        .object({
          origin: z.enum(['home_assistant', 'panel_controls', 'system']).meta({
            description: 'Who chose it: Home Assistant, this panel’s pages, or a program on the panel.',
          }),
          requested: z.int().min(1).max(255).meta({ description: 'The chosen level, 1 to 255.' }),
          remainingMs: z.int().min(0).meta({ description: 'How long it still counts, in milliseconds.' }),
          authority: z
            .number()
            .min(0)
            .max(1)
            .meta({ description: 'The share of the automatic: 0.2 at first, then 1.' }),
        })
        .nullable()
        .meta({ description: 'A level that a person chose, while it counts.' }),
      ambientTheme: z
        .object({
          verdict: z
            .enum(['dark', 'light'])
            .nullable()
            .meta({ description: 'What the theme `Ambient` shows; null while unknown.' }),
          level: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .meta({ description: 'The brightness as a share of full, before minimum and maximum.' }),
          pendingMs: z
            .int()
            .min(0)
            .nullable()
            .meta({ description: 'Milliseconds until another verdict takes effect; null if none is pending.' }),
        })
        .meta({ description: 'What the light says of the dashboard’s theme.' }),
    })
    .meta({ id: 'AutoBrightnessDecision', description: 'The brightness that follows the light of the room.' }),
);
export type AutoBrightnessDocument = z.infer<ReturnType<typeof AutoBrightnessDocument>>;

const LightPoint = once(() =>
  z.object({
    epochMinute: z.int().meta({ description: 'Its start, in minutes since the Unix epoch.' }),
    localDay: z.int().meta({ description: 'Days since 1970-01-01 in `time_zone`.' }),
    minuteOfDay: z.int().min(0).max(1439).meta({ description: 'Minute of that day.' }),
    dayAge: z.int().min(0).meta({ description: '0 is today.' }),
    observedMeanLux: lux('The mean light'),
    minLux: lux('The least light'),
    maxLux: lux('The most light'),
    expectedLux: lux('The light expected at that time'),
    proposedBrightness: level('The level that these settings would give'),
  }),
);

/** Answer of `GET /api/v1/auto-brightness/history`. */
export const LightHistory = once(() =>
  z
    .object({
      available: z.boolean().meta({ description: 'True if anything was measured in these hours.' }),
      hours: z.int().min(1).max(168).meta({ description: 'How far it goes back.' }),
      bucket_minutes: z.int().meta({ description: 'Minutes of one point.' }),
      sensitivity: percent('How strongly unusual light counts, in percent.'),
      minimum_percent: percent('The darkest level, in percent.'),
      minimum_brightness: z.int().meta({ description: 'The same as a level, 1 to 255.' }),
      maximum_percent: percent('The brightest level, in percent.'),
      maximum_brightness: z.int().meta({ description: 'The same as a level, 1 to 255.' }),
      now_epoch_minute: z.int().meta({ description: 'When it was drawn, in minutes since the Unix epoch.' }),
      sourceRevision: z.int().meta({ description: 'As in `/api/v1/auto-brightness`.' }),
      latestEpochMinute: z.int().nullable().meta({ description: 'The newest measured minute; null for none.' }),
      time_zone: z.string().meta({ description: 'IANA time zone of its days.' }),
      points: z.array(LightPoint()).max(2016).meta({ description: 'Oldest first.' }),
    })
    .meta({ id: 'LightHistory', description: 'The light of the last hours, and the levels that settings would give.' }),
);
export type LightHistory = z.infer<ReturnType<typeof LightHistory>>;

/** Answer of `GET /api/v1/auto-brightness/sources`. */
export const LightSources = once(() =>
  z
    .object({
      available: z.boolean().meta({ description: 'False while Home Assistant could not be asked.' }),
      items: z
        .array(
          z.object({
            entityId: z.string().meta({ description: 'Its entity id.' }),
            friendlyName: z.string().meta({ description: 'Its name; "" without one.' }),
            unit: z.string().meta({ description: 'Unit of its value.' }),
            currentLux: lux('Its value'),
            available: z.boolean().meta({ description: 'True while it gives a usable value.' }),
            lastUpdatedEpochMs: z
              .int()
              .nullable()
              .meta({ description: 'When that was last updated, in milliseconds since the Unix epoch.' }),
          }),
        )
        .meta({ description: 'Those with a usable value first.' }),
    })
    .meta({ id: 'LightSources', description: 'The light sensors of Home Assistant.' }),
);
export type LightSources = z.infer<ReturnType<typeof LightSources>>;
