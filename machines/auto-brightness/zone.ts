import type { EpochMs } from '../kit/units.ts';

/** A point in time by the calendar of a place. */
export interface LocalMinute {
  /** Days since 1970-01-01 of that calendar. */
  readonly day: number;
  /** 0 to 1439. */
  readonly minuteOfDay: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** Zones change their offset from UTC only at multiples of this. */
const QUARTER_MS = 900_000;

/** Twice the quarter hours of a week. */
const CACHED_QUARTERS = 1_344;

/** Formats offsets, `GMT+05:45`; null for the system's zone, which also counts for a name that does not exist. */
function formatOf(timeZone: string | null): Intl.DateTimeFormat | null {
  if (timeZone === null) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

const offsetPattern = /GMT(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)/;

/** Minutes that clocks are ahead of UTC. */
function offsetAt(at: EpochMs, format: Intl.DateTimeFormat | null): number {
  if (format === null) return -new Date(at).getTimezoneOffset();
  const { sign, hours, minutes } = offsetPattern.exec(format.format(at))?.groups ?? {};
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}

/** Name of the zone that counts for `timeZone`: the system's for null, or for a name that does not exist. */
export const zoneNameOf = (timeZone: string | null): string =>
  timeZone !== null && formatOf(timeZone) !== null ? timeZone : new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The calendar of an IANA time zone, or of the system's for null; slow only once for each quarter hour. */
export function zoneClock(timeZone: string | null): (at: EpochMs) => LocalMinute {
  const format = formatOf(timeZone);
  const offsets = new Map<number, number>();
  const cachedOffset = (at: EpochMs): number => {
    const quarter = Math.floor(at / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    if (offsets.size >= CACHED_QUARTERS) offsets.clear();
    const offset = offsetAt(quarter * QUARTER_MS, format);
    offsets.set(quarter, offset);
    return offset;
  };
  return (at) => {
    const minutes = Math.floor(at / MINUTE_MS) + cachedOffset(at);
    const day = Math.floor(minutes / DAY_MINUTES);
    return { day, minuteOfDay: minutes - day * DAY_MINUTES };
  };
}
