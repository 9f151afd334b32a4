import type { EpochMs } from './units.ts';

/** Elevation in degrees (geometric, without refraction), and whether it rises: true before the local solar noon. */
export interface SunPosition {
  readonly elevation: number;
  readonly isRising: boolean;
}

const DAY_MS = 86_400_000;

/** Noon of 2000-01-01, from which almanacs count days. */
const J2000_MS = 946_728_000_000;

const inRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * Position of the sun by the low-precision formulas of the Astronomical Almanac, which are good to 0.01 degrees from
 * 1950 to 2050; degrees north and east are positive.
 */
export function sunAt(at: EpochMs, place: { readonly latitude: number; readonly longitude: number }): SunPosition {
  const days = (at - J2000_MS) / DAY_MS;
  const anomaly = inRadians(357.528 + 0.985_600_3 * days);
  const meanLongitude = 280.46 + 0.985_647_4 * days;
  const longitude = inRadians(meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly));
  const obliquity = inRadians(23.439 - 0.000_000_4 * days);
  const sine = Math.sin(obliquity) * Math.sin(longitude);
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude));
  const siderealTime = inRadians(280.460_618_37 + 360.985_647_366_29 * days + place.longitude);
  const hourAngle = siderealTime - rightAscension;
  const latitude = inRadians(place.latitude);
  const height = Math.sin(latitude) * sine + Math.cos(latitude) * Math.sqrt(1 - sine * sine) * Math.cos(hourAngle);
  return {
    elevation: (Math.asin(Math.max(-1, Math.min(1, height))) * 180) / Math.PI,
    isRising: Math.sin(hourAngle) < 0,
  };
}
