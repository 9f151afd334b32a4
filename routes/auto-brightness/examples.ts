import type { AutoBrightnessDocument, LightHistory, LightSources } from '#machines/auto-brightness/document.ts';

/** Examples of the answers, for the document. */
export const decision: AutoBrightnessDocument = {
  available: true,
  state: 'preferred',
  detail: '34 %: darker than usual for this hour; you chose 60 % 40 min ago, half of that still counts.',
  enabled: true,
  sourceKind: 'home_assistant',
  sourceId: 'sensor.hall_illuminance',
  sourceAvailable: true,
  sourceRevision: 3,
  latestLux: 119.5,
  expectedLux: 210,
  automaticTarget: 60,
  appliedTarget: 87,
  mode: 'confident',
  brighter: false,
  historyFault: null,
  manualPreference: { origin: 'panel_controls', requested: 153, remainingMs: 12_000_000, authority: 0.28 },
  ambientTheme: { verdict: 'dark', level: 0.31, pendingMs: null },
};

export const chart: LightHistory = {
  available: true,
  hours: 168,
  bucket_minutes: 5,
  sensitivity: 50,
  minimum_percent: 4,
  minimum_brightness: 10,
  maximum_percent: 100,
  maximum_brightness: 255,
  now_epoch_minute: 29_928_229,
  sourceRevision: 3,
  latestEpochMinute: 29_928_229,
  time_zone: 'Europe/Berlin',
  points: [
    {
      epochMinute: 29_928_225,
      localDay: 20_783,
      minuteOfDay: 765,
      dayAge: 0,
      observedMeanLux: 119.5,
      minLux: 104,
      maxLux: 131,
      expectedLux: 210,
      proposedBrightness: 87,
    },
  ],
};

export const sensors: LightSources = {
  available: true,
  items: [
    {
      entityId: 'sensor.hall_illuminance',
      friendlyName: 'Hall illuminance',
      unit: 'lx',
      currentLux: 119.5,
      available: true,
      lastUpdatedEpochMs: 1_795_693_740_000,
    },
  ],
};
