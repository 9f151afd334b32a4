import { describe, expect, it } from 'vitest';

import { createRateLimiter } from '#actors/entities/rate-limiter.ts';
import { BURST, FOREIGN_SUBJECTS, PAUSE_MS } from '#machines/entities/limits.ts';

/** A limiter whose event loop and clock are turned by hand, and what it carried out as `subject=text`. */
function start() {
  const done: string[] = [];
  let at = 0;
  let timer: { readonly due: number; readonly fn: () => void } | null = null;
  const turns: (() => void)[] = [];
  const limiter = createRateLimiter<string>({
    deliver: (message) => void done.push(message),
    join: (older, newer) => (newer.endsWith('=refused') ? older : newer),
    isOrdered: (message) => message.startsWith('session/'),
    isForeign: (message) => message.startsWith('session/made-up/'),
    guard: (fn) => fn,
    after: (ms, fn) => {
      const mine = { due: at + ms, fn };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
    afterTurn: (fn) => void turns.push(fn),
  });
  return {
    done,
    limiter,
    take: (subject: string, text: string | number) => limiter.take(subject, `${subject}=${text}`),
    turn: () => {
      for (const fn of turns.splice(0)) fn();
    },
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
}

describe('the rate limiter', () => {
  it('slows nobody who waits for the result of each message, however fast that is', () => {
    const { done, take, turn, isWaiting } = start();
    for (let at = 0; at < 5000; at += 1) {
      take('screen', at);
      turn();
    }
    expect(done).toHaveLength(5000);
    expect(isWaiting()).toBe(false);
  });

  it('carries out at once a scene of as many entities as a burst has', () => {
    const { done, take, isWaiting } = start();
    for (let at = 0; at < BURST; at += 1) take(`light/${at}`, 'on');
    expect([done.length, isWaiting()]).toEqual([BURST, false]);
  });

  it('loses nothing of a larger scene, which it ends after one pause', () => {
    const { done, take, turn, pass, isWaiting } = start();
    for (let at = 0; at < 100; at += 1) take(`light/${at}`, 'on');
    turn();
    expect(done).toHaveLength(BURST);
    pass(PAUSE_MS);
    expect(done).toEqual(Array.from({ length: 100 }, (_, at) => `light/${at}=on`));
    pass(PAUSE_MS);
    expect(isWaiting()).toBe(false);
  });

  it('carries out of a flood a burst, then the newest in each pause, and the last one always', () => {
    const { done, take, turn, pass } = start();
    for (let at = 0; at < 10_000; at += 1) {
      take('screen', at);
      if (at % 32 === 31) turn();
      if (at % 100 === 99) pass(10);
    }
    expect(done.length).toBeLessThanOrEqual(BURST + 1000 / PAUSE_MS);
    pass(PAUSE_MS);
    expect(done.at(-1)).toBe('screen=9999');
    const { length } = done;
    pass(10_000);
    expect(done).toHaveLength(length);
  });

  it('has the end of a slider that is dragged after a stall of the event loop', () => {
    const { done, take, turn, pass } = start();
    for (let at = 0; at < 60; at += 1) take('screen', at);
    turn();
    pass(PAUSE_MS);
    expect(done.at(-1)).toBe('screen=59');
    // Then it is dragged on, at thirty a second.
    for (let at = 60; at < 90; at += 1) {
      take('screen', at);
      turn();
      pass(33);
    }
    pass(PAUSE_MS);
    expect(done.at(-1)).toBe('screen=89');
  });

  it('is calm again after a pause that brought nothing', () => {
    const { done, take, turn, pass, isWaiting } = start();
    for (let at = 0; at <= BURST; at += 1) take('screen', at);
    turn();
    pass(2 * PAUSE_MS);
    expect(isWaiting()).toBe(false);
    take('screen', 'calm');
    expect(done.at(-1)).toBe('screen=calm');
  });

  it('does not let a flood of one subject hold up another', () => {
    const { done, take, turn } = start();
    for (let at = 0; at < 100; at += 1) take('flood', at);
    turn();
    take('button', 'press');
    take('flood', 100);
    expect(done.slice(BURST)).toEqual(['button=press']);
  });

  it('bounds a flood that is spread over many subjects, too', () => {
    const { done, take, turn, pass } = start();
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let at = 0; at < 32; at += 1) take(`light/${at}`, ms);
      turn();
      pass(1);
    }
    pass(PAUSE_MS);
    // One in each turn, as one has who waits for each, and of each subject one in a pause; without a bound 32,000.
    expect(done.length).toBeLessThan(1000 + (32 * 1000) / PAUSE_MS + 2 * BURST);
    expect(done.slice(-32).toSorted()).toEqual(Array.from({ length: 32 }, (_, at) => `light/${at}=999`).toSorted());
  });

  it('leaves the older message where the newer one must not take its place', () => {
    const { done, take, pass } = start();
    for (let at = 0; at < BURST; at += 1) take('other', at);
    take('screen', 'good');
    take('screen', 'refused');
    pass(PAUSE_MS);
    expect(done.at(-1)).toBe('screen=good');
  });

  it('keeps the order of what is ordered, and none of what came once is lost', () => {
    const { done, take, turn, pass } = start();
    const all = Array.from({ length: 60 }, (_, at) => `session/${at}`);
    for (const subject of all) take(subject, 'x');
    turn();
    take('session/0', 'y');
    take('session/token', 'x');
    take('screen', 'on');
    pass(PAUSE_MS);
    expect(done).toEqual([
      ...all.slice(0, BURST).map((subject) => `${subject}=x`),
      'screen=on',
      ...all.slice(BURST).map((subject) => `${subject}=x`),
      'session/0=y',
      'session/token=x',
    ]);
  });

  it('keeps few of what anybody can make up', () => {
    const { done, take, pass } = start();
    for (let at = 0; at < 5000; at += 1) take(`session/made-up/${at}`, 'x');
    take('relay', 'on');
    pass(PAUSE_MS);
    expect(done).toHaveLength(BURST + FOREIGN_SUBJECTS + 1);
    expect(done.at(-1)).toBe('relay=on');
  });

  it('drops what waits of a sender that has ended, and takes what comes from the next one', () => {
    const { done, limiter, take, pass } = start();
    for (let at = 0; at < 100; at += 1) take(`session/${at}`, 'old');
    limiter.clear();
    pass(2 * PAUSE_MS);
    expect(done).toHaveLength(BURST);
    for (let at = 0; at < 3; at += 1) take(`session/${at}`, 'new');
    pass(PAUSE_MS);
    expect(done.slice(BURST)).toEqual([0, 1, 2].map((at) => `session/${at}=new`));
  });

  it('ends with its bridge', () => {
    const { done, limiter, take, pass } = start();
    for (let at = 0; at < 100; at += 1) take('screen', at);
    limiter.stop();
    pass(1000);
    expect(done).toHaveLength(BURST);
  });
});
