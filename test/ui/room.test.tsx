import { describe, expect, test } from 'vitest';

import type { AutoBrightnessDocument, LightHistory } from '#machines/auto-brightness/document.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { BOUNDS, DEFAULTS } from '#machines/auto-brightness/settings.ts';
import { documentOf, historyOf } from '#machines/auto-brightness/view.ts';
import { lightWeek } from '#test/fakes/light-week.ts';
import { RoomChart, RoomDays } from '#ui/parts/room-chart.tsx';
import {
  bandOf,
  ceilingOf,
  daysOf,
  foldsOf,
  heightOf,
  lineOf,
  PLOT_HEIGHT,
  startOf,
  weekday,
  widthOf,
} from '#ui/parts/room-plot.ts';
import { roomSliders } from '#ui/parts/room-levels.tsx';
import { RoomSources } from '#ui/parts/room-sources.tsx';
import { RoomView, type RoomViewProps } from '#ui/parts/room-view.tsx';
import { durationWords, luxWords } from '#ui/parts/room-words.ts';

import { markupOf } from './markup.ts';

const now = Date.UTC(2026, 10, 26, 14, 2);
const week = historyOf(lightWeek(now, DEFAULTS), 168);

type Light = Partial<LightHistory['points'][number]>;

/** An hour of points every five minutes; those given as null are gaps. */
function hourOf(lights: readonly (Light | null)[]): LightHistory {
  const first = week.points[0];
  if (first === undefined) throw new Error('the week is empty');
  const start = Math.floor(now / 300_000) * 5 - 55;
  const gap = { observedMeanLux: null, minLux: null, maxLux: null, expectedLux: null, proposedBrightness: null };
  const points = lights.map((light, index) => ({ ...first, ...gap, ...light, epochMinute: start + index * 5 }));
  return { ...week, hours: 1, now_epoch_minute: start + 55, points };
}

test('the sliders reach as far as their settings', () => {
  for (const { of, min, max } of roomSliders) expect({ of, min, max }).toEqual({ of, ...BOUNDS[of] });
});

describe('the chart', () => {
  test('of a week has 336 half hours, and 2,016 points at most', () => {
    expect(widthOf(week)).toBe(2016);
    expect(foldsOf(week, 6)).toHaveLength(336);
    expect(foldsOf(week, 1)).toHaveLength(2016);
    // From edge to edge: the newest is not cut off.
    expect(foldsOf(week, 1)[0]?.at).toBe(0);
    expect(foldsOf(week, 1).at(-1)?.at).toBe(2015);
  });

  test('joins points by the least, the most, and the mean that the eye sees', () => {
    const history = hourOf([
      { observedMeanLux: 0, minLux: 0, maxLux: 5, expectedLux: null, proposedBrightness: 10 },
      { observedMeanLux: 99, minLux: 90, maxLux: 120, expectedLux: 3, proposedBrightness: 30 },
      null,
      null,
    ]);
    const [both, none] = foldsOf(history, 2);
    expect(both?.mean).toBeCloseTo(9);
    expect(both).toMatchObject({ at: 0, min: 0, max: 120, expected: expect.closeTo(3), level: 20 });
    expect(none).toEqual({ at: 2, mean: null, min: null, max: null, expected: null, level: null });
  });

  test('leaves a gap where nothing was measured, also where points are missing', () => {
    const lit = { observedMeanLux: 10, minLux: 1, maxLux: 20 };
    const height = ({ mean }: { readonly mean: number | null }) => mean;
    const line = (history: LightHistory) =>
      lineOf(foldsOf(history, 1), 1, (fold) => Math.round(height(fold) ?? 0) || null);
    expect(line(hourOf([lit, lit, null, lit]))).toBe('M0 10h1h1M3 10h1');
    const full = hourOf([lit, lit, lit, lit]);
    expect(line({ ...full, points: full.points.filter((_, index) => index !== 2) })).toBe('M0 10h1h1M3 10h1');
    expect(line(hourOf([null, null]))).toBe('');
  });

  test('draws a band around what was measured', () => {
    const history = hourOf([
      { minLux: 1, maxLux: 20 },
      { minLux: 2, maxLux: 30 },
    ]);
    const band = bandOf(
      foldsOf(history, 1),
      1,
      ({ max }) => max,
      ({ min }) => min,
    );
    // Along the top to the right, down, and back along the bottom.
    expect(band).toBe('M0 20l1 10h1l0-28h-1l-1-1z');
  });

  test('reaches the first power of ten above all light, and is logarithmic', () => {
    const ceilings = [0, 50, 100, 999, 5000, 100_000].map((maxLux) => ceilingOf(hourOf([{ maxLux }])));
    expect(ceilings).toEqual([100, 100, 1000, 1000, 10_000, 100_000]);
    expect([0, 9, 99, 9999].map((lux) => heightOf(lux, 9999))).toEqual([PLOT_HEIGHT, 300, 200, 0]);
  });

  test('is cut by the midnights of the place', () => {
    const days = daysOf(week);
    expect(days).toHaveLength(8);
    expect(days.map(({ day }) => weekday(day))).toEqual(['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed', 'Thu']);
    const midnight = Date.UTC(2026, 10, 20) / 60_000;
    expect(days[1]?.from).toBe((midnight - startOf(week)) / 5);
    expect(days.map(({ to }) => to)).toEqual([...days.slice(1).map(({ from }) => from), 2016]);
  });

  test('has its content in words, by day too', () => {
    const chart = markupOf(<RoomChart history={week} size={6} />);
    expect(chart).toMatch(/aria-label="Light in the room over seven days: 0 lx to [\d,]+ lx\."/);
    expect(chart).toMatch(/aria-label="Level of the screen over seven days: 4 % to \d+ %\."/);
    const days = markupOf(<RoomDays history={week} />);
    expect(days).toContain('<th scope="row">Thu, 26 Nov</th>');
    expect(days.match(/<tr>/g)).toHaveLength(9);
    expect(markupOf(<RoomDays history={hourOf([null])} />)).toContain('nothing measured');
  });

  test('shows the saved level beside a preview', () => {
    const other = historyOf(lightWeek(now, { ...DEFAULTS, minimumPercent: 40 }), 168);
    expect(markupOf(<RoomChart history={other} size={6} saved={week} />)).toContain('level as saved');
    expect(markupOf(<RoomChart history={week} size={6} />)).not.toContain('plot-saved');
  });
});

describe('the decision and its sensor', () => {
  const doc: AutoBrightnessDocument = documentOf({ ...unknownRoom, why: 'no-source' }, { auto_brightness: true }, now);
  const draw = (more: Partial<RoomViewProps>): string =>
    markupOf(<RoomView doc={doc} own={null} entity={null} isSignedIn={true} now={now} isLive={true} {...more} />);

  test('says what would help a panel that measures no light', () => {
    expect(draw({})).toContain('Choose a light sensor of Home Assistant below');
    expect(draw({})).toContain('Choose a sensor');
    const signedOut = draw({ isSignedIn: false });
    expect(signedOut).toContain('<a href="/sign-in">');
    expect(signedOut).toMatch(/<details class="fold" id="room-sources" hidden/);
    expect(draw({ own: { name: '', lux: 120, at: now - 2000 } })).not.toContain('Choose a light sensor of');
  });

  test('proves the sensor by what it reads and since when', () => {
    expect(draw({ own: { name: '', lux: 1200.4, at: now - 12_000 } })).toContain('1,200 lx, 12 s ago');
    expect(draw({ own: { name: '', lux: null, at: null } })).toContain('no reading now');
    const chosen = { ...doc, sourceId: 'sensor.hall', latestLux: 7.26 };
    expect(draw({ doc: chosen })).toMatch(/7\.3 lx<[\s\S]*sensor\.hall, in Home Assistant/);
    expect(draw({ doc: chosen, entity: { name: 'Hall', lux: 9, at: now - 60_000 } })).toMatch(
      /9 lx, 1 min ago<[\s\S]*Hall, in Home Assistant/,
    );
    expect(draw({ doc: chosen, isSignedIn: false })).toContain('so this sensor cannot be read');
  });

  test('offers the way back only while a choice counts', () => {
    const choice = { origin: 'system', requested: 200, remainingMs: 12_000_000, authority: 0.3 } as const;
    expect(draw({})).not.toContain('Back to automatic');
    const held = draw({ doc: { ...doc, manualPreference: choice } });
    expect(held).toContain('Back to automatic');
    expect(held).toContain('for another 3 h 20 min');
  });

  test('has no button that works without scripts', () => {
    for (const [button] of draw({ isLive: false }).matchAll(/<button[^>]*>/g)) expect(button).toContain('disabled');
    expect(draw({ isLive: true })).not.toContain('disabled');
  });

  test('explains itself while it is off', () => {
    expect(draw({ doc: documentOf(null, {}, now) })).toContain('never lights a dark screen');
  });
});

describe('the sensors to choose from', () => {
  const item = (index: number, more = {}) => ({
    entityId: `sensor.light_${index}`,
    friendlyName: `Light ${index}`,
    unit: 'lx',
    currentLux: 5,
    available: true,
    lastUpdatedEpochMs: now - 60_000,
    ...more,
  });
  const draw = (count: number, more = {}): string => {
    const sources = { available: true, items: Array.from({ length: count }, (_, index) => item(index)) };
    const props = { chosen: null, own: { lux: 3 }, isSignedIn: true, sources, q: '', now, ...more };
    return markupOf(<RoomSources {...props} />);
  };

  test('are the panel’s own and those of Home Assistant, the one in use marked', () => {
    const drawn = draw(2, { chosen: 'sensor.light_1' });
    expect([...drawn.matchAll(/data-source="([^"]*)" aria-pressed="(\w+)"/g)].map(([, id, is]) => [id, is])).toEqual([
      ['', 'false'],
      ['sensor.light_0', 'false'],
      ['sensor.light_1', 'true'],
    ]);
    expect(drawn).toContain('in use · 5 lx, 1 min ago');
    expect(draw(0, { own: null })).not.toContain('data-source');
  });

  test('can be searched once there are many', () => {
    expect(draw(7)).not.toContain('type="search"');
    const found = draw(12, { q: 'light 11' });
    expect(found).toContain('type="search"');
    expect(found).toContain('1 sensor<');
    expect(found.match(/data-source="sensor/g)).toHaveLength(1);
  });

  test.each([
    [{ isSignedIn: false }, 'href="/sign-in"'],
    [{ sources: null }, 'Asking Home Assistant'],
    [{ sources: { available: false, items: [] } }, 'Home Assistant does not answer now'],
    [{ sources: { available: true, items: [] } }, 'has no sensor that measures light'],
  ])('%j says why there are none', (more, words) => expect(draw(0, more)).toContain(words));
});

test('numbers are in words that fit the eye', () => {
  expect([0, 0.04, 7.26, 9.96, 119.6, 1000, 100_000].map(luxWords)).toEqual([
    '0 lx',
    '0 lx',
    '7.3 lx',
    '10 lx',
    '120 lx',
    '1,000 lx',
    '100,000 lx',
  ]);
  expect([1000, 60_000, 3_600_000, 12_000_000].map(durationWords)).toEqual(['1 min', '1 min', '1 h', '3 h 20 min']);
});
