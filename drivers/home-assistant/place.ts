import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

/** Steps per degree: 0.1 degrees are 11 km, enough for the position of the sun and no address. */
const PER_DEGREE = 10;
/** Begins as an IANA name does; `Intl` accepts offsets such as `+02:00` as well. */
const ZONE = /^[A-Za-z]/;

/** Degrees rounded to 0.1; null unless it is a number within `most` of zero. */
const degreesOf = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Math.abs(value) <= most ? Math.round(value * PER_DEGREE) / PER_DEGREE + 0 : null;

/** An IANA time zone that this runtime knows; null for anything else. */
function zoneOf(value: unknown): string | null {
  const name = textOf(value);
  if (name === null || !ZONE.test(name)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return name;
  } catch {
    return null;
  }
}

/** Where the house is, from the answer to `get_config`; half a position is none. */
export function placeIn(config: unknown): Extract<Reading, { readonly kind: 'place' }> {
  const { latitude, longitude, time_zone: zone } = fieldsOf(config);
  const [north, east] = [degreesOf(latitude, 90), degreesOf(longitude, 180)];
  const isKnown = north !== null && east !== null;
  return {
    kind: 'place',
    latitude: isKnown ? north : null,
    longitude: isKnown ? east : null,
    timeZone: zoneOf(zone),
  };
}
