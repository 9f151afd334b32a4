import { getPosition, getTimes } from 'suncalc';
import { describe, expect, it } from 'vitest';

import { sunAt } from '#machines/kit/sun.ts';

const HOUR = 3_600_000;
const YEAR_START = Date.UTC(2026, 0, 1);

/** Degrees by which the air lifts the sun (Saemundsson); suncalc's altitude has that in it. */
function refraction(elevation: number): number {
  const above = Math.max(0, elevation);
  return 1.02 / 60 / Math.tan(((above + 10.3 / (above + 5.11)) * Math.PI) / 180);
}

const places = [
  ['Berlin', 52.5, 13.4],
  ['Quito', -0.2, -78.5],
  ['Sydney', -33.9, 151.2],
  ['Ushuaia', -54.8, -68.3],
  ['Honolulu', 21.3, -157.9],
  ['Kathmandu', 27.7, 85.3],
  ['Longyearbyen, with polar day and night', 78.2, 15.6],
  ['the South Pole station', -89.9, 0],
  ['Fiji, beside the date line', -17.7, 178],
] as const;

describe.each(places)('the sun over %s', (_, latitude, longitude) => {
  it('is where suncalc sees it, within 0.3 degrees all year', () => {
    let worst = 0;
    // Every 5 h: all hours of the day in turn.
    for (let at = YEAR_START; at < YEAR_START + 366 * 24 * HOUR; at += 5 * HOUR) {
      const { elevation } = sunAt(at, { latitude, longitude });
      const { altitude } = getPosition(new Date(at), latitude, longitude);
      worst = Math.max(worst, Math.abs(elevation + refraction(elevation) - altitude));
    }
    expect(worst).toBeLessThan(0.3);
    // The formulas are better than what is required: a wrong digit shows here.
    expect(worst).toBeLessThan(0.03);
  });

  it('rises while suncalc sees it in the east', () => {
    let compared = 0;
    const wrong: string[] = [];
    for (let at = YEAR_START; at < YEAR_START + 366 * 24 * HOUR; at += 5 * HOUR) {
      const { azimuth } = getPosition(new Date(at), latitude, longitude);
      // Near noon and midnight 0.03 degrees may decide.
      if (Math.abs(Math.sin((azimuth * Math.PI) / 180)) < 0.02) continue;
      compared += 1;
      if (sunAt(at, { latitude, longitude }).isRising !== azimuth < 180) wrong.push(new Date(at).toISOString());
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1_500);
  });
});

describe('the sun', () => {
  it('stays up in the polar summer, and down in the polar winter', () => {
    const place = { latitude: 78.2, longitude: 15.6 };
    const day = Array.from({ length: 24 }, (_, hour) => hour * HOUR);
    const heights = (start: number) => day.map((hour) => sunAt(start + hour, place).elevation);
    expect(Math.min(...heights(Date.UTC(2026, 5, 21)))).toBeGreaterThan(11);
    expect(Math.max(...heights(Date.UTC(2026, 11, 21)))).toBeLessThan(-11);
  });

  it('has no refraction: at sunrise its centre is 0.833 degrees below the horizon', () => {
    const [latitude, longitude] = [52.5, 13.4];
    const { sunrise } = getTimes(new Date(Date.UTC(2026, 2, 20)), latitude, longitude);
    expect(sunAt(Number(sunrise), { latitude, longitude }).elevation).toBeCloseTo(-0.833, 1);
  });
});
