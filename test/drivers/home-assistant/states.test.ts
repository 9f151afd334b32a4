import type { Connection } from 'home-assistant-js-websocket';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { reader } from '#drivers/home-assistant/reader.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

const [ONE, TWO] = ['binary_sensor.one', 'binary_sensor.two'] as const;
const both = { kind: 'states', entityIds: [ONE, TWO] } as const;

type Command = { readonly type: string; readonly entity_ids: readonly string[] };

/** A reader over a connection that grants each subscription. */
function start() {
  const readings: Reading[] = [];
  const made: { readonly command: Command; readonly event: (event: unknown) => void; ended: boolean }[] = [];
  const connection = {
    subscribeMessage: (event: (event: unknown) => void, command: Command) => {
      const subscription = { command, event, ended: false };
      made.push(subscription);
      return Promise.resolve(() => {
        subscription.ended = true;
        return Promise.resolve();
      });
    },
  };
  const topics = reader(
    // Of the library's connection these topics use this one.
    connection as unknown as Connection,
    { guard: (fn) => fn, onReading: (reading) => void readings.push(reading), now: () => 0 },
  );
  return {
    ...topics,
    made,
    readings,
    /** The states of all read-outs so far. */
    said: () =>
      readings.map((reading) => (reading.kind === 'states' ? reading.states.map(({ state }) => state) : reading.kind)),
    hear: (event: unknown) => made.at(-1)?.event(event),
  };
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const change = (id: string, state: string) => ({ c: { [id]: { '+': { s: state } } } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the states of some entities', () => {
  it('come over one subscription, complete each time', async () => {
    const { watch, made, readings, said, hear } = start();
    watch([both]);
    await pass(0);
    expect(made.map(({ command }) => command)).toEqual([{ type: 'subscribe_entities', entity_ids: [ONE, TWO] }]);
    expect(readings).toEqual([]);
    hear({ a: { [ONE]: { s: 'off', a: { device_class: 'motion' } } } });
    expect(readings).toEqual([
      {
        kind: 'states',
        states: [
          { entityId: ONE, state: 'off' },
          { entityId: TWO, state: null },
        ],
      },
    ]);
    for (const event of [
      change(ONE, 'on'),
      { a: { [TWO]: { s: 'unavailable' } } },
      { c: { [ONE]: { '+': { a: { battery: 5 } } } } },
      { r: [ONE] },
      { a: { [ONE]: { s: 'on' } } },
      { c: { 'light.other': { '+': { s: 'on' } } }, r: ['light.more', 7] },
      { c: { [ONE]: { '+': { s: 7 } } } },
      null,
    ]) {
      hear(event);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await pass(250);
    }
    expect(said().slice(1)).toEqual([
      ['on', null],
      ['on', 'unavailable'],
      [null, 'unavailable'],
      ['on', 'unavailable'],
    ]);
  });

  it('that change all the time are read out four times a second, with the newest states at the end', async () => {
    const { watch, said, hear } = start();
    watch([both]);
    await pass(0);
    hear({ a: { [ONE]: { s: '0' }, [TWO]: { s: 'off' } } });
    await pass(1000);
    for (let at = 1; at <= 1000; at += 1) {
      hear(change(ONE, String(at)));
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await pass(10);
    }
    const during = said().length - 1;
    // At the first change, and then every 250 ms of the ten seconds.
    expect(during).toBe(41);
    await pass(10_000);
    expect(said().at(-1)).toEqual(['1000', 'off']);
    expect(said().length - 1).toBeLessThanOrEqual(during + 1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that are soon as before are no news', async () => {
    const { watch, said, hear } = start();
    watch([both]);
    await pass(0);
    hear({ a: { [ONE]: { s: 'off' } } });
    hear(change(ONE, 'on'));
    hear(change(ONE, 'off'));
    await pass(10_000);
    expect(said()).toEqual([['off', null]]);
    hear(change(ONE, 'on'));
    expect(said()).toHaveLength(2);
  });

  it('are 32 at most, each once, and of entity ids alone', async () => {
    const { watch, made, readings, hear } = start();
    const many = Array.from({ length: 40 }, (_, at) => `binary_sensor.s${at}`);
    watch([{ kind: 'states', entityIds: ['__proto__', 'Binary.One', ...many, many[0] ?? ''] }]);
    await pass(0);
    expect(made[0]?.command.entity_ids).toEqual(many.slice(0, 32));
    hear({ a: Object.fromEntries(many.map((id) => [id, { s: 'x'.repeat(300) }])) });
    expect(readings[0]).toMatchObject({ states: { length: 43 } });
    const states = readings[0]?.kind === 'states' ? readings[0].states : [];
    expect(states.filter(({ state }) => state?.length === 255).map(({ entityId }) => entityId)).toEqual([
      ...many.slice(0, 32),
      many[0],
    ]);
  });

  it('of no entity need no subscription', async () => {
    const { watch, read, made, readings } = start();
    watch([{ kind: 'states', entityIds: [] }]);
    await pass(0);
    expect([readings, made]).toEqual([[{ kind: 'states', states: [] }], []]);
    expect(await read({ kind: 'states', entityIds: [] })).toEqual({ kind: 'states', states: [] });
  });

  it('are read out again for a new watcher, once they are known', async () => {
    const { watch, renew, said, hear, made } = start();
    watch([both]);
    await pass(0);
    renew([both]);
    expect(said()).toEqual([]);
    hear({ a: {} });
    renew([both]);
    expect(said()).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(made).toHaveLength(1);
  });

  it('are of another set another subscription, and none once that ends', async () => {
    const { watch, made, said, hear } = start();
    watch([both]);
    await pass(0);
    hear({ a: {} });
    hear(change(ONE, 'on'));
    watch([{ kind: 'states', entityIds: [ONE] }]);
    await pass(0);
    expect(made.map(({ ended }) => ended)).toEqual([true, false]);
    made[0]?.event(change(ONE, 'off'));
    await pass(1000);
    expect(said()).toEqual([[null, null]]);
    watch([]);
    await pass(0);
    expect([made[1]?.ended, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('are read once', async () => {
    const { read, made, hear } = start();
    const answer = read(both);
    await pass(0);
    hear({ a: { [TWO]: { s: 'on' } } });
    expect(await answer).toEqual({
      kind: 'states',
      states: [
        { entityId: ONE, state: null },
        { entityId: TWO, state: 'on' },
      ],
    });
    expect(made[0]?.ended).toBe(true);
    const late = read(both);
    await pass(10_000);
    expect(await late).toBeNull();
  });
});
