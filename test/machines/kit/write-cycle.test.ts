import { describe, expect, it } from 'vitest';
import { assign, createActor, fromTransition, sendTo, setup, SimulatedClock } from 'xstate';

import { withEvent } from '#machines/kit/with-event.ts';
import { begun, cycleGuards, firstCycle, noWrite, writeCycle, type WriteCycle } from '#machines/kit/write-cycle.ts';

describe('the facts of a write cycle', () => {
  it('counts each write, and leaves nothing waiting once it begins', () =>
    expect(begun({ ...firstCycle, generation: 4 }, 'on')).toEqual({ generation: 5, next: null, writing: 'on' }));

  it('keeps its count when the device goes, so that a late answer is known', () =>
    expect({ ...begun(firstCycle, 'on'), ...noWrite }).toEqual({ generation: 1, next: null, writing: null }));

  it.each([
    [0, 1, false],
    [1, 1, true],
    [2, 1, false],
  ])('an answer of %i after %i writes: %s', (generation, writes, isNewest) =>
    expect(cycleGuards.isNewest({ context: { generation: writes } }, { generation })).toBe(isNewest),
  );
});

type LampEvent =
  | { readonly type: 'lamp.set'; readonly level: number }
  | { readonly type: 'lamp.written'; readonly generation: number; readonly level: number }
  | { readonly type: 'lamp.refused'; readonly generation: number; readonly reason: string };

interface LampContext extends WriteCycle<number> {
  readonly level: number | null;
  readonly fault: string | null;
}

const BOUND_MS = 100;

const lampMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as LampContext,
    events: {} as LampEvent,
  },
  actors: { driver: fromTransition((state: null) => state, null) },
  delays: { answerBound: BOUND_MS },
  guards: cycleGuards,
  actions: {
    queue: assign((_, { level }: Extract<LampEvent, { type: 'lamp.set' }>) => ({ next: level })),
    begin: assign(({ context }) => begun(context, context.next ?? 0)),
    write: sendTo('driver', ({ context }) => ({ type: 'write', level: context.writing })),
    settle: assign((_, { level }: { readonly level: number }) => ({ level, fault: null, writing: null })),
    refuse: assign((_, { reason }: { readonly reason: string }) => ({ fault: reason, writing: null })),
    noteSilence: assign({ fault: 'no-answer', writing: null }),
    takeReading: assign((_, { level }: { readonly level: number }) => ({ level })),
  },
}).createMachine({
  id: 'lamp',
  options: { maxIterations: 10 },
  context: { ...firstCycle, level: null, fault: null },
  invoke: { id: 'driver', src: 'driver' },
  ...writeCycle<LampEvent>()('lamp.written', 'lamp.refused'),
  on: {
    'lamp.set': { actions: withEvent('queue') },
    'lamp.written': { actions: withEvent('takeReading') },
  },
});

function start() {
  const written: number[] = [];
  const clock = new SimulatedClock();
  const driver = fromTransition((state: null, event: { readonly type: string; readonly level?: number }) => {
    if (event.level !== undefined) written.push(event.level);
    return state;
  }, null);
  // The stand-in takes the commands of the driver whose place it holds.
  const actor = createActor(lampMachine.provide({ actors: { driver: driver as never } }), { clock }).start();
  const facts = () => actor.getSnapshot().context;
  return {
    written,
    pass: () => clock.increment(BOUND_MS),
    set: (level: number) => actor.send({ type: 'lamp.set', level }),
    answer: (level: number, generation = facts().generation) => actor.send({ type: 'lamp.written', generation, level }),
    refuse: (generation = facts().generation) => actor.send({ type: 'lamp.refused', generation, reason: 'EIO' }),
    facts,
    state: () => actor.getSnapshot().value,
  };
}

describe('the states of a write cycle', () => {
  it('write at once where nothing is under way', () => {
    const lamp = start();
    expect(lamp.state()).toBe('idle');
    lamp.set(5);
    expect([lamp.state(), lamp.written, lamp.facts().writing]).toEqual(['writing', [5], 5]);
  });

  it('write one at a time; the newest request wins', () => {
    const lamp = start();
    for (const level of [1, 2, 3, 4]) lamp.set(level);
    expect([lamp.written, lamp.facts().next]).toEqual([[1], 4]);
    lamp.answer(1);
    expect([lamp.state(), lamp.written, lamp.facts().level]).toEqual(['writing', [1, 4], 1]);
    lamp.answer(4);
    expect(lamp.state()).toBe('idle');
    expect(lamp.facts()).toEqual({ generation: 2, next: null, writing: null, level: 4, fault: null });
  });

  it('go on with what was asked for since when a write is refused', () => {
    const lamp = start();
    lamp.set(1);
    lamp.set(2);
    lamp.refuse();
    expect([lamp.written, lamp.facts().fault]).toEqual([[1, 2], 'EIO']);
  });

  it('wait for an answer only so long, and take the late one as the answer that it is', () => {
    const lamp = start();
    lamp.set(1);
    lamp.pass();
    expect([lamp.state(), lamp.facts().fault]).toEqual(['idle', 'no-answer']);
    lamp.answer(1);
    expect([lamp.state(), lamp.facts().level, lamp.facts().fault]).toEqual(['idle', 1, null]);
  });

  it('begin the next write after a silence, and leave the late answer to the state around', () => {
    const lamp = start();
    lamp.set(1);
    lamp.set(2);
    lamp.pass();
    expect([lamp.state(), lamp.written]).toEqual(['writing', [1, 2]]);
    lamp.answer(1, 1);
    lamp.refuse(1);
    expect([lamp.state(), lamp.facts().level, lamp.facts().fault]).toEqual(['writing', 1, 'no-answer']);
  });

  it('hold over a flood of requests with their answers in between, in any order', () => {
    const lamp = start();
    for (let turn = 0; turn < 200; turn += 1) {
      lamp.set(turn);
      if (turn % 3 === 0) lamp.answer(lamp.written.at(-1) ?? -1);
      if (turn % 7 === 0) lamp.answer(0, lamp.facts().generation - 1);
      if (turn % 50 === 0) lamp.pass();
      expect(lamp.written.length).toBe(lamp.facts().generation);
    }
    lamp.answer(lamp.written.at(-1) ?? -1);
    lamp.answer(lamp.written.at(-1) ?? -1);
    expect([lamp.state(), lamp.written.at(-1), lamp.facts().level]).toEqual(['idle', 199, 199]);
  });
});
