import type { LightSensor } from '../home-assistant/events.ts';
import { levelOfPercent } from '../kit/level.ts';
import type { SettingValue } from '../kit/setting.ts';
import type { EpochMs } from '../kit/units.ts';
import type { AutoBrightnessDocument, LightHistory, LightSources } from './document.ts';
import type { BrightnessSettings, HistoryChart, RoomView } from './events.ts';
import { unknownRoom } from './off.ts';
import { sentenceOf } from './sentence.ts';
import { DEFAULTS } from './settings.ts';

type Values = Readonly<Record<string, SettingValue>>;

const numberOf = (value: SettingValue | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** What the owner chose, from the values of all settings. */
export const chosenOf = (values: Values): BrightnessSettings => ({
  minimumPercent: numberOf(values['auto_brightness_minimum_percent'], DEFAULTS.minimumPercent),
  maximumPercent: numberOf(values['auto_brightness_maximum_percent'], DEFAULTS.maximumPercent),
  responsePercent: numberOf(values['auto_brightness_response_percent'], DEFAULTS.responsePercent),
});

/** The entity that is the source; null for the panel's own sensor. */
const sourceIdOf = (values: Values): string | null => String(values['auto_brightness_ha_entity'] ?? '') || null;

const OFF = 'Automatic brightness is off.';

const left = (until: EpochMs, now: EpochMs): number => Math.max(0, Math.round(until - now));

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Three decimals are finer than any light sensor. */
const roundedOr = (value: number | null): number | null => (value === null ? null : rounded(value));

/** The decision as of now; `room` is null while the settings keep it off. */
export function documentOf(room: RoomView | null, values: Values, now: EpochMs): AutoBrightnessDocument {
  const { preference, ambient, ...facts } = room ?? unknownRoom;
  return {
    available: room !== null && room.state !== 'unavailable',
    state: room?.state ?? 'off',
    detail: room === null ? OFF : sentenceOf(room, now),
    enabled: values['auto_brightness'] === true,
    sourceKind: facts.sourceKind,
    sourceId: sourceIdOf(values),
    sourceAvailable: facts.sourceAvailable,
    sourceRevision: room?.sourceRevision ?? null,
    latestLux: roundedOr(facts.latestLux),
    expectedLux: roundedOr(facts.expectedLux),
    automaticTarget: facts.automaticTarget,
    appliedTarget: facts.appliedTarget,
    mode: facts.mode,
    brighter: facts.brighter,
    historyFault: facts.historyFault,
    manualPreference:
      preference === null
        ? null
        : {
            origin: preference.origin,
            requested: preference.requested,
            remainingMs: left(preference.endsAt, now),
            authority: rounded(preference.authority),
          },
    ambientTheme: {
      verdict: ambient.verdict,
      level: roundedOr(ambient.level),
      pendingMs: ambient.changesAt === null ? null : left(ambient.changesAt, now),
    },
  };
}

/** Minutes of one point of the chart. */
const BUCKET_MINUTES = 5;

/** The chart as it is served. */
export const historyOf = (chart: HistoryChart, hours: number): LightHistory => ({
  available: chart.latestEpochMinute !== null,
  hours,
  bucket_minutes: BUCKET_MINUTES,
  sensitivity: chart.settings.responsePercent,
  minimum_percent: chart.settings.minimumPercent,
  minimum_brightness: levelOfPercent(chart.settings.minimumPercent),
  maximum_percent: chart.settings.maximumPercent,
  maximum_brightness: levelOfPercent(chart.settings.maximumPercent),
  now_epoch_minute: chart.nowEpochMinute,
  sourceRevision: chart.sourceRevision,
  latestEpochMinute: chart.latestEpochMinute,
  time_zone: chart.timeZone,
  points: chart.points.map((point) => ({
    ...point,
    observedMeanLux: roundedOr(point.observedMeanLux),
    minLux: roundedOr(point.minLux),
    maxLux: roundedOr(point.maxLux),
    expectedLux: roundedOr(point.expectedLux),
  })),
});

/** The sensors whose id or name contains `q`, at most `limit`; null if Home Assistant could not be asked. */
export function sourcesOf(sensors: readonly LightSensor[] | null, q: string, limit: number): LightSources {
  const wanted = q.trim().toLowerCase();
  const matching = (sensors ?? []).filter(({ entityId, name }) =>
    [entityId, name].some((text) => text.toLowerCase().includes(wanted)),
  );
  return {
    available: sensors !== null,
    items: matching.slice(0, limit).map(({ entityId, name, unit, lux, updatedAt }) => ({
      entityId,
      friendlyName: name,
      unit,
      currentLux: roundedOr(lux),
      available: lux !== null,
      lastUpdatedEpochMs: updatedAt,
    })),
  };
}
