import type { EpochMs } from './units.ts';

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
const DAY_QUARTERS = 96;

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

/** A calendar as `zoneClock` gives it. */
export type ZoneClock = ReturnType<typeof zoneClock>;

const localMinutes = ({ day, minuteOfDay }: LocalMinute): number => day * DAY_MINUTES + minuteOfDay;

/**
 * The first moment at which clocks show this minute: of a repeated hour the earlier one, and if clocks skip the minute,
 * the moment at which they do. A `minuteOfDay` of 1440 is the midnight after that day.
 */
export function firstMomentOf(clock: ZoneClock, local: LocalMinute): EpochMs {
  const wanted = localMinutes(local);
  const offsetOf = (quarter: number): number =>
    localMinutes(clock(quarter * QUARTER_MS)) - quarter * (QUARTER_MS / MINUTE_MS);
  // No zone is a whole day away from UTC, so that these enclose the moment. Few different ones are looked up.
  let low = (Math.floor(wanted / DAY_MINUTES) - 1) * DAY_QUARTERS;
  let high = (Math.floor(wanted / DAY_MINUTES) + 2) * DAY_QUARTERS;
  const [before, after] = [offsetOf(low), offsetOf(high)];
  if (before === after) return (wanted - before) * MINUTE_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(middle) === before) low = middle;
    else high = middle;
  }
  const changeAt = high * QUARTER_MS;
  const early = (wanted - before) * MINUTE_MS;
  return early < changeAt ? early : Math.max(changeAt, (wanted - after) * MINUTE_MS);
}
