import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Answer, Ask } from '#drivers/home-assistant/bounded.ts';
import { messageJudge } from '#drivers/home-assistant/message-judge.ts';
import { sourceOf } from '#drivers/home-assistant/topics.ts';

const M = 60_000;
const H = 60 * M;
const NOW = Date.UTC(2026, 10, 26, 11, 25, 40);
const [ONE, TWO] = ['binary_sensor.one', 'binary_sensor.two'] as const;

type Command = Parameters<Ask>[0];
type Row = { readonly s: unknown; readonly lu: unknown };
const is = (value: unknown): Answer<unknown> => ({ ok: true, value });
const refused = (code: string | null): Answer<unknown> => ({ ok: false, code });
const row = (s: string, at: number): Row => ({ s, lu: at / 1000 });

/** Reads the history of a Home Assistant that answers so; with the ranges that it was asked for. */
async function read(
  answer: (from: number, to: number, command: Command) => Answer<unknown>,
  { from = NOW - H, to = NOW, entityIds = [ONE] as readonly string[] } = {},
) {
  const commands: Command[] = [];
  const ranges: (readonly [number, number])[] = [];
  const ask: Ask = (command) => {
    commands.push(command);
    const range = [Date.parse(String(command['start_time'])), Date.parse(String(command['end_time']))] as const;
    ranges.push(range);
    return Promise.resolve(answer(...range, command));
  };
  const reading = await sourceOf({ kind: 'state-history', entityIds, from, to }).read(
    ask,
    () => Promise.resolve({}),
    NOW,
  );
  if (reading !== null && reading.kind !== 'state-history') throw new Error(reading.kind);
  return { reading, commands, ranges };
}
/** Home Assistant's records: what is within a range, and the state at its start if that is asked for. */
const recorded = (rows: Readonly<Record<string, readonly Row[]>>) => (from: number, to: number, command: Command) =>
  is(
    Object.fromEntries(
      Object.entries(rows).map(([id, all]) => {
        const before = all.filter(({ lu }) => Number(lu) * 1000 <= from).at(-1);
        const within = all.filter(({ lu }) => Number(lu) * 1000 > from && Number(lu) * 1000 < to);
        const isStart = command['include_start_time_state'] === true && before !== undefined;
        return [id, isStart ? [{ s: before.s, lu: from / 1000 }, ...within] : within];
      }),
    ),
  );

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('recorded states', () => {
  it('are those of each entity, oldest first, with the state at the start', async () => {
    const rows = {
      [ONE]: [row('off', NOW - 9 * H), row('on', NOW - 40 * M), row('on', NOW - 30 * M), row('off', NOW - 2 * M)],
      [TWO]: [row('unavailable', NOW - 3 * M), { s: 7, lu: 1 }, { s: 'on', lu: 'x' }],
      'light.other': [row('on', NOW - M)],
    };
    const entityIds = [TWO, ONE, ONE, 'binary_sensor.none', 'Nonsense'];
    const { reading, commands, ranges } = await read(recorded(rows), { entityIds });
    expect(reading).toEqual({
      kind: 'state-history',
      entities: [
        { entityId: TWO, states: [{ state: 'unavailable', at: NOW - 3 * M }] },
        {
          entityId: ONE,
          states: [
            { state: 'off', at: NOW - H },
            { state: 'on', at: NOW - 40 * M },
            { state: 'off', at: NOW - 2 * M },
          ],
        },
        { entityId: 'binary_sensor.none', states: [] },
      ],
      isCut: false,
    });
    expect(commands[0]).toEqual({
      type: 'history/history_during_period',
      start_time: new Date(NOW - 5 * M).toISOString(),
      end_time: new Date(NOW + 1).toISOString(),
      entity_ids: [TWO, ONE, 'binary_sensor.none'],
      include_start_time_state: false,
      minimal_response: true,
      no_attributes: true,
      significant_changes_only: false,
    });
    // From the newest back, without a gap; the state at the start is asked for once.
    expect(ranges.map(([from, to]) => [NOW - from, NOW - to + 1])).toEqual([
      [5 * M, 0],
      [25 * M, 5 * M],
      [45 * M, 25 * M],
      [60 * M, 45 * M],
    ]);
    expect(commands.map((command) => command['include_start_time_state'])).toEqual([false, false, false, true]);
  });

  it('at the edge of two ranges are neither lost nor doubled', async () => {
    const edge = NOW - 5 * M;
    const { reading } = await read(recorded({ [ONE]: [row('off', edge - 1), row('on', edge), row('off', edge + 1)] }));
    expect(reading?.entities[0]?.states.map(({ state, at }) => [state, at - edge])).toEqual([
      ['off', -1],
      ['on', 0],
      ['off', 1],
    ]);
  });

  it('are those of 49 hours and 32 entities at most, none of the future', async () => {
    const entityIds = Array.from({ length: 40 }, (_, at) => `binary_sensor.s${at}`);
    const { reading, ranges, commands } = await read(() => is({}), { from: 0, to: NOW + 9 * H, entityIds });
    expect(reading?.entities.map(({ entityId }) => entityId)).toEqual(entityIds.slice(0, 32));
    expect(commands[0]?.['entity_ids']).toHaveLength(32);
    expect([ranges[0]?.[1], ranges.at(-1)?.[0]]).toEqual([NOW + 1, NOW - 49 * H]);
    const none = await read(() => is({}), { entityIds: [] });
    expect([none.reading, none.commands]).toEqual([{ kind: 'state-history', entities: [], isCut: false }, []]);
    expect((await read(() => is({}), { from: NOW, to: NOW - H })).reading).toMatchObject({ isCut: false });
  });

  it.each([0.01, 1, 10, 160])('of %j changes a second are the newest 20,000, in bounded messages', async (rate) => {
    const judge = messageJudge(() => 0);
    const since = NOW - 49 * H;
    const { reading } = await read(
      (from, to) => {
        // Quiet at first.
        const perSecond = NOW - to < 24 * M && rate > 10 ? 0 : rate;
        const rows = Array.from({ length: Math.floor(((to - from) / 1000) * perSecond) }, (_, at) =>
          row(at % 2 === 0 ? 'on' : 'off', from + ((at + 1) * 1000) / perSecond),
        );
        const text = JSON.stringify({ id: 7, type: 'result', success: true, result: { [ONE]: rows } });
        expect(text.length).toBeLessThan(16 * 1024 * 1024);
        // As if all came within 10 s.
        expect(judge(Buffer.from(text), true)).toBeNull();
        return is({ [ONE]: rows });
      },
      { from: since },
    );
    const states = reading?.entities[0]?.states ?? [];
    expect(reading?.isCut).toBe(rate >= 1);
    expect(states.length).toBeLessThanOrEqual(20_000);
    if (rate >= 1) expect(states.length).toBeGreaterThan(19_000);
    expect(states.at(-1)?.at).toBeGreaterThan(rate > 10 ? NOW - 26 * M : NOW - 5 * M);
    expect(states.every(({ at }, index) => index === 0 || at >= (states[index - 1]?.at ?? 0))).toBe(true);
  });

  it.each<[string, Answer<unknown>]>([
    ['there is no recorder', refused('unknown_command')],
    ['an answer does not come', refused(null)],
  ])('are unknown where %s', async (_, failure) => {
    expect((await read(() => failure)).reading).toBeNull();
    let answers = 0;
    const later = await read(() => {
      answers += 1;
      return answers < 3 ? is({}) : failure;
    });
    expect([later.reading, answers]).toEqual([null, 3]);
  });

  it.each([[null], [[]], ['rows'], [{ [ONE]: 'rows' }], [{ [ONE]: [null, 7] }]])('are none in %j', async (answer) => {
    expect((await read(() => is(answer))).reading).toMatchObject({ entities: [{ entityId: ONE, states: [] }] });
  });

  it('are read for at most a minute, and cut then', async () => {
    let commands = 0;
    const { reading } = await read(
      (from) => {
        commands += 1;
        vi.advanceTimersByTime(9000);
        return is({ [ONE]: [row('on', from + 1)] });
      },
      { from: NOW - 9 * H },
    );
    expect([commands, reading?.isCut]).toEqual([7, true]);
    expect(reading?.entities[0]?.states).toEqual([{ state: 'on', at: NOW - 5 * M - 6 * 20 * M + 1 }]);
  });
});
