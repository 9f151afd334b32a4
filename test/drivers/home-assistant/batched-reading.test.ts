import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { batchedReading } from '#drivers/home-assistant/batched-reading.ts';
import { ANSWER_MS } from '#drivers/home-assistant/bounded.ts';

const PAUSE_MS = 400;

afterEach(() => void vi.useRealTimers());

describe('reading in batches', () => {
  let now = 0;
  function start() {
    const calls: string[] = [];
    const socket = { pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
    const reading = batchedReading(socket, () => now);
    return {
      ...reading,
      calls,
      flood: async (messages = 40) => {
        for (let index = 0; index < messages; index += 1) reading.came(7, 100);
        await turn();
      },
      pass: (ms: number) => {
        now += ms;
        vi.advanceTimersByTime(ms);
      },
    };
  }
  beforeEach(() => {
    now = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  it('pauses once all that had arrived is taken, for 400 ms', async () => {
    const { flood, pass, calls } = start();
    await flood(19);
    expect(calls).toEqual([]);
    await flood();
    expect(calls).toEqual(['pause']);
    pass(PAUSE_MS - 1);
    expect(calls).toEqual(['pause']);
    pass(1);
    expect(calls).toEqual(['pause', 'resume']);
    await flood();
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  });

  it('reads on after a pause in which nothing came', async () => {
    const { flood, pass, calls } = start();
    await flood();
    pass(PAUSE_MS);
    await turn();
    expect([calls, vi.getTimerCount()]).toEqual([['pause', 'resume'], 0]);
  });

  it('never pauses while it is hurried, and ends a pause for that', async () => {
    const { flood, hurry, calls } = start();
    await flood();
    hurry(true);
    await flood();
    expect(calls).toEqual(['pause', 'resume']);
    hurry(false);
    await flood();
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  });

  it('never pauses while an answer is awaited, and ends a pause for one', async () => {
    const { flood, sent, calls, came } = start();
    sent(1);
    await flood();
    expect(calls).toEqual([]);
    came(1, 100);
    await turn();
    expect(calls).toEqual(['pause']);
    sent(2);
    expect([calls, vi.getTimerCount()]).toEqual([['pause', 'resume'], 0]);
    await flood();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('waits for no answer any more that is too late', async () => {
    const { flood, sent, pass, calls } = start();
    sent(1);
    pass(ANSWER_MS);
    await flood();
    expect(calls).toEqual(['pause']);
  });

  it('leaves no timer behind', async () => {
    const { flood, end, calls } = start();
    const paused = flood();
    end();
    await paused;
    expect(calls).toEqual([]);
    const other = start();
    await other.flood();
    other.end();
    expect([other.calls, vi.getTimerCount()]).toEqual([['pause'], 0]);
  });
});
