import assert from 'node:assert/strict';

import type { EventObject } from 'xstate';

import type { SensorDriver, SensorFact } from '#machines/sensors/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/**
 * A sensor under test and the hands that reach it behind the driver's back; where there are none, the cases that need
 * them are left out.
 */
export interface SensorRig {
  readonly logic: SensorDriver;
  /** Name of the device that must be found. */
  readonly device: string;
  /**
   * What it must read at first, give or take `within`, in the unit of the sensor; null where it is not known
   * beforehand.
   */
  readonly value: number | null;
  readonly within: number;
  /** Makes the device read something else, in the unit of the sensor. */
  readonly set?: (value: number) => Promise<void>;
  /** Takes the device away and puts it back, perhaps under another number. */
  readonly pull?: () => Promise<void>;
  readonly putBack?: () => Promise<void>;
}

type Driver = RunningDriver<EventObject, SensorFact>;
const found = isFact<SensorFact, 'sensor.found'>('sensor.found');
const missing = isFact<SensorFact, 'sensor.missing'>('sensor.missing');
const lost = isFact<SensorFact, 'sensor.lost'>('sensor.lost');
const sampled = isFact<SensorFact, 'sensor.sampled'>('sensor.sampled');
const sampledNear = (value: number, within: number) =>
  isFact<SensorFact, 'sensor.sampled'>('sensor.sampled', (fact) => Math.abs(fact.value - value) <= within);

async function withDriver(rig: SensorRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

/** What every sensor's driver must do; a case fails by throwing, and `needs` says which hands it uses. */
export const sensorContract: readonly {
  readonly title: string;
  readonly needs: readonly ('set' | 'pull' | 'putBack')[];
  readonly run: (rig: SensorRig) => Promise<void>;
}[] = [
  {
    title: 'finds the device by its name and reads it in the unit of the sensor',
    needs: [],
    run: (rig) =>
      withDriver(rig, async (driver) => {
        const fact = await driver.until(found);
        assert.equal(fact.device, rig.device);
        assert.equal(fact.verdict.state, 'working');
        assert.ok(fact.everyMs > 0 && fact.everyMs <= 60_000);
        const { value, at } = await driver.until(sampled);
        assert.ok(Number.isFinite(value));
        assert.ok(Math.abs(Date.now() - at) < 10_000);
        if (rig.value !== null) assert.ok(Math.abs(value - rig.value) <= rig.within, `${value} is not ${rig.value}`);
      }),
  },
  {
    title: 'reads again by itself within three of its rounds',
    needs: [],
    run: (rig) =>
      withDriver(rig, async (driver) => {
        const { everyMs } = await driver.until(found);
        await driver.until(sampled);
        const before = driver.facts.length;
        await driver.until(sampled, before, 3 * everyMs + 1000);
      }),
  },
  {
    title: 'follows a value that changes',
    needs: ['set'],
    run: (rig) =>
      withDriver(rig, async (driver) => {
        const { everyMs } = await driver.until(found);
        await driver.until(sampled);
        for (const value of [31, 62]) {
          // oxlint-disable-next-line no-await-in-loop -- one value after another
          await rig.set?.(value);
          // oxlint-disable-next-line no-await-in-loop -- as above
          await driver.until(sampledNear(value, rig.within), 0, 2 * everyMs + 2000);
        }
      }),
  },
  {
    title: 'tells that the device is gone, and finds it again when it is back, each within five seconds',
    needs: ['pull', 'putBack'],
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        await driver.until(sampled);
        await rig.pull?.();
        await driver.until(lost);
        const none = await driver.until(missing);
        assert.ok(none.verdict.detail.endsWith('.'));
        const before = driver.facts.length;
        await rig.putBack?.();
        const again = await driver.until(found, before);
        assert.equal(again.device, rig.device);
        await driver.until(sampled, before);
      }),
  },
];

/** The cases that can be run with the hands of a rig. */
export const sensorCases = (rig: Pick<SensorRig, 'set' | 'pull' | 'putBack'>): typeof sensorContract =>
  sensorContract.filter(({ needs }) => needs.every((hand) => rig[hand] !== undefined));
