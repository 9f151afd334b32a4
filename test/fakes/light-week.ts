import type { BrightnessSettings, HistoryChart, HistoryPoint } from '#machines/auto-brightness/events.ts';

const BUCKETS = 2016;
const BUCKET_MINUTES = 5;
const DAY_MINUTES = 1440;

/** Light by the time of day: dark at night, a hump by day, lamps in the evening. */
function lightAt(minuteOfDay: number, day: number): number {
  const hour = minuteOfDay / 60;
  const sun = Math.max(0, Math.sin(((hour - 7) / 10) * Math.PI)) ** 1.5 * (600 + 350 * (day % 3));
  const clouds = 1 + 0.5 * Math.sin(hour * 9 + day * 2) * Math.sin(hour * 3.1);
  const lamps = hour >= 17 && hour < 22.5 ? 90 : 0;
  return hour < 7 || hour >= 17 ? lamps : sun * clouds;
}

/** A week of light in UTC that ends at `now`, with a gap of eight hours; the level follows `settings` roughly. */
export function lightWeek(now: number, settings: BrightnessSettings, sourceRevision = 1): HistoryChart {
  const nowEpochMinute = Math.floor(now / 60_000);
  const start = Math.ceil((nowEpochMinute - BUCKETS * BUCKET_MINUTES) / BUCKET_MINUTES) * BUCKET_MINUTES;
  const span = settings.maximumPercent - settings.minimumPercent;
  const points = Array.from({ length: BUCKETS }, (_, index): HistoryPoint => {
    const epochMinute = start + index * BUCKET_MINUTES;
    const [localDay, minuteOfDay] = [Math.floor(epochMinute / DAY_MINUTES), epochMinute % DAY_MINUTES];
    const isGap = index > 900 && index < 1000;
    const mean = lightAt(minuteOfDay, localDay);
    const expected = (lightAt(minuteOfDay, 0) + lightAt(minuteOfDay, 1)) / 2;
    const log =
      (Math.log1p(mean) * settings.responsePercent + Math.log1p(expected) * (100 - settings.responsePercent)) / 100;
    const percent = settings.minimumPercent + span * Math.min(1, log / Math.log1p(1500));
    return {
      epochMinute,
      localDay,
      minuteOfDay,
      dayAge: Math.floor(nowEpochMinute / DAY_MINUTES) - localDay,
      observedMeanLux: isGap ? null : mean,
      minLux: isGap ? null : mean * 0.6,
      maxLux: isGap ? null : mean * 1.5 + 2,
      expectedLux: expected,
      proposedBrightness: isGap ? null : Math.max(1, Math.round((percent * 255) / 100)),
    };
  });
  return { nowEpochMinute, latestEpochMinute: nowEpochMinute, timeZone: 'UTC', sourceRevision, settings, points };
}
