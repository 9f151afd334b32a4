import { describe, expect, it } from 'vitest';

import type { SourceLane } from '#machines/auto-sleep/events.ts';
import { replayOf } from '#machines/auto-sleep/replay.ts';
import { type Evening, EVENING_MS, eveningOf, eveningSensors } from '#machines/simulator/evening.ts';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 8, 14, 18);
const evenings = Array.from({ length: 40 }, (_, index) => eveningOf(index + 1));

const lanesOf = ({ events }: Evening): readonly SourceLane[] =>
  eveningSensors.map((key) => ({
    key,
    states: [
      { at: FROM - 60 * MINUTE, state: 'off' },
      ...events.flatMap((event) =>
        event.type === 'source' && event.sensor === key ? [{ at: FROM + event.at, state: event.state }] : [],
      ),
    ],
  }));

describe('the generated evening', () => {
  it('is determined by its seed', () => {
    expect(eveningOf(7)).toEqual(eveningOf(7));
    expect(eveningOf(8)).not.toEqual(eveningOf(7));
  });

  it('runs from 18:00 to 02:00, by time', () => {
    for (const { events } of evenings) {
      const moments = events.map(({ at }) => at);
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      expect(moments.every((at) => Number.isInteger(at) && at > 0 && at < EVENING_MS)).toBe(true);
      expect(events.length).toBeGreaterThan(50);
      expect(events.length).toBeLessThan(1000);
    }
  });

  it('has a person who comes and goes, and each stay apart from the next', () => {
    for (const { stays } of evenings) {
      expect(stays.length).toBeGreaterThan(1);
      for (const [index, { from, to }] of stays.entries()) {
        expect(to).toBeGreaterThan(from);
        expect((stays[index + 1]?.from ?? Infinity) - to).toBeGreaterThanOrEqual(2 * MINUTE);
      }
    }
  });

  it('has sensors that turn on and off in turn, and end off', () => {
    for (const evening of evenings)
      for (const { key, states } of lanesOf(evening)) {
        const told = states.map(({ state }) => state);
        expect(told, key).toEqual(told.map((_, index) => (index % 2 === 0 ? 'off' : 'on')));
        expect(told.at(-1)).toBe('off');
      }
  });

  it('has touches only while the person is there, and none between the hand that switches off and the end', () => {
    const kinds = { touch: 0, wave: 0, off: 0 };
    for (const { stays, events } of evenings) {
      const offs = events.filter(({ type }) => type === 'off');
      expect(offs.length).toBeLessThanOrEqual(1);
      kinds.off += offs.length;
      for (const event of events) {
        if (event.type === 'source') continue;
        const stay = stays.find(({ from, to }) => event.at >= from && event.at < to);
        expect(stay).toBeDefined();
        if (event.type === 'off') continue;
        kinds[event.isWave ? 'wave' : 'touch'] += 1;
        expect(offs.some(({ at }) => event.at >= at && event.at < (stay?.to ?? 0) && at >= (stay?.from ?? 0))).toBe(
          false,
        );
      }
    }
    expect(kinds.touch).toBeGreaterThan(10 * evenings.length);
    expect(kinds.wave).toBeGreaterThan(evenings.length);
    expect(kinds.off).toBeGreaterThan(20);
    expect(kinds.off).toBeLessThan(evenings.length);
  });

  it('lets the screen sleep before the person comes, and again at the end', () => {
    for (const evening of evenings) {
      const { segments } = replayOf({
        lanes: lanesOf(evening),
        from: FROM,
        to: FROM + EVENING_MS,
        leaseMs: 10 * MINUTE,
      });
      expect([segments.at(0)?.verdict, segments.at(-1)?.verdict]).toEqual(['allow_sleep', 'allow_sleep']);
      for (const { from, to, verdict } of segments)
        if (verdict === 'allow_sleep')
          expect(
            evening.stays.some((stay) => FROM + stay.from + 1.1 * MINUTE < to && FROM + stay.to > from),
            `seed ${evening.seed}`,
          ).toBe(false);
    }
  });
});
