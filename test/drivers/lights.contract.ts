import assert from 'node:assert/strict';

import type { LightAbility, LightDriver, LightDriverCommand, LightFact, LightOutput } from '#machines/lights/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/** A light under test and hands that reach it behind the driver's back. */
export interface LightRig {
  readonly logic: LightDriver;
  readonly ability: LightAbility;
  /** What the light shows, read without the driver. */
  readonly peek: () => Promise<LightOutput>;
  /** Changes the light without the driver; the level is one that the hardware has. */
  readonly poke: (output: LightOutput) => Promise<void>;
  /** Pulls the device out or puts it back, dark; absent where that cannot be done. */
  readonly plug?: (plugged: boolean) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** One case of the contract; it fails by throwing. */
export interface LightCase {
  readonly title: string;
  /** Whether the case needs a device that can be pulled out. */
  readonly needsPlug?: boolean;
  readonly run: (rig: LightRig) => Promise<void>;
}

type Driver = RunningDriver<LightDriverCommand, LightFact>;
const found = isFact<LightFact, 'light.found'>('light.found', ({ ability }) => ability !== null);
const missed = isFact<LightFact, 'light.found'>('light.found', ({ ability }) => ability === null);
const seen = (passes: (output: LightOutput) => boolean = () => true) =>
  isFact<LightFact, 'light.observed'>('light.observed', ({ output }) => passes(output));

const written = (generation = 1) =>
  isFact<LightFact, 'light.written'>('light.written', (fact) => fact.generation === generation);

/** A command with a generation of its own. */
const show = (
  output: LightOutput,
  effect: LightDriverCommand['effect'] = 'none',
  generation = 1,
): LightDriverCommand => ({
  type: 'light.show',
  generation,
  output,
  effect,
});

/** What the rig's light can show: a whole colour at about half its level. */
const requestFor = ({ ability }: LightRig): LightOutput => ({
  level: ability.colour === 'switch' ? 255 : 128,
  rgb: ability.colour === 'rgb' ? { red: 255, green: 128, blue: 0 } : null,
});
const full = ({ ability }: LightRig): LightOutput => ({
  level: 255,
  rgb: ability.colour === 'rgb' ? { red: 0, green: 0, blue: 255 } : null,
});
const dark = ({ ability }: LightRig): LightOutput => ({
  level: 0,
  rgb: ability.colour === 'rgb' ? { red: 255, green: 128, blue: 0 } : null,
});

async function withDriver(rig: LightRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

async function settle(check: () => Promise<boolean>, what: string, withinMs = 5000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await check())) {
    assert.ok(performance.now() < end, `not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What every light driver must do, simulated or real. */
export const lightsContract: readonly LightCase[] = [
  {
    title: 'finds the light, says what it can do and shows, and writes nothing at start',
    run: async (rig) => {
      const before = await rig.peek();
      await withDriver(rig, async (driver) => {
        const fact = await driver.until(found);
        assert.deepEqual(fact.ability, rig.ability);
        assert.equal(fact.verdict.state, 'working');
        assert.equal((await driver.until(seen())).output.level, before.level);
        assert.deepEqual(await rig.peek(), before);
      });
    },
  },
  {
    title: 'writes a light and answers with it, read back',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(show(requestFor(rig), 'none', 7));
        assert.deepEqual((await driver.until(seen(({ level }) => level > 0))).output, requestFor(rig));
        await driver.until(written(7));
        const shown = await rig.peek();
        assert.ok(Math.abs(shown.level - requestFor(rig).level) <= 128, `level ${shown.level}`);
        assert.ok(shown.level > 0);
        if (rig.ability.colour === 'rgb')
          assert.ok(
            shown.rgb !== null &&
              shown.rgb.red >= shown.rgb.green &&
              shown.rgb.green >= shown.rgb.blue &&
              shown.rgb.blue === 0,
          );
      }),
  },
  {
    title: 'goes dark when told, and keeps nothing lit',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(show(full(rig)));
        await driver.until(seen(({ level }) => level === 255));
        const from = driver.facts.length;
        driver.tell(show(dark(rig)));
        await driver.until(
          seen(({ level }) => level === 0),
          from,
        );
        assert.equal((await rig.peek()).level, 0);
      }),
  },
  {
    title: 'ends with the newest of many commands',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        for (const [index, level] of [255, 0, 255, 0, 255].entries())
          driver.tell(show({ ...full(rig), level }, 'none', index + 1));
        await driver.until(written(5));
        await driver.until(seen(({ level }) => level === 255));
        await settle(async () => (await rig.peek()).level === 255, 'lit');
        assert.equal(driver.facts.findLast(seen())?.output.level, 255);
        assert.equal(driver.facts.filter(written(5)).length, 1);
      }),
  },
  {
    title: 'notices a change made elsewhere, once',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(show(dark(rig)));
        await driver.until(seen(({ level }) => level === 0));
        await driver.until(written());
        const from = driver.facts.length;
        await rig.poke(full(rig));
        await driver.until(
          seen(({ level }) => level === 255),
          from,
        );
        assert.equal(driver.facts.slice(from).length, 1);
      }),
  },
  {
    title: 'runs an effect without telling of its frames, and ends steady',
    run: async (rig) => {
      const driver: Driver = runDriver(rig.logic);
      await driver.until(found);
      driver.tell(show(full(rig), 'strobe'));
      await driver.until(seen(({ level }) => level === 255));
      await driver.until(written());
      const from = driver.facts.length;
      for (let flash = 0; flash < 3; flash += 1) {
        await settle(async () => (await rig.peek()).level === 0, 'dark between two flashes');
        await settle(async () => (await rig.peek()).level === 255, 'a flash');
      }
      await settle(async () => (await rig.peek()).level === 0, 'dark between two flashes');
      assert.deepEqual(driver.facts.slice(from), []);
      driver.stop();
      await settle(async () => (await rig.peek()).level === 255, 'lit as it was wanted, after the end');
    },
  },
  {
    title: 'says that the device is gone, and finds it again within five seconds of its return',
    needsPlug: true,
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        await driver.until(seen());
        await rig.plug?.(false);
        const away = await driver.until(missed);
        assert.notEqual(away.verdict.state, 'working');
        const from = driver.facts.length;
        await rig.plug?.(true);
        await driver.until(found, from, 5000);
        driver.tell(show(full(rig)));
        await driver.until(
          seen(({ level }) => level === 255),
          from,
        );
        assert.equal((await rig.peek()).level, 255);
      }),
  },
  {
    title: 'says nothing after its end',
    run: async (rig) => {
      const driver: Driver = runDriver(rig.logic);
      await driver.until(found);
      await driver.until(seen());
      driver.stop();
      const count = driver.facts.length;
      await rig.poke(full(rig));
      assert.equal(driver.facts.length, count);
    },
  },
];
