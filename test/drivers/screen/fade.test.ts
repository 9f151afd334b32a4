import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';

import { fades, fadeSteps, STEP_MS } from '#drivers/screen/fade.ts';
import type { RouteTarget } from '#drivers/screen/route.ts';
import { routedScreen } from '#drivers/screen/routed-screen.ts';
import { judgeRoutes } from '#drivers/screen/verdicts.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { DisplayReading, ScreenDriverCommand, ScreenFact, ScreenStoreCommand } from '#machines/screen/events.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { decisions } from './decisions.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A backlight in memory that notes each brightness with the time at which it was written. */
function backlight(raw = 100, power = true) {
  const beganAt = performance.now();
  const lamp = { now: { raw, powered: true } as DisplayReading, written: [] as [number, number][], isGone: false };
  const target = {
    route: 'backlight',
    connector: null,
    name: 'panel',
    rawMax: 255,
    power,
    pollMs: 20,
    answerMs: 2000,
    read: async () => (lamp.isGone ? refuse('gone', 'Gone.') : ok(lamp.now)),
    requested: async () => (lamp.isGone ? refuse('gone', 'Gone.') : ok(lamp.now)),
    write: async (part) => {
      if (lamp.isGone) return refuse('gone', 'Gone.');
      lamp.now = { raw: part.raw ?? lamp.now.raw, powered: part.powered ?? lamp.now.powered };
      if (part.raw !== null) lamp.written.push([Math.round(performance.now() - beganAt), part.raw]);
      return ok(null);
    },
  } satisfies RouteTarget;
  return Object.assign(lamp, { target });
}

const driverOf = (target: RouteTarget) =>
  routedScreen({
    decisions,
    routes: [{ name: target.route, list: async () => ok([target]) }],
    slowRoutes: [],
    connectors: async () => [],
    slot: 1,
    judge: judgeRoutes,
    changesMs: null,
  });

describe('the steps of a fade', () => {
  it.each([
    ['brighter', 100, 110, 200, [102, 104, 106, 108, 110]],
    ['darker', 10, 5, 120, [8, 7, 5]],
    ['fewer values than steps', 3, 1, 3000, [2, 1]],
    ['shorter than a step', 100, 200, 39, [200]],
    ['nothing to do', 7, 7, 1000, [7]],
  ])('%s', (_, from, to, ms, steps) => expect(fadeSteps(from, to, ms)).toEqual(steps));

  it('are 40 ms apart and never more than the time allows', () => {
    expect(STEP_MS).toBe(40);
    expect(fadeSteps(0, 4095, 1000)).toHaveLength(25);
    expect(fadeSteps(4095, 1, 3000)).toHaveLength(75);
  });
});

describe('a fade', () => {
  const run = (lamp = backlight()) => {
    const end = new AbortController();
    const fading = fades(end.signal);
    const done: unknown[] = [];
    const begin = (to: number, fadeMs: number, generation = 1): void =>
      void fading.run(lamp.target, { generation, to, fadeMs }).then((result) => done.push(result));
    return { lamp, end, fading, done, begin };
  };

  it('writes each 40 ms, the last value exactly and in time', async () => {
    const { lamp, done, begin } = run();
    begin(103, 120);
    await pass(200);
    expect(lamp.written).toEqual([
      [0, 101],
      [40, 102],
      [80, 103],
    ]);
    expect(done).toEqual([ok({ raw: 103, isOvertaken: false })]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves steps out where the machine is late, so that it ends in time', async () => {
    const { lamp, done, begin } = run();
    const { write } = lamp.target;
    lamp.target.write = async (part) => {
      await new Promise((resolve) => void setTimeout(resolve, 100));
      return write(part);
    };
    begin(125, 1000);
    await pass(1200);
    expect(lamp.written.at(-1)?.[1]).toBe(125);
    // The last write may begin at the end of the time.
    expect(lamp.written.at(-1)?.[0]).toBeLessThanOrEqual(1000 + STEP_MS + 100);
    expect(lamp.written.length).toBeLessThan(12);
    expect(done).toHaveLength(1);
  });

  it.each([
    ['while it pauses', 1],
    ['with a later write', 2],
  ])('ends at once when it is cut %s', async (_, generation) => {
    const { lamp, fading, done, begin } = run();
    begin(200, 1000);
    await pass(50);
    fading.cut(generation);
    await pass(0);
    expect(done).toEqual([ok({ raw: lamp.now.raw, isOvertaken: false })]);
    expect(lamp.written.map(([, raw]) => raw)).toEqual([104, 108]);
  });

  it('writes nothing when it was cut before it began, and goes on when an older one is cut', async () => {
    const { lamp, fading, done, begin } = run();
    fading.cut(3);
    begin(200, 1000, 3);
    await pass(0);
    expect(done).toEqual([ok({ raw: 100, isOvertaken: false })]);
    begin(103, 120, 4);
    fading.cut(3);
    await pass(200);
    expect(lamp.now.raw).toBe(103);
  });

  it.each([
    ['dims', { raw: 20, powered: true }],
    ['switches', { raw: 108, powered: false }],
  ])('ends when another program %s it', async (_, foreign) => {
    const { lamp, done, begin } = run();
    begin(200, 1000);
    await pass(50);
    lamp.now = foreign;
    await pass(2000);
    expect(lamp.now).toEqual(foreign);
    expect(done).toEqual([ok({ raw: 108, isOvertaken: true })]);
  });

  it('does not take for that what the kernel makes of a value', async () => {
    const { lamp, done, begin } = run();
    const { requested } = lamp.target;
    lamp.target.requested = async () => {
      const now = await requested();
      return now.ok ? ok({ ...now.value, raw: Math.floor(now.value.raw / 10) * 10 }) : now;
    };
    begin(150, 200);
    await pass(300);
    expect(done).toEqual([ok({ raw: 150, isOvertaken: false })]);
  });

  it('ends with its driver, and with the display', async () => {
    const stopped = run();
    stopped.begin(200, 1000);
    await pass(50);
    stopped.end.abort();
    await pass(0);
    expect(stopped.done).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
    const gone = run();
    gone.begin(200, 1000);
    await pass(50);
    gone.lamp.isGone = true;
    await pass(50);
    expect(gone.done).toEqual([refuse('gone', 'Gone.')]);
  });
});

describe('the driver', () => {
  const start = async (lamp = backlight()) => {
    const driver = runDriver<ScreenDriverCommand, ScreenFact>(driverOf(lamp.target));
    await pass(0);
    const said = () => driver.facts.slice(1).map((fact) => [fact.type, 'reading' in fact ? fact.reading.raw : null]);
    return { lamp, driver, said };
  };
  const fade = { type: 'display.write', generation: 1, raw: 200, powered: null, onlyAbove: 0, fadeMs: 1000 } as const;

  it('answers a fade once, and polls see nothing of it', async () => {
    const { driver, said, lamp } = await start();
    driver.tell(fade);
    await pass(900);
    expect(said()).toEqual([]);
    await pass(600);
    expect(lamp.written).toHaveLength(25);
    expect(said()).toEqual([['display.written', 200]]);
    driver.stop();
  });

  it('answers a cut fade with what it reached, then the next command', async () => {
    const { driver, said } = await start();
    driver.tell(fade);
    await pass(100);
    driver.tell({ type: 'display.cut', generation: 1 });
    driver.tell({ type: 'display.write', generation: 2, raw: 30, powered: true });
    await pass(0);
    expect(said()).toEqual([
      ['display.written', 112],
      ['display.written', 30],
    ]);
    driver.stop();
  });

  it('leaves to a poll what another program did meanwhile', async () => {
    const { driver, said, lamp } = await start();
    driver.tell(fade);
    await pass(100);
    lamp.now = { raw: 77, powered: true };
    await pass(200);
    expect(said()).toEqual([
      ['display.written', 112],
      ['display.observed', 77],
    ]);
    driver.stop();
  });

  it.each([
    ['switched off', { raw: 100, powered: false }, 0],
    ['at its floor', { raw: 1, powered: true }, 1],
  ])('writes nothing to a display that is %s', async (_, dark, onlyAbove) => {
    const { driver, lamp } = await start(backlight(100));
    lamp.now = dark;
    driver.tell({ ...fade, onlyAbove });
    const written = isFact<ScreenFact, 'display.written'>('display.written');
    await pass(0);
    expect(driver.facts.find(written)?.reading).toEqual(dark);
    driver.tell({ type: 'display.write', generation: 2, raw: 50, powered: null, onlyAbove });
    await pass(0);
    expect(lamp.written).toEqual([]);
    driver.stop();
  });

  it('writes at once through a route that cannot fade', async () => {
    const { target, ...lamp } = backlight();
    const { requested: _, ...monitor } = target;
    const { driver, said } = await start({ ...lamp, target: monitor as typeof target });
    driver.tell(fade);
    await pass(0);
    expect(said()).toEqual([['display.written', 200]]);
    driver.stop();
  });

  it('says of a display that goes in the middle that it is lost, once', async () => {
    const { driver, said, lamp } = await start();
    driver.tell(fade);
    await pass(100);
    lamp.isGone = true;
    await pass(1000);
    expect(said()).toEqual([['display.lost', null]]);
    driver.stop();
  });

  it('ends a fade with itself', async () => {
    const { driver, lamp } = await start();
    driver.tell(fade);
    await pass(100);
    driver.stop();
    const { length } = lamp.written;
    await pass(1000);
    expect(lamp.written).toHaveLength(length);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the machine over the driver', () => {
  async function start() {
    const lamp = backlight();
    const actor = createActor(
      screenMachine.provide({
        actors: {
          display: driverOf(lamp.target),
          limits: fakeDriver().logic,
          store: fakeDriver<ScreenStoreCommand>().logic,
        },
      }),
    ).start();
    await pass(0);
    actor.send({ type: 'screen.limits', minimumPercent: 0 });
    const published: (number | null)[] = [];
    let last = actor.getSnapshot().context.brightness;
    actor.subscribe(({ context }) => {
      if (last !== context.brightness) published.push(context.brightness);
      last = context.brightness;
    });
    const adjust = (level: number): void => actor.send({ type: 'screen.adjust', level, origin: 'auto-brightness' });
    return { lamp, actor, published, adjust };
  }

  it('publishes one state per fade', async () => {
    const { lamp, actor, published, adjust } = await start();
    for (let turn = 0; turn < 50; turn += 1) {
      adjust(turn % 2 === 0 ? 240 : 20);
      await pass(3500);
    }
    expect(lamp.written.length).toBeGreaterThan(1000);
    expect(published).toHaveLength(50);
    actor.stop();
  });

  it('publishes no more when each fade cuts the one before', async () => {
    const { actor, published, adjust } = await start();
    for (let turn = 0; turn < 50; turn += 1) {
      adjust(turn % 2 === 0 ? 240 : 20);
      await pass(250);
    }
    await pass(3500);
    expect(published.length).toBeLessThanOrEqual(50);
    actor.stop();
  });

  it.each([10, 137, 555, 1999])('a slider cuts a fade within one step, %i ms after its begin', async (after) => {
    const { lamp, actor, adjust } = await start();
    lamp.now = { raw: 250, powered: true };
    await pass(40);
    adjust(5);
    await pass(after);
    const asked = performance.now();
    actor.send({ type: 'screen.set', brightness: 180, origin: 'home-assistant' });
    while (lamp.now.raw !== 180 && performance.now() - asked <= STEP_MS) await pass(1);
    expect(lamp.now.raw).toBe(180);
    await pass(4000);
    expect(lamp.now.raw).toBe(180);
    expect(actor.getSnapshot().context).toMatchObject({ brightness: 180, changed: { by: 'home-assistant' } });
    actor.stop();
  });

  it('goes dark in the middle of a fade, and ON comes back where the fade would have ended', async () => {
    const { lamp, actor, adjust } = await start();
    adjust(240);
    await pass(200);
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    await pass(0);
    expect(lamp.now.powered).toBe(false);
    await pass(2000);
    const from = lamp.written.length;
    actor.send({ type: 'screen.set', on: true, origin: 'touch' });
    await pass(0);
    expect(lamp.written.slice(from).map(([, raw]) => raw)).toEqual([240]);
    expect(lamp.now).toEqual({ raw: 240, powered: true });
    actor.stop();
  });

  it('lights on its way out within its bound', async () => {
    const { lamp, actor, adjust } = await start();
    adjust(240);
    await pass(200);
    actor.send({ type: 'screen.set', on: false, origin: 'http' });
    actor.send({ type: 'screen.stop' });
    await pass(79);
    expect(actor.getSnapshot().status).toBe('done');
    expect(lamp.now).toEqual({ raw: 240, powered: true });
  });
});
