import { describe, expect, it } from 'vitest';
import { lightOf, MinuteRows } from '#machines/simulator/played-room.ts';
import { type RoomLight, roomLight } from '#machines/simulator/room-light.ts';

const START = Date.UTC(2026, 8, 14);
const HOUR_MS = 3_600_000;

const day = (seed: number): readonly RoomLight[] => [...lightOf(seed, START, 1)];
const between = (light: readonly RoomLight[], from: number, to: number): readonly number[] =>
  light.filter(({ at }) => at >= START + from * HOUR_MS && at < START + to * HOUR_MS).map(({ lux }) => lux);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the generated light of a room', () => {
  it('is determined by its seed', () => {
    expect(day(7)).toEqual(day(7));
    expect(day(8)).not.toEqual(day(7));
  });

  it.each([1, 2, 3, 4, 5])('is that of a living room: seed %i', (seed) => {
    const light = day(seed);
    expect(light).toHaveLength(8640);
    expect(Math.max(...between(light, 0, 4))).toBeLessThan(1);
    expect(mean(between(light, 11, 13))).toBeGreaterThan(100);
    // The lamps are on in every evening from 18:30 to 22:30.
    expect(Math.min(...between(light, 20, 22))).toBeGreaterThan(80);
    expect(mean(between(light, 20, 22))).toBeLessThan(200);
  });

  it('stays within what a sensor can say, and goes on for two weeks at most', () => {
    const values = [...lightOf(3, START, 1000)].map(({ lux }) => lux);
    expect(values).toHaveLength(14 * 8640);
    expect(values.every((lux) => lux >= 0 && lux < 2000)).toBe(true);
    const sunk = roomLight({ seed: 1, startAt: START, days: 1, elevationAt: () => -90, minuteOfDayAt: () => 0 });
    expect(mean([...sunk].map(({ lux }) => lux))).toBeCloseTo(0.2, 2);
  });

  it('has a hand now and then, at most one a day', () => {
    const hands = [...lightOf(1, START, 14)].flatMap(({ at, hand }) =>
      hand === null ? [] : [Math.floor((at - START) / (24 * HOUR_MS))],
    );
    expect(hands.length).toBeGreaterThan(0);
    expect(hands.length).toBeLessThan(14);
    expect(new Set(hands).size).toBe(hands.length);
  });
});

it('makes rows of minutes as a panel keeps them', () => {
  const minutes = new MinuteRows();
  for (const lux of [0, 1, 2, 3, 4, 5, 9].entries())
    minutes.add({ at: START + lux[0] * 10_000, lux: lux[1], steadyLux: 0, hand: null });
  expect(minutes.rows).toEqual([
    {
      minute: START / 60_000,
      luxMs: 150_000,
      coveredMs: 60_000,
      min: 0,
      max: 5,
      last: 5,
      samples: 6,
      baselineLogMs: expect.closeTo(10_000 * Math.log(720), 3),
      baselineMs: 60_000,
    },
  ]);
});
