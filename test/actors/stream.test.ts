import { assign, createActor, setup, type AnyActorLogic } from 'xstate';
import { describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { sameFacts, streamSpec, watchForChanges } from '#actors/stream.ts';
import { type Verdict, verdictOf, working } from '#machines/kit/verdict.ts';

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

/** A worker beside the stream that changes when it is told to, and says whether it works. */
interface CounterActor<I extends string> {
  readonly id: I;
  readonly context: { readonly count: number; readonly verdict: Verdict; readonly shown: boolean };
  readonly event: { readonly type: 'count' } | { readonly type: 'rest' } | { readonly type: 'fail' };
}

/** One that the status document reads, and one of which it has the verdict alone. */
interface Counters {
  readonly volume: CounterActor<'volume'>;
  readonly illuminance: CounterActor<'illuminance'>;
}

const counter = setup({
  types: {
    context: {} as CounterActor<'volume'>['context'],
    events: {} as CounterActor<'volume'>['event'],
  },
  actions: {
    count: assign({ count: ({ context }) => context.count + 1 }),
    fail: assign({ verdict: verdictOf('not_here', 'gone', 'It is gone.') }),
  },
}).createMachine({
  context: { count: 0, verdict: working('there', 'It works.'), shown: true },
  on: { count: { actions: 'count' }, fail: { actions: 'fail' }, rest: {} },
});

/** A clock that is moved by hand, as XState takes it. */
function handClock() {
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
}

function agent() {
  const registry = createRegistry();
  const counters = createRegistry<Counters>();
  const clock = handClock();
  const root = createActor(
    createSupervisor(
      {
        id: 'root',
        strategy: 'one_for_one',
        intensity: { restarts: 5, periodMs: 60_000 },
        onGiveUp: 'escalate',
        backoff: { firstMs: 0, capMs: 0, jitter: 0 },
        children: [
          streamSpec(),
          ...(['volume', 'illuminance'] as const).map((id) => ({
            id,
            logic: counter as AnyActorLogic,
            restart: 'permanent' as const,
          })),
        ],
      },
      { now: () => 0, random: () => 0.5, registry },
    ),
    { clock },
  );
  registry.attach(root.system);
  counters.attach(root.system);
  root.start();
  const end = watchForChanges(registry, registry.ids());
  const raised = () => registry.read('stream')?.context.revision ?? -1;
  const join = () => registry.tell('stream', { type: 'stream.viewer-joined' });
  const leave = () => registry.tell('stream', { type: 'stream.viewer-left' });
  return { registry, counters, clock, end, raised, join, leave };
}

describe('watchForChanges', () => {
  it('gathers any number of changes into one revision, and the next change into the next', () => {
    const { counters, clock, join, raised } = agent();
    join();
    counters.tell('volume', { type: 'count' });
    counters.tell('volume', { type: 'count' });
    clock.pass(200);
    expect(raised()).toBe(1);
    clock.pass(1000);
    expect(raised()).toBe(1);
    counters.tell('volume', { type: 'count' });
    clock.pass(200);
    expect(raised()).toBe(2);
  });

  it('raises none for events that change nothing, nor after its end', () => {
    const { counters, clock, end, join, raised } = agent();
    join();
    counters.tell('volume', { type: 'rest' });
    clock.pass(1000);
    expect(raised()).toBe(0);
    end();
    counters.tell('volume', { type: 'count' });
    clock.pass(1000);
    expect(raised()).toBe(0);
  });

  it('raises none while nobody looks', () => {
    const { counters, clock, join, leave, raised } = agent();
    counters.tell('volume', { type: 'count' });
    clock.pass(1000);
    expect(raised()).toBe(0);
    join();
    join();
    leave();
    counters.tell('volume', { type: 'count' });
    clock.pass(200);
    expect(raised()).toBe(1);
    leave();
    counters.tell('volume', { type: 'count' });
    clock.pass(1000);
    expect(raised()).toBe(1);
  });

  it('raises none for the readings of a sensor, but for what becomes of it', () => {
    const { counters, clock, join, raised } = agent();
    join();
    for (let second = 0; second < 5; second += 1) {
      counters.tell('illuminance', { type: 'count' });
      clock.pass(1000);
    }
    expect(raised()).toBe(0);
    counters.tell('illuminance', { type: 'fail' });
    clock.pass(200);
    expect(raised()).toBe(1);
  });
});
