import { describe, expect, it } from 'vitest';
import { createActor, setup, sendTo } from 'xstate';
import { simulatedDay } from '#bin/parts/simulated-day.ts';
import { dayDriver, type BeginDay } from '#drivers/simulator/day.ts';
import type { DayFact, DayRequest, SimulatedDay } from '#machines/simulator/events.ts';
import { until } from '#test/scenarios/live-agent.ts';

const settings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };

function driven(begin: BeginDay) {
  const facts: DayFact[] = [];
  const machine = setup({
    types: { events: {} as DayRequest | DayFact },
    actors: { day: dayDriver(begin) },
    actions: {
      note: (_, fact: DayFact) => void facts.push(fact),
      pass: sendTo('day', ({ event }) => event as DayRequest),
    },
  }).createMachine({
    invoke: { id: 'day', src: 'day' },
    on: {
      'simulator.day': { actions: 'pass' },
      'simulator.played': { actions: { type: 'note', params: ({ event }) => event } },
    },
  });
  const actor = createActor(machine).start();
  return {
    facts,
    stop: () => actor.stop(),
    ask: (requestId: string, seed: number) => actor.send({ type: 'simulator.day', requestId, seed, settings }),
  };
}

describe('a day in the driver', () => {
  it('is computed once for those who ask for the same, and another is refused meanwhile', async () => {
    let begun = 0;
    const gate = { isOpen: false };
    function* work(seed: number): Generator<void, SimulatedDay> {
      while (!gate.isOpen) yield;
      return { seed, settings, frames: [], evening: [] };
    }
    const { ask, facts, stop } = driven(async (seed) => {
      begun += 1;
      return work(seed);
    });
    ask('a', 1);
    ask('b', 1);
    ask('c', 2);
    await until('the refusal', () => Promise.resolve(facts.length === 1));
    expect(facts[0]).toMatchObject({ requestId: 'c', outcome: { ok: false, reason: 'day-busy' } });
    gate.isOpen = true;
    await until('the day', () => Promise.resolve(facts.length === 3));
    ask('d', 1);
    await until('the kept day', () => Promise.resolve(facts.length === 4));
    expect(begun).toBe(1);
    ask('e', 2);
    await until('the next day', () => Promise.resolve(facts.length === 5));
    const answers = facts
      .slice(1)
      .map(({ requestId, outcome }) => `${requestId} ${outcome.ok ? outcome.value.seed : outcome.reason}`);
    // Which of the first two comes first is left open.
    expect(new Set(answers)).toEqual(new Set(['a 1', 'b 1', 'd 1', 'e 2']));
    stop();
  });

  it('follows the light of a real one', async () => {
    const work = simulatedDay(1, settings);
    let slice = work.next();
    while (slice.done !== true) slice = work.next();
    const { frames } = slice.value;
    expect(frames.map(({ minuteOfDay }) => minuteOfDay)).toEqual(Array.from({ length: 288 }, (_, index) => index * 5));
    const [night, noon] = [frames[30], frames[144]];
    expect(night?.level).toBeLessThan(30);
    expect(noon?.level).toBeGreaterThan(100);
    expect(frames.every(({ level, expectedLux }) => level !== null && expectedLux !== null)).toBe(true);
  });
});
