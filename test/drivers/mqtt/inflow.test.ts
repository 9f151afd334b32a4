import { describe, expect, it } from 'vitest';

import { createInflow } from '#drivers/mqtt/inflow.ts';

/** An inflow whose clock is moved by hand, and what it handed on as `topic=payload`. */
const start = () => {
  const handed: string[] = [];
  let at = 0;
  let timer: { readonly due: number; readonly fn: () => void } | null = null;
  const inflow = createInflow({
    deliver: ({ topic, payload }) => handed.push(`${topic}=${payload}`),
    rankOf: (topic) => (topic.startsWith('made-up/') ? 'made-up' : topic.startsWith('none/') ? 'none' : 'own'),
    guard: (fn) => fn,
    now: () => at,
    after: (ms, fn) => {
      const mine = { due: at + ms, fn };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
  });
  return {
    handed,
    inflow,
    take: (topic: string, text: string | number) => inflow.take({ topic, payload: String(text), retained: false }),
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

  it('is a thousand messages a second in a flood of one topic at most, and its last one always comes', () => {
    const { handed, take, pass } = start();
    for (let at = 0; at < 10_000; at += 1) {
      take('screen', at);
      if (at % 10 === 9) pass(1);
    }
    expect(handed.length).toBeLessThanOrEqual(64 + 1000);
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
    take('button', 'PRESS');
    for (let at = 100; at < 200; at += 1) take('flood', at);
    pass(40);
    expect(handed.slice(64)).toEqual([
      ...[196, 197, 198, 199].map((at) => `flood=${at}`),
      'button=PRESS',
      'button=PRESS',
    ]);
  });

  it('does not starve a topic that comes often beside many others', () => {
    const { handed, take, pass } = start();
    const late: number[] = [];
    for (let ms = 0; ms < 10_000; ms += 1) {
      for (let at = 0; at < 3; at += 1) take(`others/${(3 * ms + at) % 200}`, 'x');
      if (ms % 33 === 0) take('slider', ms);
      const { length } = handed;
      pass(1);
      for (const one of handed.slice(length))
        if (one.startsWith('slider=')) late.push(ms - Number(one.slice('slider='.length)));
    }
    expect(late.length).toBeGreaterThan(10);
    // 200 topics of four messages each stand before it at most, at 1000 a second.
    expect(Math.max(...late)).toBeLessThan(900);
  });

  it('takes nothing of what the panel does not listen to, and few of what anybody can make up', () => {
    const { handed, take, pass } = start();
    for (let at = 0; at < 5000; at += 1) take(`none/${at}`, 'x');
    expect(handed).toEqual([]);
    for (let at = 0; at < 5000; at += 1) take(`made-up/${at}`, 'x');
    take('relay', 'ON');
    expect(handed).toHaveLength(64);
    pass(120);
    expect(handed).toHaveLength(64 + 16 + 1);
    expect(handed.at(-1)).toBe('relay=ON');
    take('made-up/again', 'x');
    expect(handed.at(-1)).toBe('made-up/again=x');
  });

  it('keeps 256 topics at most', () => {
    const { handed, take, pass } = start();
    for (let at = 0; at < 1000; at += 1) take(`own/${at}`, 'x');
    pass(10_000);
    expect(handed).toHaveLength(64 + 256);
  });

  it('ends with its connection', () => {
    const { handed, inflow, take, pass } = start();
    for (let at = 0; at < 100; at += 1) take('screen', at);
    inflow.stop();
    pass(1000);
    expect(handed).toHaveLength(64);
  });
});
