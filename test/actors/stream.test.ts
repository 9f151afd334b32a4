import { assign, createActor, setup, type AnyActorLogic } from 'xstate';
import { describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { sameFacts, streamSpec, watchForChanges } from '#actors/stream.ts';

const list = [1, 2];
const facts = { list, text: 'a' };

describe('sameFacts', () => {
  it.each([
    ['both absent', undefined, undefined, true],
    ['one absent', undefined, { value: 'on', context: facts }, false],
    ['the same facts', { value: { a: 'b' }, context: facts }, { value: { a: 'b' }, context: facts }, true],
    ['another state', { value: { a: 'b' }, context: facts }, { value: { a: 'c' }, context: facts }, false],
    ['a copy that changed nothing', { value: 'on', context: facts }, { value: 'on', context: { ...facts } }, true],
    ['a changed field', { value: 'on', context: facts }, { value: 'on', context: { ...facts, text: 'b' } }, false],
    ['a new field', { value: 'on', context: facts }, { value: 'on', context: { ...facts, more: undefined } }, false],
    [
      'a field less',
      { value: 'on', context: { ...facts, more: undefined } },
      { value: 'on', context: { ...facts, less: undefined } },
      false,
    ],
    [
      'a replaced list',
      { value: 'on', context: facts },
      { value: 'on', context: { ...facts, list: [...list] } },
      false,
    ],
  ])('%s', (_, a, b, same) => {
    expect(sameFacts(a, b)).toBe(same);
  });
});

/** A worker beside the stream that changes when it is told to. */
interface CounterActor {
  readonly id: 'counter';
  readonly context: { readonly count: number };
  readonly event: { readonly type: 'count' } | { readonly type: 'rest' };
}

const counter = setup({
  types: { context: {} as { count: number }, events: {} as { type: 'count' } | { type: 'rest' } },
  actions: { count: assign({ count: ({ context }) => context.count + 1 }) },
}).createMachine({ context: { count: 0 }, on: { count: { actions: 'count' }, rest: {} } });

/** A clock that is moved by hand, as XState takes it. */
const handClock = () => {
  const timers = new Map<number, { at: number; fn: () => void }>();
  let now = 0;
  let next = 1;
  return {
    setTimeout: (fn: () => void, ms: number) => {
      timers.set(next, { at: now + ms, fn });
      return next++;
    },
    clearTimeout: (id: number) => void timers.delete(id),
    pass: (ms: number) => {
      now += ms;
      for (const [id, timer] of timers) {
        if (timer.at > now) continue;
        timers.delete(id);
        timer.fn();
      }
    },
  };
};

const agent = () => {
  const registry = createRegistry();
  const counters = createRegistry<{ readonly counter: CounterActor }>();
  const clock = handClock();
  const root = createActor(
    createSupervisor(
      {
        id: 'root',
        strategy: 'one_for_one',
        intensity: { restarts: 5, periodMs: 60_000 },
        onGiveUp: 'escalate',
        backoff: { firstMs: 0, capMs: 0, jitter: 0 },
        children: [streamSpec(), { id: 'counter', logic: counter as AnyActorLogic, restart: 'permanent' }],
      },
      { now: () => 0, random: () => 0.5, registry },
    ),
    { clock },
  );
  registry.attach(root.system);
  counters.attach(root.system);
  root.start();
  const end = watchForChanges(registry, registry.ids());
  const revision = () => registry.read('stream')?.context.revision;
  clock.pass(200);
  const first = revision() ?? 0;
  return { counters, clock, end, raised: () => (revision() ?? 0) - first };
};

describe('watchForChanges', () => {
  it('gathers any number of changes into one revision, and the next change into the next', () => {
    const { counters, clock, raised } = agent();
    counters.tell('counter', { type: 'count' });
    counters.tell('counter', { type: 'count' });
    clock.pass(200);
    expect(raised()).toBe(1);
    clock.pass(1000);
    expect(raised()).toBe(1);
    counters.tell('counter', { type: 'count' });
    clock.pass(200);
    expect(raised()).toBe(2);
  });

  it('raises none for events that change nothing, nor after its end', () => {
    const { counters, clock, end, raised } = agent();
    counters.tell('counter', { type: 'rest' });
    clock.pass(1000);
    expect(raised()).toBe(0);
    end();
    counters.tell('counter', { type: 'count' });
    clock.pass(1000);
    expect(raised()).toBe(0);
  });
});
