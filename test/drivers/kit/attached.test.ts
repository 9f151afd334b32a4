import { describe, expect, it, vi } from 'vitest';

import { attach, type AttachedPlan, type Probe } from '#drivers/kit/attached.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import { working } from '#machines/kit/verdict.ts';

import { steppedClock } from '../../fakes/sample-clock.ts';

/** Lets what was promised happen. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a driver gives, with what would have crashed it. */
function scopeOf() {
  const crashes: unknown[] = [];
  const end = new AbortController();
  return {
    crashes,
    end: () => end.abort(),
    signal: end.signal,
    guard:
      <A extends unknown[]>(fn: (...args: A) => void | Promise<void>) =>
      (...args: A): void => {
        const crash = (error: unknown): void => void crashes.push(error);
        if (!end.signal.aborted) void Promise.resolve(fn(...args)).catch(crash);
      },
  };
}

describe('rounds', () => {
  it('begin no more once they were stopped, also where another was asked for meanwhile', async () => {
    const clock = steppedClock();
    let finish = (_ms: number): void => {};
    const slow = new Promise<number>((resolve) => (finish = resolve));
    let done = 0;
    const one = rounds(scopeOf(), () => ((done += 1), slow), clock.after);
    one.now();
    one.now();
    const stopped = one.stop();
    finish(0);
    await stopped;
    await turn();
    clock.pass(10_000);
    one.now();
    expect(done).toBe(1);
  });

  it('begin when asked for, and again after the pause that each answers', async () => {
    const clock = steppedClock();
    let done = 0;
    const one = rounds(scopeOf(), async () => ((done += 1), 1000), clock.after);
    expect(done).toBe(0);
    one.now();
    await turn();
    clock.pass(999);
    expect(done).toBe(1);
    clock.pass(1);
    expect(done).toBe(2);
  });

  it('that answer at once follow each other within one step of the clock', () => {
    const clock = steppedClock();
    let done = 0;
    rounds(scopeOf(), () => ((done += 1), 100), clock.after).nextIn(0);
    clock.pass(1000);
    expect(done).toBe(11);
  });

  it('are never two at once: one that is asked for meanwhile follows right after', async () => {
    const clock = steppedClock();
    const answers: (() => void)[] = [];
    const one = rounds(
      scopeOf(),
      () => new Promise<number>((resolve) => void answers.push(() => resolve(1000))),
      clock.after,
    );
    one.now();
    one.now();
    one.now();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await turn();
    expect(answers).toHaveLength(2);
    one.nextIn(50);
    answers[1]?.();
    await turn();
    clock.pass(49);
    expect(answers).toHaveLength(2);
    clock.pass(1);
    expect(answers).toHaveLength(3);
  });

  it('that answer at once are never two at once either: one that is asked for meanwhile follows right after', async () => {
    const clock = steppedClock();
    const happened: string[] = [];
    const one = rounds(
      scopeOf(),
      () => {
        happened.push('begins');
        if (happened.length === 1) one.now();
        happened.push('ends');
        return 1000;
      },
      clock.after,
    );
    one.now();
    await turn();
    expect(happened).toEqual(['begins', 'ends', 'begins', 'ends']);
    clock.pass(999);
    expect(happened).toHaveLength(4);
    clock.pass(1);
    expect(happened).toHaveLength(6);
  });

  it('one that is asked for at once is not put off by who asks for a later one', async () => {
    const clock = steppedClock();
    const answers: (() => void)[] = [];
    const one = rounds(
      scopeOf(),
      () => new Promise<number>((resolve) => void answers.push(() => resolve(1000))),
      clock.after,
    );
    one.now();
    one.now();
    one.nextIn(50);
    answers[0]?.();
    await turn();
    expect(answers).toHaveLength(2);
  });

  it('that fail crash the driver, and end with it', async () => {
    const clock = steppedClock();
    const scope = scopeOf();
    const one = rounds(scope, () => Promise.reject(new Error('broken')), clock.after);
    one.now();
    await turn();
    expect(scope.crashes).toMatchObject([{ message: 'broken' }]);
    await one.stop();
  });

  it('end: the one under way is waited for, and no other begins', async () => {
    const clock = steppedClock();
    const scope = scopeOf();
    let answer = (): void => {};
    let done = 0;
    const one = rounds(
      scope,
      () => ((done += 1), new Promise<number>((resolve) => (answer = () => resolve(10)))),
      clock.after,
    );
    one.now();
    scope.end();
    let isOver = false;
    const over = one.stop().then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    answer();
    await over;
    clock.pass(1000);
    expect(done).toBe(1);
  });
});

interface Device {
  readonly id: number;
  readonly close: () => void;
}

const absent = (reason: string): Probe<Device> => ({
  device: null,
  verdict: { state: 'not_here', reason, detail: 'None.', missing: null, fix: null },
});

function rig(more: Partial<AttachedPlan<Device>> = {}) {
  const clock = steppedClock();
  const scope = scopeOf();
  const happened: string[] = [];
  let there: string | null = 'none';
  let answers = true;
  let probes = 0;
  const attached = attach<Device>(scope, {
    probe: () => {
      probes += 1;
      return there === null
        ? { device: { id: probes, close: () => void happened.push('closed') }, verdict: working('found', 'Found.') }
        : absent(there);
    },
    report: ({ device, verdict }) => void happened.push(device === null ? `no: ${verdict.reason}` : 'found'),
    step: () => {
      if (!answers) throw Object.assign(new Error('gone'), { code: 'ENODEV' });
      happened.push('step');
      return 500;
    },
    lost: () => void happened.push('lost'),
    after: clock.after,
    ...more,
  });
  return {
    attached,
    clock,
    scope,
    happened,
    probes: () => probes,
    put: (why: string | null) => void (there = why),
    answer: (on: boolean) => void (answers = on),
  };
}

describe('an attached device', () => {
  it('that is not there is probed for every two seconds, and each reason reported once', () => {
    const { clock, happened, probes, put } = rig();
    clock.pass(4000);
    expect([probes(), happened]).toEqual([3, ['no: none']]);
    put('denied');
    clock.pass(2000);
    put('none');
    clock.pass(2000);
    expect(happened).toEqual(['no: none', 'no: denied', 'no: none']);
  });

  it('is stepped as soon as it was found, and as often as each step says', () => {
    const { clock, happened, put } = rig();
    put(null);
    clock.pass(3000);
    expect(happened).toEqual(['no: none', 'found', 'step', 'step', 'step']);
  });

  it('that is lost is closed, and probed for at once', async () => {
    const { clock, happened, put, answer } = rig();
    put(null);
    clock.pass(2000);
    // Long enough after it was found, by the machine's own clock.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    put('none');
    answer(false);
    clock.pass(500);
    await turn();
    time.mockRestore();
    clock.pass(0);
    expect(happened.slice(-4)).toEqual(['step', 'lost', 'closed', 'no: none']);
  });

  it('that fails a moment after it was found is not probed without a pause', async () => {
    const { clock, probes, put, answer } = rig();
    put(null);
    answer(false);
    clock.pass(2000);
    await turn();
    clock.pass(1999);
    expect(probes()).toBe(2);
    clock.pass(1);
    expect(probes()).toBe(3);
  });

  it('that fails a moment after it was found is not probed without a pause either when each find asks for a step', async () => {
    const asking: { now: () => void } = { now: () => {} };
    const { attached, clock, happened, probes, put, answer, scope } = rig({
      report: ({ device }) => {
        if (device !== null) asking.now();
      },
    });
    asking.now = attached.now;
    put(null);
    answer(false);
    clock.pass(2000);
    await turn();
    attached.now();
    attached.nextIn(0);
    clock.pass(1999);
    await turn();
    expect(probes()).toBe(2);
    clock.pass(1);
    await turn();
    expect([probes(), happened]).toEqual([3, ['lost', 'closed', 'lost', 'closed']]);
    scope.end();
    await attached.stop();
    clock.pass(10_000);
    expect(probes()).toBe(3);
  });

  it('that fails a moment after it was found is probed for when the system says that something changed', async () => {
    let changed = (): void => {};
    const { clock, happened, probes, put, answer } = rig({
      watch: (now) => {
        changed = now;
        return () => {};
      },
    });
    put(null);
    answer(false);
    clock.pass(2000);
    await turn();
    answer(true);
    changed();
    expect([probes(), happened.slice(-2)]).toEqual([3, ['found', 'step']]);
    clock.pass(2000);
    expect([probes(), happened.filter((what) => what === 'step')]).toEqual([
      3,
      ['step', 'step', 'step', 'step', 'step'],
    ]);
  });

  it('of which nothing can be said yet is probed again later without a word', () => {
    const { clock, happened } = rig({ probe: () => null });
    clock.pass(4000);
    expect(happened).toEqual([]);
  });

  it('is left as it should be, and closed', async () => {
    const { attached, clock, happened, put, scope } = rig();
    put(null);
    clock.pass(2000);
    scope.end();
    await attached.stop(async ({ id }) => void happened.push(`last ${id}`));
    clock.pass(5000);
    expect(happened).toEqual(['no: none', 'found', 'step', 'last 2', 'closed']);
  });
});
