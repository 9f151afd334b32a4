import { describe, expect, it } from 'vitest';

import { createInflow } from '#drivers/mqtt/inflow.ts';

/** An inflow whose clock is moved by hand, what it handed on as `topic=payload`, and what waits for a turn. */
const start = () => {
  const handed: string[] = [];
  const rounds: (() => void)[] = [];
  let at = 0;
  let timer: { readonly due: number; readonly fn: () => void } | null = null;
  const inflow = createInflow(
    ({ topic, payload }) => handed.push(`${topic}=${payload.toString()}`),
    (fn) => fn,
    {
      now: () => at,
      after: (ms, fn) => {
        const mine = { due: at + ms, fn };
        timer = mine;
        return () => {
          if (timer === mine) timer = null;
        };
      },
      later: (fn) => void rounds.push(fn),
    },
  );
  return {
    handed,
    rounds,
    inflow,
    take: (topic: string, text: string | number) =>
      inflow.take({ topic, payload: Buffer.from(String(text)), retained: false }),
    isWaiting: () => timer !== null,
    pass: (ms: number) => {
      const end = at + ms;
      while (timer !== null && timer.due <= end) {
        const { due, fn } = timer;
        timer = null;
        at = due;
        fn();
      }
      at = end;
    },
  };
};

describe('what a broker sends', () => {
  it('is handed on as it comes, however long it goes on at a pace of people and platforms', () => {
    const { handed, take, pass, isWaiting } = start();
    for (let at = 0; at < 500; at += 1) {
      take('screen', at);
      expect(handed).toHaveLength(at + 1);
      pass(4);
    }
    for (let at = 0; at < 64; at += 1) take(`kept/${at}`, at);
    expect(handed).toHaveLength(564);
    expect(isWaiting()).toBe(false);
  });

  it('is 250 messages a second in a flood of one topic at most, and its last one always comes', () => {
    const { handed, take, pass } = start();
    for (let at = 0; at < 10_000; at += 1) {
      take('screen', at);
      if (at % 10 === 9) pass(1);
    }
    expect(handed.length).toBeLessThan(64 + 250);
    pass(40);
    expect(handed.at(-1)).toBe('screen=9999');
    const { length } = handed;
    pass(10_000);
    expect(handed).toHaveLength(length);
  });

  it('comes in its order, and none of what came once is lost', () => {
    const { handed, take, pass } = start();
    const all = Array.from({ length: 240 }, (_, at) => `kept/${at}`);
    for (const topic of all) take(topic, 'x');
    take('echo', 'x');
    pass(2000);
    expect(handed).toEqual([...all, 'echo'].map((topic) => `${topic}=x`));
  });

  it('does not let the flood of one topic hold up another', () => {
    const { handed, take, pass } = start();
    for (let at = 0; at < 100; at += 1) take('flood', at);
    take('button', 'PRESS');
    for (let at = 100; at < 200; at += 1) take('flood', at);
    pass(40);
    expect(handed.slice(64)).toEqual(['button=PRESS', 'flood=199']);
  });

  it('gives the rest of the process a turn after every 32 messages', () => {
    const { inflow, rounds } = start();
    let read = 0;
    for (let at = 0; at < 31; at += 1) inflow.makeRoom(() => (read += 1));
    expect([read, rounds.length]).toEqual([31, 0]);
    inflow.makeRoom(() => (read += 1));
    expect([read, rounds.length]).toEqual([31, 1]);
    rounds[0]?.();
    expect(read).toBe(32);
  });

  it.each([
    ['more topics', 320, 'x'],
    ['more bytes', 84, 'x'.repeat(64 * 1024)],
  ])('is read no further with %s than may wait, and goes on with the rest', (_, topics, text) => {
    const { handed, inflow, take, pass } = start();
    let goesOn = false;
    for (let at = 0; at < topics; at += 1) take(`made-up/${at}`, text);
    inflow.makeRoom(() => (goesOn = true));
    expect(goesOn).toBe(false);
    pass(40);
    expect(goesOn).toBe(true);
    pass(4000);
    expect(handed).toHaveLength(topics);
  });

  it('ends with its connection', () => {
    const { handed, inflow, take, pass } = start();
    for (let at = 0; at < 100; at += 1) take('screen', at);
    inflow.stop();
    pass(1000);
    expect(handed).toHaveLength(64);
  });
});
