import fc from 'fast-check';
import { expect, it } from 'vitest';

import { isLit } from '#machines/screen/decide.ts';
import type { DisplayFacts, DisplayReading } from '#machines/screen/events.ts';
import { ANSWER_BOUND_MS } from '#machines/screen/machine.ts';
import { amount } from '#test/fakes/amount.ts';

import { display, start } from './start.ts';

const level = fc.integer({ min: 1, max: 255 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('adjust' as const), level }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set' as const), level }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('on' as const, 'off' as const) }) },
  // What another program makes of the display, and when the driver notices.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('poke' as const), level, powered: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const) }) },
  // The answer shows what was before: the hardware fades by itself.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lag' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('refuse' as const, 'silence' as const) }) },
);

const backlight: DisplayFacts = { ...display, routes: { brightness: 'backlight', power: 'backlight' } };
const displays = fc.constantFrom<DisplayFacts>(display, backlight, { ...backlight, power: false });

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A panel behind the machine: it carries out one write when the test lets it answer. */
function panel(facts: DisplayFacts) {
  let now: DisplayReading = { raw: 120, powered: true };
  const screen = start({ type: 'display.found', display: facts, reading: now, at: 1 });
  let answered = 0;
  const pending = () => screen.writes().find(({ generation }) => generation > answered);
  const carryOut = (shows: 'after' | 'before'): void => {
    const write = screen.writes().at(-1);
    if (write === undefined || pending() === undefined) return;
    answered = write.generation;
    const before = now;
    // As a driver does it; that the machine never lets it come to this is not said here.
    if (write.onlyAbove === undefined || isLit(now, facts))
      now = { raw: write.raw ?? now.raw, powered: write.powered ?? now.powered };
    screen.answer(shows === 'after' ? now : before, write.generation);
  };
  const end = (how: 'refuse' | 'silence'): void => {
    const write = pending();
    if (write === undefined) return;
    answered = screen.writes().at(-1)?.generation ?? answered;
    if (how === 'silence') screen.clock.increment(ANSWER_BOUND_MS + 3000);
    else screen.actor.send({ type: 'display.refused', generation: answered, reason: 'failed' });
  };
  const run = (one: Step): void => {
    if (one.do === 'adjust') screen.actor.send({ type: 'screen.adjust', level: one.level, origin: 'auto-brightness' });
    else if (one.do === 'set') screen.actor.send({ type: 'screen.set', brightness: one.level, origin: 'http' });
    else if (one.do === 'on' || one.do === 'off')
      screen.actor.send({ type: 'screen.set', on: one.do === 'on', origin: 'touch' });
    else if (one.do === 'poke') now = { raw: one.level, powered: facts.power ? one.powered : true };
    else if (one.do === 'poll') screen.actor.send({ type: 'display.observed', reading: now, at: 9 });
    else if (one.do === 'answer' || one.do === 'lag') carryOut(one.do === 'lag' ? 'before' : 'after');
    else end(one.do);
  };
  return { ...screen, run };
}

it('never lights nor writes a dark display for the room, and lights it at the level that the room asked for last', () => {
  fc.assert(
    fc.property(displays, fc.array(step, { minLength: 5, maxLength: 25 }), (facts, steps) => {
      const screen = panel(facts);
      screen.actor.send({ type: 'screen.limits', minimumPercent: 0 });
      let restored: number | null = null;
      for (const one of steps) {
        const before = screen.facts();
        const seen = screen.writes().length;
        const wasDark = before.lit === false || before.wanted === false;
        screen.run(one);
        const after = screen.facts();
        const made = screen.writes().slice(seen);
        // One event brings one write at most.
        expect(made.length).toBeLessThanOrEqual(1);
        for (const write of made.filter(({ onlyAbove }) => onlyAbove !== undefined)) {
          expect(after.lit).toBe(true);
          expect(after.wanted).not.toBe(false);
          expect(write.powered).toBeNull();
          expect(write.raw).toBeGreaterThan(write.onlyAbove ?? 0);
        }
        if (one.do === 'adjust') {
          expect(after.lit).toBe(before.lit);
          expect(after.changed).toBe(before.changed);
          if (wasDark && before.wanted !== true) {
            expect(made).toEqual([]);
            restored = one.level;
          }
          if (!wasDark || before.wanted === true) restored = null;
        }
        if (one.do === 'set' || (after.lit === true && after.wanted !== false)) restored = null;
        if (restored !== null && after.lit === false) expect(after.lastBrightness).toBe(restored);
        const isBareOn = one.do === 'on' && before.lit === false && before.writing === null;
        // A display that keeps its floor for "off" spreads its levels over the rest.
        if (restored !== null && isBareOn && facts.power) expect(made.map(({ raw }) => raw)).toEqual([restored]);
      }
      screen.actor.stop();
    }),
    { numRuns: amount(200, 2000) },
  );
});

it('keeps nothing in the store for the levels of the room alone', () => {
  const quiet = step.filter((one) => ['adjust', 'answer', 'refuse', 'silence'].includes(one.do));
  fc.assert(
    fc.property(displays, fc.array(quiet, { minLength: 5, maxLength: 20 }), (facts, steps) => {
      const screen = panel(facts);
      for (const one of steps) screen.run(one);
      expect(screen.kept).toEqual([]);
      screen.actor.stop();
    }),
    { numRuns: amount(50, 500) },
  );
});
