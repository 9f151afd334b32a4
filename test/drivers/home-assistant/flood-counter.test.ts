import { describe, expect, it } from 'vitest';

import { noTraffic, pauseAfter, withMessage } from '#drivers/home-assistant/flood.ts';

interface Stretch {
  readonly messages: number;
  /** Milliseconds between two of them. */
  readonly everyMs: number;
  readonly bytes?: number;
}

/** How long is paused after each message of these stretches, one after the other. */
function pauses(...stretches: readonly Stretch[]): readonly number[] {
  let [at, traffic] = [50_000, noTraffic];
  return stretches.flatMap(({ messages, everyMs, bytes = 100 }) =>
    Array.from({ length: messages }, () => {
      at += everyMs;
      traffic = withMessage(traffic, at, bytes);
      return pauseAfter(traffic);
    }),
  );
}
const firstPause = (...stretches: readonly Stretch[]): number => pauses(...stretches).findIndex((ms) => ms > 0);
const never = -1;

describe('what comes from Home Assistant', () => {
  it.each([
    ['a burst of 19', never, { messages: 19, everyMs: 0 }],
    ['a burst of 20', 19, { messages: 20, everyMs: 0 }],
    ['20 a second, however long', never, { messages: 20_000, everyMs: 50 }],
    ['100 a second, after a quarter of a second', 24, { messages: 1000, everyMs: 10 }],
    ['25 a second, after four', 96, { messages: 1000, everyMs: 40 }],
    ['100 a second of 2 KiB each', 24, { messages: 1000, everyMs: 10, bytes: 2048 }],
    ['100 a second of 70 KiB each', never, { messages: 6000, everyMs: 10, bytes: 70 * 1024 }],
    ['a list of a few million bytes among what is calm', never, { messages: 19, everyMs: 10, bytes: 3_000_000 }],
  ])('%s: the first pause after message %i', (_, index, stretch) => {
    expect(firstPause(stretch)).toBe(index);
  });

  it('is paused for at most 400 ms', () => {
    expect(Math.max(...pauses({ messages: 50_000, everyMs: 0.2, bytes: 1 }))).toBe(400);
  });

  it('is not paused for long if more comes than a pause may gather', () => {
    const all = pauses({ messages: 6000, everyMs: 10, bytes: 3072 });
    expect(all.slice(200).every((ms) => ms === 0)).toBe(true);
  });

  it('is read at once again after a flood', () => {
    const flood = { messages: 1000, everyMs: 10 };
    expect(pauses(flood).at(-1)).toBe(400);
    expect(pauses(flood, { messages: 1, everyMs: 600 }).at(-1)).toBe(0);
    expect(pauses(flood, { messages: 20, everyMs: 100 }).slice(-5)).toEqual([0, 0, 0, 0, 0]);
  });

  it('is paused again once a long message among a flood has been taken', () => {
    const flood = { messages: 100, everyMs: 10 };
    const [, , ...after] = pauses(flood, { messages: 1, everyMs: 10, bytes: 3_000_000 }, flood, flood).slice(98);
    expect([after[0], after.at(-1)]).toEqual([0, 400]);
  });

  it('counts nothing backwards', () => {
    const late = withMessage({ at: 1000, messages: 5, bytes: 10 }, 0, 1);
    expect(late).toEqual({ at: 0, messages: 6, bytes: 11 });
  });
});
