import { describe, expect, it, vi } from 'vitest';
import { createActor, fromTransition } from 'xstate';

import { sameValue } from '#actors/kit/follow.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { createClock } from '#test/fakes/kit-clock.ts';
import { child, group, type Journal, type WorkerActor, type WorkerEvent } from '#test/fakes/kit-workers.ts';

interface Counting {
  readonly count: number;
}

/** The actors of these tests; `missing` is never started. */
interface TestActors {
  /** It is sent an event that changes nothing in it, too. */
  readonly a: Omit<WorkerActor, 'event'> & { readonly event: WorkerEvent | { readonly type: 'unknown' } };
  readonly b: WorkerActor;
  readonly missing: WorkerActor;
  readonly tally: { readonly id: 'tally'; readonly context: Counting; readonly event: { readonly type: 'x' } };
}

function run() {
  const time = createClock();
  const journal: Journal = [];
  const failures: unknown[] = [];
  const registry = createRegistry<TestActors>({
    timers: {
      setTimeout: (fn, ms) => time.clock.setTimeout(fn, ms),
      clearTimeout: (id) => time.clock.clearTimeout(id as number),
    },
    report: (error) => failures.push(error),
  });
  const counter = fromTransition((context: Counting) => ({ count: context.count + 1 }), { count: 0 });
  const spec = group(
    'root',
    [child('a', journal), child('b', journal), { id: 'tally', logic: counter, restart: 'permanent' }],
    { intensity: { restarts: 100, periodMs: 1000 } },
  );
  const root = createActor(createSupervisor(spec, { now: time.now, random: () => 0.5, registry }), {
    clock: time.clock,
  });
  registry.attach(root.system);
  const restart = (id: string): void => {
    root.send({ type: 'supervisor.kill', id });
    time.pass(40_000, 100);
  };
  return {
    ...time,
    registry,
    root,
    failures,
    restart,
    count: () => registry.tell('a', { type: 'worker.count' }),
  };
}
function started() {
  const r = run();
  r.root.start();
  return r;
}

describe('tell and read', () => {
  it('find the running instance, and say when there is none', () => {
    const r = started();
    expect(r.count()).toBe('delivered');
    expect(r.registry.read('a')).toMatchObject({ value: 'up', context: { count: 1 } });
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    expect(r.count()).toBe('absent');
    expect(r.registry.read('a')).toBeUndefined();
    r.pass(200);
    expect(r.registry.read('a')?.context.count).toBe(0);
    expect(r.registry.tell('missing', { type: 'worker.count' })).toBe('absent');
  });

  it('read a reducer too', () => {
    const r = started();
    r.registry.tell('tally', { type: 'x' });
    expect(r.registry.read('tally')).toEqual({ value: 'active', context: { count: 1 } });
  });

  it('answer absent before the system is attached', () => {
    expect(createRegistry<TestActors>().tell('a', { type: 'worker.count' })).toBe('absent');
  });
});

describe('ask', () => {
  it('gets the reply to its own request only', async () => {
    const r = started();
    const answers = await Promise.all([
      r.registry.ask('a', { type: 'worker.ask' }, 100),
      r.registry.ask('b', { type: 'worker.ask' }, 100),
    ]);
    expect(answers).toEqual([
      { ok: true, value: 'answer of a' },
      { ok: true, value: 'answer of b' },
    ]);
  });

  it('two questions at once to one actor get two answers', async () => {
    const r = started();
    const mute = r.registry.ask('a', { type: 'worker.mute' }, 100);
    await expect(r.registry.ask('a', { type: 'worker.ask' }, 100)).resolves.toMatchObject({ ok: true });
    r.pass(100);
    await expect(mute).resolves.toEqual({ ok: false, reason: 'timeout' });
  });

  it('says absent, timeout, ended', async () => {
    const r = started();
    await expect(r.registry.ask('missing', { type: 'worker.ask' }, 100)).resolves.toEqual({
      ok: false,
      reason: 'absent',
    });
    const late = r.registry.ask('a', { type: 'worker.mute' }, 100);
    r.pass(100);
    await expect(late).resolves.toEqual({ ok: false, reason: 'timeout' });
    const cut = r.registry.ask('a', { type: 'worker.mute' }, 100);
    r.root.send({ type: 'supervisor.kill', id: 'a' });
    await expect(cut).resolves.toEqual({ ok: false, reason: 'ended' });
    r.pass(200);
    const crashed = r.registry.ask('a', { type: 'worker.mute' }, 100);
    r.registry.tell('a', { type: 'worker.break' });
    await expect(crashed).resolves.toEqual({ ok: false, reason: 'ended' });
  });
});

describe('listen', () => {
  it('hears emitted events across restarts until it is stopped', () => {
    const r = run();
    const heard: number[] = [];
    const stop = r.registry.listen('a', 'counted', ({ count }) => void heard.push(count));
    r.root.start();
    r.count();
    r.count();
    r.restart('a');
    r.count();
    stop();
    r.count();
    r.restart('a');
    r.count();
    expect(heard).toEqual([1, 2, 1]);
  });

  it('reports a handler that throws, and the actor lives on', () => {
    const r = started();
    r.registry.listen('a', 'counted', () => {
      throw new Error('listener');
    });
    r.count();
    expect(r.failures).toHaveLength(1);
    expect(r.count()).toBe('delivered');
  });
});

describe('follow', () => {
  const seen = (r: ReturnType<typeof run>) => {
    const values: unknown[] = [];
    const stop = r.registry.follow(
      'a',
      (snapshot) => (snapshot ? { parity: snapshot.context.count % 2 } : null),
      (value) => void values.push(value),
    );
    return { values, stop };
  };

  it('gives the first value at once and then only changes of value', () => {
    const r = started();
    const { values, stop } = seen(r);
    expect(values).toEqual([{ parity: 0 }]);
    r.count();
    r.registry.tell('a', { type: 'unknown' });
    r.count();
    expect(values).toEqual([{ parity: 0 }, { parity: 1 }, { parity: 0 }]);
    stop();
    r.count();
    r.restart('a');
    expect(values).toHaveLength(3);
  });

  it('survives kill, crash, restart and shutdown', () => {
    const r = run();
    const { values } = seen(r);
    r.root.start();
    r.count();
    r.restart('a');
    r.count();
    r.registry.tell('a', { type: 'worker.break' });
    r.pass(1000);
    r.root.send({ type: 'supervisor.shutdown' });
    expect(values).toEqual([
      { parity: 0 },
      { parity: 1 },
      null,
      { parity: 0 },
      { parity: 1 },
      null,
      { parity: 0 },
      null,
    ]);
  });

  it('reports what throws in its callbacks; the actor and other followers are unharmed', () => {
    const r = started();
    const other = vi.fn();
    r.registry.follow(
      'a',
      (s) => s?.context.count,
      () => {
        throw new Error('onChange');
      },
    );
    r.registry.follow(
      'a',
      () => {
        throw new Error('select');
      },
      () => {},
    );
    r.registry.follow('a', (s) => s?.context.count, other);
    r.count();
    expect(other.mock.calls.map(([value]) => value as number)).toEqual([0, 1]);
    expect(r.failures).toHaveLength(4);
    expect(r.count()).toBe('delivered');
  });

  it('may be stopped from within, and may tell the actor it follows', () => {
    const r = started();
    const values: number[] = [];
    const stop = r.registry.follow(
      'a',
      (s) => s?.context.count ?? -1,
      (value) => {
        values.push(value);
        if (value > 0 && value < 3) r.count();
        else if (value === 3) stop();
      },
    );
    r.count();
    expect(values).toEqual([0, 1, 2, 3]);
  });
});

describe('a registry that is attached later', () => {
  it('brings followers and listeners to the actors then', () => {
    const time = createClock();
    const registry = createRegistry<TestActors>();
    const values: unknown[] = [];
    registry.follow(
      'a',
      (s) => s?.context.count ?? null,
      (value) => void values.push(value),
    );
    const heard = vi.fn();
    registry.listen('a', 'counted', heard);
    const root = createActor(
      createSupervisor(group('root', [child('a', [])]), { now: time.now, random: () => 0, registry }),
      { clock: time.clock },
    );
    root.start();
    registry.attach(root.system);
    registry.tell('a', { type: 'worker.count' });
    expect(values).toEqual([null, 0, 1]);
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('sameValue', () => {
  for (const [a, b, same] of [
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, { b: undefined }, false],
    [[1], { 0: 1 }, false],
    [[1, 2], [1], false],
    [Number.NaN, Number.NaN, true],
    [null, {}, false],
    ['1', 1, false],
  ] as const) {
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)}: ${same}`, () => expect(sameValue(a, b)).toBe(same));
  }
});
