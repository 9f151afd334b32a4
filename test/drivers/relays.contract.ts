import assert from 'node:assert/strict';

import type { RelayDriver, RelayDriverCommand, RelayFact } from '#machines/relays/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/** A relay under test and hands that reach it behind the driver's back. */
export interface RelayRig {
  readonly logic: RelayDriver;
  /** Whether its state can be read before it was first written. */
  readonly readsAtStart: boolean;
  /** Whether the relay is closed, read without the driver. */
  readonly peek: () => Promise<boolean>;
  /** Switches the relay without the driver; absent where the driver holds it alone. */
  readonly poke?: (closed: boolean) => Promise<void>;
  /** Pulls the device out or puts it back, open; absent where that cannot be done. */
  readonly plug?: (plugged: boolean) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** One case of the contract; it fails by throwing. */
export interface RelayCase {
  readonly title: string;
  readonly needs?: 'poke' | 'plug';
  readonly run: (rig: RelayRig) => Promise<void>;
}

type Driver = RunningDriver<RelayDriverCommand, RelayFact>;
const found = isFact<RelayFact, 'relay.found'>('relay.found', (fact) => fact.found);
const missed = isFact<RelayFact, 'relay.found'>('relay.found', (fact) => !fact.found);
const seen = (closed: boolean) =>
  isFact<RelayFact, 'relay.observed'>('relay.observed', (fact) => fact.closed === closed);

const written = (generation: number) =>
  isFact<RelayFact, 'relay.written'>('relay.written', (fact) => fact.generation === generation);

/** A command with a generation of its own. */
export const command = (closed: boolean, generation = 1): RelayDriverCommand => ({
  type: 'relay.switch',
  generation,
  closed,
});

async function withDriver(rig: RelayRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

/** What every relay driver must do, simulated or real; the relay is open before each case. */
export const relaysContract: readonly RelayCase[] = [
  {
    title: 'finds the relay and writes nothing at start',
    run: async (rig) => {
      const before = await rig.peek();
      await withDriver(rig, async (driver) => {
        const fact = await driver.until(found);
        assert.equal(fact.verdict.state, 'working');
        if (rig.readsAtStart) await driver.until(seen(before));
        assert.equal(await rig.peek(), before);
      });
    },
  },
  {
    title: 'closes and opens, and answers with what was read back',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        for (const [index, closed] of [true, false, true].entries()) {
          const from = driver.facts.length;
          driver.tell(command(closed, index + 1));
          await driver.until(seen(closed), from);
          await driver.until(written(index + 1), from);
          assert.equal(await rig.peek(), closed);
        }
      }),
  },
  {
    title: 'ends with the newest of many commands',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        for (const [index, closed] of [true, false, true, false, true].entries())
          driver.tell(command(closed, index + 1));
        await driver.until(seen(true));
        await driver.until(written(5));
        assert.equal(await rig.peek(), true);
        assert.equal(driver.facts.filter((fact) => fact.type === 'relay.refused').length, 0);
      }),
  },
  {
    title: 'notices a change made elsewhere, once',
    needs: 'poke',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(command(false));
        await driver.until(seen(false));
        await driver.until(written(1));
        const from = driver.facts.length;
        await rig.poke?.(true);
        await driver.until(seen(true), from);
        assert.equal(driver.facts.slice(from).length, 1);
      }),
  },
  {
    title: 'says that the device is gone, and finds it again within five seconds of its return',
    needs: 'plug',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(command(true));
        await driver.until(seen(true));
        await rig.plug?.(false);
        const away = await driver.until(missed);
        assert.notEqual(away.verdict.state, 'working');
        const from = driver.facts.length;
        await rig.plug?.(true);
        await driver.until(found, from, 5000);
        driver.tell(command(true));
        await driver.until(seen(true), from);
        assert.equal(await rig.peek(), true);
      }),
  },
  {
    title: 'leaves a relay as it is when it ends',
    needs: 'poke',
    run: async (rig) => {
      const driver: Driver = runDriver(rig.logic);
      await driver.until(found);
      driver.tell(command(true));
      await driver.until(seen(true));
      await driver.until(written(1));
      driver.stop();
      const count = driver.facts.length;
      assert.equal(await rig.peek(), true);
      await rig.poke?.(false);
      assert.equal(driver.facts.length, count);
    },
  },
];
