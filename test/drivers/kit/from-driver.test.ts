import { describe, expect, it, vi } from 'vitest';
import { assign, createActor, setup, type AnyActorLogic } from 'xstate';

import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { fromDriver, type Cleanup, type DriverScope } from '#drivers/kit/from-driver.ts';
import { placeholder } from '#machines/kit/placeholder.ts';

import { leakWarnings } from '../leak-warnings.ts';

type Told = { readonly type: 'told'; readonly n: number };
type Fact = { readonly type: 'fact'; readonly n: number };
type Scope = DriverScope<Told, { readonly name: string }, Fact>;
type Start = (scope: Scope) => void | Cleanup | Promise<void | Cleanup>;

const parentOf = (logic: AnyActorLogic) =>
  setup({
    types: {} as {
      context: { facts: number[]; errors: unknown[] };
      events: Fact | { type: 'tell'; n: number } | { type: 'end' } | { type: 'begin' };
    },
    actors: { driver: placeholder<Told, { readonly name: string }, Fact>() },
    actions: {
      noteFact: assign({
        facts: ({ context, event }) => (event.type === 'fact' ? [...context.facts, event.n] : context.facts),
      }),
      noteError: assign({
        errors: ({ context, event }) => [...context.errors, 'error' in event ? event.error : undefined],
      }),
      pass: ({ event, self }) => {
        if (event.type === 'tell') self.getSnapshot().children['driver']?.send({ type: 'told', n: event.n });
      },
    },
  })
    .createMachine({
      context: { facts: [], errors: [] },
      initial: 'on',
      on: { fact: { actions: 'noteFact' } },
      states: {
        on: {
          invoke: { id: 'driver', src: 'driver', input: { name: 'lamp' }, onError: { actions: 'noteError' } },
          on: { tell: { actions: 'pass' }, end: 'off' },
        },
        off: { on: { begin: 'on' } },
      },
    })
    .provide({ actors: { driver: logic as ReturnType<typeof placeholder<Told, { readonly name: string }, Fact>> } });

function run(start: Start) {
  const actor = createActor(parentOf(fromDriver<Told, { readonly name: string }, Fact>(start)));
  actor.start();
  return {
    actor,
    cleanups: cleanupsOf(actor.system),
    facts: () => actor.getSnapshot().context.facts,
    errors: () => actor.getSnapshot().context.errors,
    tell: (n: number) => actor.send({ type: 'tell', n }),
    end: () => actor.send({ type: 'end' }),
  };
}

async function turn(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
}
const boom = new Error('boom');
function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe('fromDriver at work', () => {
  it('hands out its input, reports facts and passes events on', () => {
    const told: number[] = [];
    const r = run(({ input, send, onEvent }) => {
      expect(input.name).toBe('lamp');
      onEvent((event) => void told.push(event.n));
      send({ type: 'fact', n: 1 });
    });
    r.tell(7);
    expect(told).toEqual([7]);
    expect(r.facts()).toEqual([1]);
  });

  it('keeps its input out of what can be seen of it', () => {
    const r = run(() => {});
    expect(JSON.stringify(r.actor.getSnapshot().children['driver']?.getSnapshot())).not.toContain('lamp');
  });

  it('aborts and cleans up once when it is stopped', () => {
    const cleanup = vi.fn();
    let signal: AbortSignal | undefined;
    const r = run((scope) => {
      signal = scope.signal;
      return cleanup;
    });
    r.end();
    r.actor.stop();
    expect(cleanup).toHaveBeenCalledTimes(1);
    expect(signal?.aborted).toBe(true);
    expect(r.errors()).toEqual([]);
  });

  it('starts afresh after it was stopped', () => {
    let starts = 0;
    const r = run(() => void (starts += 1));
    r.end();
    r.actor.send({ type: 'begin' });
    expect(starts).toBe(2);
  });

  it('keeps events that come before its handler is registered, in order', async () => {
    const told: number[] = [];
    const ready = deferred<void>();
    const r = run(async ({ onEvent }) => {
      await ready.promise;
      onEvent((event) => void told.push(event.n));
    });
    r.tell(1);
    r.tell(2);
    ready.resolve();
    await turn();
    r.tell(3);
    expect(told).toEqual([1, 2, 3]);
  });

  it('keeps order when an event comes between registration and hand-over', async () => {
    const told: number[] = [];
    let register: () => void = () => {};
    const r = run(({ onEvent }) => {
      register = () => onEvent((event) => void told.push(event.n));
    });
    r.tell(1);
    register();
    r.tell(2);
    await turn();
    expect(told).toEqual([1, 2]);
  });

  it('keeps the newest 100 early events', async () => {
    const told: number[] = [];
    let register: () => void = () => {};
    const r = run(({ onEvent }) => {
      register = () => onEvent((event) => void told.push(event.n));
    });
    for (let n = 0; n < 150; n += 1) r.tell(n);
    register();
    await turn();
    expect(told).toHaveLength(100);
    expect(told[0]).toBe(50);
    expect(told[99]).toBe(149);
  });
});

describe('fromDriver crashed on purpose', () => {
  const crashes: Record<
    string,
    (crashWith: { cleanup: Cleanup }) => {
      start: Start;
      act?: (r: ReturnType<typeof run>) => void | Promise<void>;
      cleanups: number;
    }
  > = {
    'a throw at start': () => ({
      start: () => {
        throw boom;
      },
      cleanups: 0,
    }),
    'a rejection at start': () => ({ start: () => Promise.reject(boom), cleanups: 0 }),
    'a late rejection at start': () => ({
      start: async () => {
        await Promise.resolve();
        throw boom;
      },
      cleanups: 0,
    }),
    'a throwing handler': ({ cleanup }) => ({
      start: ({ onEvent }) => {
        onEvent(() => {
          throw boom;
        });
        return cleanup;
      },
      act: (r) => r.tell(1),
      cleanups: 1,
    }),
    'a rejecting handler': ({ cleanup }) => ({
      start: ({ onEvent }) => {
        onEvent(() => Promise.reject(boom));
        return cleanup;
      },
      act: (r) => r.tell(1),
      cleanups: 1,
    }),
    'two handlers that both throw': ({ cleanup }) => ({
      start: ({ onEvent }) => {
        for (const _ of [1, 2])
          onEvent(() => {
            throw boom;
          });
        return cleanup;
      },
      act: (r) => r.tell(1),
      cleanups: 1,
    }),
    'a handler that throws on an early event': ({ cleanup }) => {
      let register: () => void = () => {};
      return {
        start: ({ onEvent }) => {
          register = () =>
            onEvent(() => {
              throw boom;
            });
          return cleanup;
        },
        act: (r) => {
          r.tell(1);
          r.tell(2);
          register();
        },
        cleanups: 1,
      };
    },
    'a throwing guarded callback': ({ cleanup }) => {
      let fire: () => void = () => {};
      return {
        start: ({ guard }) => {
          fire = guard(() => {
            throw boom;
          });
          return cleanup;
        },
        act: () => {
          fire();
          fire();
        },
        cleanups: 1,
      };
    },
    'a rejecting guarded callback': ({ cleanup }) => {
      let fire: () => void = () => {};
      return {
        start: ({ guard }) => {
          fire = guard(() => Promise.reject(boom));
          return cleanup;
        },
        act: () => {
          fire();
          fire();
        },
        cleanups: 1,
      };
    },
    'a guarded callback that throws while it starts': ({ cleanup }) => ({
      start: ({ guard }) => {
        guard(() => {
          throw boom;
        })();
        return cleanup;
      },
      cleanups: 1,
    }),
    'a guarded callback that throws before a slow start is over': ({ cleanup }) => {
      const ready = deferred<void>();
      let fire: () => void = () => {};
      return {
        start: async ({ guard }) => {
          fire = guard(() => {
            throw boom;
          });
          await ready.promise;
          return cleanup;
        },
        act: () => {
          fire();
          ready.resolve();
        },
        cleanups: 1,
      };
    },
    'a handler whose nested callback throws too': ({ cleanup }) => {
      return {
        start: ({ guard, onEvent }) => {
          const nested = guard(() => {
            throw boom;
          });
          onEvent(() => {
            nested();
            throw new Error('second');
          });
          return cleanup;
        },
        act: (r) => r.tell(1),
        cleanups: 1,
      };
    },
    'a throw of undefined': ({ cleanup }) => ({
      start: ({ onEvent }) => {
        onEvent(() => Promise.reject());
        return cleanup;
      },
      act: (r) => r.tell(1),
      cleanups: 1,
    }),
  };

  for (const [name, make] of Object.entries(crashes)) {
    it(`${name}: one error event, cleanup at most once`, async () => {
      const cleanup = vi.fn();
      let seen: Scope | undefined;
      const { start, act, cleanups } = make({ cleanup });
      const r = run((scope) => {
        seen = scope;
        return start(scope);
      });
      await act?.(r);
      await turn();
      expect(r.errors()).toHaveLength(1);
      if (name !== 'a throw of undefined') expect(r.errors()[0]).toBe(boom);
      expect(cleanup).toHaveBeenCalledTimes(cleanups);
      expect(seen?.signal.aborted).toBe(true);
      expect(r.actor.getSnapshot().status).toBe('active');
      seen?.send({ type: 'fact', n: 99 });
      r.end();
      await turn();
      expect(r.facts()).toEqual([]);
      expect(cleanup).toHaveBeenCalledTimes(cleanups);
      expect(r.errors()).toHaveLength(1);
    });
  }

  it('runs a cleanup that arrives after the stop, once', async () => {
    const cleanup = vi.fn();
    const ready = deferred<Cleanup>();
    const r = run(() => ready.promise);
    r.end();
    expect(cleanup).not.toHaveBeenCalled();
    ready.resolve(cleanup);
    await turn();
    expect(cleanup).toHaveBeenCalledTimes(1);
    expect(r.errors()).toEqual([]);
  });

  it('forgets a start that fails after the stop', async () => {
    const ready = deferred<Cleanup>();
    const r = run(() => ready.promise);
    r.end();
    ready.reject(boom);
    await turn();
    expect(r.errors()).toEqual([]);
  });

  it('does not call guarded callbacks or handlers after the stop', async () => {
    const called = vi.fn();
    let fire: () => void = () => {};
    const r = run(({ guard }) => {
      fire = guard(called);
    });
    r.end();
    fire();
    expect(called).not.toHaveBeenCalled();
  });

  for (const [name, cleanup] of [
    [
      'throws',
      () => {
        throw boom;
      },
    ],
    ['rejects', () => Promise.reject(boom)],
  ] as const) {
    it(`only reports a cleanup that ${name}`, async () => {
      const failures: unknown[] = [];
      const r = run(() => cleanup);
      r.cleanups.onFailure((error) => failures.push(error));
      r.end();
      r.actor.send({ type: 'begin' });
      await turn();
      expect(failures).toEqual([boom]);
      expect(r.errors()).toEqual([]);
      expect(r.actor.getSnapshot().value).toBe('on');
    });
  }

  it('survives a reporter that throws', () => {
    const r = run(() => () => {
      throw boom;
    });
    r.cleanups.onFailure(() => {
      throw boom;
    });
    expect(() => r.end()).not.toThrow();
  });

  it('tells when all asynchronous cleanups are over', async () => {
    const closed = deferred<void>();
    const r = run(() => () => closed.promise);
    r.end();
    let settled = false;
    const wait = r.cleanups.settled().then(() => (settled = true));
    await turn();
    expect(settled).toBe(false);
    closed.resolve();
    await wait;
    expect(settled).toBe(true);
  });

  it('shares none of its cleanups with another root of the process', async () => {
    const heard: string[] = [];
    const slow = run(() => () => new Promise<void>(() => {}));
    const failing = run(() => () => Promise.reject(boom));
    slow.cleanups.onFailure(() => heard.push('slow'));
    failing.cleanups.onFailure(() => heard.push('failing'));
    slow.end();
    failing.end();
    await failing.cleanups.settled();
    expect(heard).toEqual(['failing']);
  });

  it('a placeholder that was not replaced is an error of its machine', () => {
    const actor = createActor(parentOf(placeholder()));
    actor.start();
    expect(actor.getSnapshot().context.errors).toHaveLength(1);
  });
});

describe('the signal', () => {
  const listening = (count: number) => async (): Promise<void> => {
    const driver = run(({ signal }) => {
      for (let at = 0; at < count; at += 1) signal.addEventListener('abort', () => {}, { once: true });
    });
    driver.end();
    await turn();
  };
  it('bears as many listeners as tools may run at once, and still tells of a leak', async () => {
    expect(await leakWarnings(listening(32))).toEqual([]);
    expect(await leakWarnings(listening(33))).toEqual([expect.stringContaining('33 abort listeners')]);
  });
});

it('finds its parent in the field of XState that the kit relies on', () => {
  let parents: readonly unknown[] = [];
  const child = placeholder<Told, undefined, Fact>();
  const machine = setup({ actors: { child } }).createMachine({ invoke: { id: 'child', src: 'child' } });
  const parent = createActor(
    machine.provide({ actors: { child: { ...child, start: (_, { self }) => (parents = [self._parent]) } } }),
  ).start();
  expect(parents).toEqual([parent]);
  parent.stop();
});
