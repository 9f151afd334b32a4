import type { Place } from '#machines/auto-brightness/events.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { zoneClock } from '#machines/kit/zone.ts';

const HOUR_MINUTES = 60;

const twoDigits = (value: number): string => `${value}`.padStart(2, '0');

/** Tells the time of a moment where the house is, as `06:30`; by the system's zone while the place is not known. */
export function wallClock(): (at: EpochMs | null, place: Place | null) => string | null {
  let zone: string | null = null;
  let local = zoneClock(zone);
  return (at, place) => {
    if (at === null) return null;
    const wanted = place?.timeZone ?? null;
    if (wanted !== zone) {
      zone = wanted;
      local = zoneClock(zone);
    }
    const { minuteOfDay } = local(at);
    return `${twoDigits(Math.floor(minuteOfDay / HOUR_MINUTES))}:${twoDigits(minuteOfDay % HOUR_MINUTES)}`;
  };
}
