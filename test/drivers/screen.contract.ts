import assert from 'node:assert/strict';

import type { DisplayReading, ScreenDriver, ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/** A display under test and hands that reach it behind the driver's back. */
export interface ScreenRig {
  readonly logic: ScreenDriver;
  readonly rawMax: number;
  readonly power: boolean;
  /** The display's state, read without the driver. */
  readonly peek: () => Promise<DisplayReading>;
  /** Changes the display without the driver. */
  readonly poke: (reading: DisplayReading) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** One case of the contract; it fails by throwing. */
export interface ScreenCase {
  readonly title: string;
  /** Whether the case needs a display whose power can be switched. */
  readonly needsPower?: boolean;
  readonly run: (rig: ScreenRig) => Promise<void>;
}

type Driver = RunningDriver<ScreenDriverCommand, ScreenFact>;
const found = isFact<ScreenFact, 'display.found'>('display.found');
const writtenBy = (generation: number) =>
  isFact<ScreenFact, 'display.written'>('display.written', (fact) => fact.generation === generation);

async function withDriver(rig: ScreenRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

/** What every screen driver must do, simulated or real. */
export const screenContract: readonly ScreenCase[] = [
  {
    title: 'finds the display, says what it can do, and writes nothing at start',
    run: async (rig) => {
      const before = await rig.peek();
      await withDriver(rig, async (driver) => {
        const fact = await driver.until(found);
        assert.equal(fact.display.rawMax, rig.rawMax);
        assert.equal(fact.display.power, rig.power);
        assert.ok(fact.display.rawMin >= 1);
        assert.ok(fact.display.name.length > 0);
        assert.deepEqual(fact.reading, before);
        assert.deepEqual(await rig.peek(), before);
      });
    },
  },
  {
    title: 'writes a brightness and answers with what was read back',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        const raw = Math.max(1, Math.floor(rig.rawMax / 3));
        driver.tell({ type: 'display.write', generation: 7, raw, powered: rig.power ? true : null });
        assert.deepEqual((await driver.until(writtenBy(7))).reading, { raw, powered: true });
        assert.deepEqual(await rig.peek(), { raw, powered: true });
      }),
  },
  {
    title: 'switches off and on again without losing the level',
    needsPower: true,
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        const raw = Math.max(1, Math.floor(rig.rawMax / 2));
        driver.tell({ type: 'display.write', generation: 1, raw, powered: true });
        await driver.until(writtenBy(1));
        driver.tell({ type: 'display.write', generation: 2, raw: null, powered: false });
        assert.equal((await driver.until(writtenBy(2))).reading.powered, false);
        assert.equal((await rig.peek()).powered, false);
        driver.tell({ type: 'display.write', generation: 3, raw: null, powered: true });
        assert.deepEqual((await driver.until(writtenBy(3))).reading, { raw, powered: true });
      }),
  },
  {
    title: 'answers every write, in order',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        for (let generation = 1; generation <= 4; generation += 1) {
          driver.tell({ type: 'display.write', generation, raw: Math.min(rig.rawMax, generation), powered: null });
        }
        await driver.until(writtenBy(4));
        const answers = driver.facts.filter(isFact<ScreenFact, 'display.written'>('display.written'));
        assert.deepEqual(
          answers.map((fact) => [fact.generation, fact.reading.raw]),
          [1, 2, 3, 4].map((generation) => [generation, Math.min(rig.rawMax, generation)]),
        );
      }),
  },
  {
    title: 'notices a change made elsewhere within a second, and not its own writes',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell({ type: 'display.write', generation: 1, raw: rig.rawMax, powered: rig.power ? true : null });
        await driver.until(writtenBy(1));
        const from = driver.facts.length;
        const raw = Math.max(1, rig.rawMax - 1);
        await rig.poke({ raw, powered: true });
        const seen = await driver.until(isFact<ScreenFact, 'display.observed'>('display.observed'), from, 1000);
        assert.deepEqual(seen.reading, { raw, powered: true });
        assert.equal(driver.facts.filter((fact) => fact.type === 'display.observed').length, 1);
      }),
  },
  {
    title: 'fades with a single answer, and notices none of its own steps',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell({
          type: 'display.write',
          generation: 1,
          raw: rig.rawMax,
          powered: null,
          onlyAbove: 1,
          fadeMs: 200,
        });
        assert.deepEqual((await driver.until(writtenBy(1))).reading, { raw: rig.rawMax, powered: true });
        assert.deepEqual(await rig.peek(), { raw: rig.rawMax, powered: true });
        assert.deepEqual(
          driver.facts.map(({ type }) => type),
          ['display.found', 'display.written'],
        );
      }),
  },
  {
    title: 'ends a fade that is cut long before its time, then does what comes next',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        const fadeMs = 600_000;
        driver.tell({ type: 'display.write', generation: 1, raw: rig.rawMax, powered: null, onlyAbove: 1, fadeMs });
        driver.tell({ type: 'display.cut', generation: 1 });
        driver.tell({ type: 'display.write', generation: 2, raw: 5, powered: null });
        assert.equal((await driver.until(writtenBy(2))).reading.raw, 5);
        assert.ok(driver.facts.some(writtenBy(1)));
      }),
  },
  {
    title: 'leaves a dark display as it is where a write must not light it',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        const half = Math.max(1, Math.floor(rig.rawMax / 2));
        const dark = rig.power ? { raw: half, powered: false } : { raw: 1, powered: true };
        await rig.poke(dark);
        const before = await rig.peek();
        driver.tell({ type: 'display.write', generation: 1, raw: rig.rawMax, powered: null, onlyAbove: 1 });
        assert.deepEqual((await driver.until(writtenBy(1))).reading, dark);
        assert.deepEqual(await rig.peek(), before);
      }),
  },
  {
    title: 'says nothing after its end',
    run: async (rig) => {
      const driver: Driver = runDriver(rig.logic);
      await driver.until(found);
      driver.stop();
      const count = driver.facts.length;
      await rig.poke({ raw: 1, powered: true });
      await rig.poke({ raw: rig.rawMax, powered: true });
      assert.equal(driver.facts.length, count);
    },
  },
];
