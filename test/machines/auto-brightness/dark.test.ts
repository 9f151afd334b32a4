import { expect, it } from 'vitest';

import type { DisplayView, Moment } from '#machines/auto-brightness/events.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { amount } from '#test/fakes/amount.ts';
import { type Random, sequence } from '#test/fakes/sequence.ts';

import { start } from '../screen/start.ts';
import { plain, START } from './room.ts';

/** The decisions with a real screen, whose display does what is written to it. */
function panel() {
  const screen = start();
  const follow = followRoom();
  const device = { raw: 100, powered: true };
  let moment: Moment = { now: START, elapsed: 0 };
  let answered = 0;
  /** What was done to the display while it was dark, by no order of a person. */
  const faults: string[] = [];
  const view = (): DisplayView => {
    const { lit, wanted, brightness, lastBrightness, changed } = screen.facts();
    return { id: 'screen', route: 'backlight', lit: wanted ?? lit, level: brightness ?? lastBrightness, changed };
  };
  /** Carries out what the screen wrote; `isOrdered` for a person's order. */
  const settle = (isOrdered: boolean): void => {
    for (let write = screen.writes()[answered]; write !== undefined; write = screen.writes()[answered]) {
      answered += 1;
      const isLeft = write.onlyAbove !== undefined && (!device.powered || device.raw <= write.onlyAbove);
      const isDark = !device.powered;
      if (!isLeft) {
        if (isDark && !isOrdered) faults.push(`raw ${write.raw}, powered ${write.powered}`);
        device.raw = write.raw ?? device.raw;
        device.powered = write.powered ?? device.powered;
      }
      screen.actor.send({
        type: 'display.written',
        generation: write.generation,
        reading: { ...device },
        at: moment.now,
      });
    }
  };
  const take = (input: Parameters<typeof follow.take>[0]): void => {
    for (const output of follow.take(input, moment)) {
      if (output.type !== 'room.adjust') continue;
      screen.actor.send({ type: 'screen.adjust', level: output.level, origin: 'auto-brightness' });
      settle(false);
    }
  };
  const show = (): void => take({ type: 'displays', displays: [view()] });
  take({ type: 'settings', settings: plain });
  show();
  take({ type: 'source', kind: 'panel', revision: 1 });
  return {
    device,
    faults,
    facts: screen.facts,
    take,
    order: (event: { readonly on?: boolean; readonly brightness?: number; readonly origin: string }) => {
      screen.actor.send({ type: 'screen.set', ...event });
      settle(true);
      show();
    },
    pass: (ms: number) => {
      const end = moment.elapsed + ms;
      while (moment.elapsed < end) {
        const step = Math.min(Math.max(1, follow.dueIn(moment)), end - moment.elapsed);
        moment = { now: moment.now + step, elapsed: moment.elapsed + step };
        take({ type: 'tick' });
        show();
      }
    },
  };
}

type Panel = ReturnType<typeof panel>;

const steps: readonly ((one: Panel, random: Random) => void)[] = [
  (one, random) => one.take({ type: 'sample', lux: random(2) === 0 ? random(20) : random(30_000) }),
  (one, random) => one.pass(random(20_000)),
  (one) => one.order({ on: false, origin: 'http' }),
  (one) => one.order({ on: true, origin: 'touch' }),
  (one, random) => one.order({ brightness: 1 + random(255), origin: 'home-assistant' }),
  (one) => one.take({ type: 'resume' }),
];

it('never lights nor writes a dark display, whatever the light does', () => {
  const seeds = amount(200, 2000);
  let dark = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = sequence(seed);
    const one = panel();
    for (let step = 0; step < 30; step += 1) {
      steps[random(steps.length)]?.(one, random);
      if (!one.device.powered) dark += 1;
    }
    if (one.faults.length > 0) expect.unreachable(`seed ${seed}: ${one.faults.join('; ')}`);
  }
  expect(dark).toBeGreaterThan(2 * seeds);
});

it('lights a screen that was switched off at noon at night’s level, by touch, with the first write', () => {
  const one = panel();
  one.take({ type: 'sample', lux: 20_000 });
  one.pass(600_000);
  expect(one.device.raw).toBeGreaterThan(240);
  one.order({ on: false, origin: 'http' });
  const { raw } = one.device;
  one.take({ type: 'sample', lux: 0 });
  one.pass(10 * 3_600_000);
  expect(one.device).toEqual({ raw, powered: false });
  one.order({ on: true, origin: 'touch' });
  expect(one.device.powered).toBe(true);
  expect(one.device.raw).toBeLessThan(14);
  expect(one.faults).toEqual([]);
});
