import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Answer, Ask } from '#drivers/home-assistant/bounded.ts';
import { messageJudge } from '#drivers/home-assistant/message-judge.ts';
import { sourceOf } from '#drivers/home-assistant/topics.ts';

const M = 60_000;
const H = 60 * M;
const DAY = 24 * H;
const NOW = Date.UTC(2026, 10, 26, 11, 25, 40);
const WHOLE = NOW - 40_000;
const ID = 'sensor.hall_light';

type Command = Parameters<Ask>[0];
const is = (value: unknown): Answer<unknown> => ({ ok: true, value });
const refused = (code: string | null): Answer<unknown> => ({ ok: false, code });
const at = (text: unknown): number => Date.parse(String(text));

/** Reads the history of a Home Assistant that answers so; with what it was asked for its states. */
async function read(
  statistics: Answer<unknown>,
  states: (from: number, to: number, command: Command) => Answer<unknown>,
  days = 7,
) {
  const asked: Command[] = [];
  const ranges: (readonly [number, number])[] = [];
  const ask: Ask = (command) => {
    asked.push(command);
    if (command.type === 'recorder/statistics_during_period') return Promise.resolve(statistics);
    const range = [at(command['start_time']), at(command['end_time'])] as const;
    ranges.push(range);
    return Promise.resolve(states(...range, command));
  };
  const reading = await sourceOf({ kind: 'light-history', entityId: ID, days }).read(
    ask,
    () => Promise.resolve({}),
    NOW,
  );
  if (reading !== null && reading.kind !== 'light-history') throw new Error(reading.kind);
  return { light: reading === null ? null : reading.light, asked, ranges };
}
const none = () => is({});
/** States that change `perSecond` times a second, each with the second as its value. */
const changing = (perSecond: number) => (from: number, to: number) =>
  is({
    [ID]: Array.from({ length: Math.ceil(((to - from) / 1000) * perSecond) }, (_, row) => ({
      s: String(row % 100),
      lu: from / 1000 + row / perSecond,
    })),
  });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('recorded light', () => {
  it('is the statistics by 5 minutes, and then no states are asked for', async () => {
    const rows = [
      { start: WHOLE - 10 * M, end: WHOLE - 5 * M, mean: 12.5, min: -1, max: 250_000 },
      { start: WHOLE - 5 * M, end: WHOLE, mean: 3, min: 2, max: 4 },
      { start: WHOLE - 5 * M, end: WHOLE, mean: null, min: null, max: null },
      { start: 'x', mean: 1, min: 1, max: 1 },
      7,
    ];
    const { light, asked } = await read(is({ [ID]: rows, 'sensor.other': rows }), none);
    expect(light).toEqual([
      { minute: WHOLE / M - 10, minutes: 5, mean: 12.5, min: 0, max: 100_000 },
      { minute: WHOLE / M - 5, minutes: 5, mean: 3, min: 2, max: 4 },
    ]);
    expect(asked).toEqual([
      {
        type: 'recorder/statistics_during_period',
        start_time: new Date(WHOLE - 7 * DAY).toISOString(),
        statistic_ids: [ID],
        period: '5minute',
        types: ['mean', 'min', 'max'],
      },
    ]);
  });

  it('has at most the newest 2,016 statistics', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => ({ start: row * 5 * M, mean: 1, min: 1, max: 1 }));
    const { light } = await read(is({ [ID]: rows }), none);
    expect([light?.length, light?.at(-1)?.minute]).toEqual([2016, 2999 * 5]);
  });

  it.each([
    ['there are none', is({})],
    ['it has none with a mean', is({ [ID]: [{ start: WHOLE, mean: null, min: null, max: null }] })],
    ['there is no recorder', refused('unknown_command')],
  ])('without statistics, since %s, is folded from the states by the hour', async (_, statistics) => {
    const { light, asked, ranges } = await read(
      statistics,
      (from) =>
        is({
          [ID]: [
            { s: '10', lu: (from - DAY) / 1000, a: {} },
            { s: '30', lu: (from + 30_000) / 1000 },
          ],
        }),
      1,
    );
    expect(asked[1]).toEqual({
      type: 'history/history_during_period',
      start_time: new Date(WHOLE - 5 * M).toISOString(),
      end_time: new Date(WHOLE).toISOString(),
      entity_ids: [ID],
      minimal_response: true,
      no_attributes: true,
      significant_changes_only: false,
    });
    // Without a gap, from the newest back.
    expect(ranges.slice(0, 2)).toEqual([
      [WHOLE - 5 * M, WHOLE],
      [WHOLE - H - 5 * M, WHOLE - 5 * M],
    ]);
    expect(ranges.at(-1)?.[0]).toBe(WHOLE - DAY);
    expect(ranges.slice(1).every(([, to], row) => to === ranges[row]?.[0])).toBe(true);
    expect(light?.length).toBe(24 * 60);
    expect(light?.map(({ minute }) => minute)).toEqual(light?.map((_row, row) => (WHOLE - DAY) / M + row));
    expect(light?.at(-5)).toEqual({ minute: WHOLE / M - 5, minutes: 1, mean: 20, min: 10, max: 30 });
    expect(light?.at(-1)).toMatchObject({ mean: 30, min: 30, max: 30 });
  });

  it('is never longer than a week, 10,080 minutes, and not shorter than a day', async () => {
    for (const [days, rows] of [
      [7, 10_080],
      [99, 10_080],
      [0, 1440],
    ] as const) {
      const { light, ranges } = await read(is({}), (from) => is({ [ID]: [{ s: '5', lu: from / 1000 }] }), days);
      expect([days, light?.length]).toEqual([days, rows]);
      expect(ranges[0]?.[1]).toBe(WHOLE);
    }
  });

  it('has gaps where the entity was not there', async () => {
    const { light } = await read(
      is({}),
      (from) =>
        is({
          [ID]: [
            { s: '10', lu: from / 1000 },
            { s: 'unavailable', lu: from / 1000 + 60 },
            { s: 'unknown', lu: from / 1000 + 120 },
            { s: '20', lu: from / 1000 + 180 },
          ],
        }),
      1,
    );
    expect(light?.slice(-3).map(({ minute, mean }) => [minute - WHOLE / M, mean])).toEqual([
      [-5, 10],
      [-2, 20],
      [-1, 20],
    ]);
  });

  it.each([0.1, 1, 10, 50])('of %j changes a second uses at most 20,000 a day, spread over its hours', async (rate) => {
    const judge = messageJudge(() => 0);
    let biggest = 0;
    const used = new Map<number, number>();
    const { light } = await read(is({}), (from, to) => {
      const answer = changing(rate)(from, to);
      const text = JSON.stringify({ id: 7, type: 'result', success: true, result: answer.ok ? answer.value : null });
      biggest = Math.max(biggest, text.length);
      // As if all came within 10 s.
      expect(judge(Buffer.from(text), true)).toBeNull();
      return answer;
    });
    expect(biggest).toBeLessThan(16 * 1024 * 1024);
    for (const { minute } of light ?? []) {
      const day = Math.floor((WHOLE / M - 1 - minute) / 1440);
      used.set(day, (used.get(day) ?? 0) + 60 * rate);
    }
    // Of 50 a second, an hour's share is less than half a minute.
    expect(used.size).toBe(rate > 10 ? 0 : 7);
    for (const rows of used.values()) expect(rows).toBeLessThanOrEqual(20_000 * 1.05);
    if (rate > 1) return;
    // Each hour of the week is known in part.
    expect(new Set(light?.map(({ minute }) => Math.floor(minute / 60))).size).toBeGreaterThanOrEqual(168);
  });

  it.each<[string, Answer<unknown>, (row: number) => Answer<unknown>, number | null]>([
    ['is none without an answer about statistics', refused(null), () => is({}), null],
    ['is none without any answer about states', is({}), () => refused(null), null],
    ['is empty where there is no history', is({}), () => refused('unknown_command'), 0],
    [
      'is what was read before an answer failed to come',
      is({}),
      (row) => (row < 3 ? is({ [ID]: [{ s: '1', lu: 0 }] }) : refused(null)),
      125,
    ],
    ['is empty of an entity without records', is({}), () => is({ [ID]: [] }), 0],
    ['is empty of an answer that is none', is([]), () => is({ [ID]: 'rows' }), 0],
  ])('%s', async (_, statistics, states, minutes) => {
    let row = -1;
    const { light } = await read(statistics, () => {
      row += 1;
      return states(row);
    });
    expect(light?.length ?? null).toBe(minutes);
  });

  it('is read for at most a minute', async () => {
    let commands = 0;
    const { light } = await read(is({}), () => {
      commands += 1;
      vi.advanceTimersByTime(9000);
      return is({ [ID]: [{ s: '1', lu: 0 }] });
    });
    expect([commands, light?.length]).toEqual([7, 6 * 60 + 5]);
  });
});
