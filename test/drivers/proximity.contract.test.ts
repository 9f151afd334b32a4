import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { gpioProximity, type GpioProximityOptions, openLine } from '#drivers/proximity/gpio.ts';
import { iioProximity, listIioProximity } from '#drivers/proximity/iio.ts';
import { sampledProximity } from '#drivers/proximity/sampled.ts';
import type { Opened } from '#drivers/proximity/sensor.ts';
import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { ProximityDriverCommand, ProximityFact } from '#machines/proximity/events.ts';
import { proximityDecisions } from '#profiles/drivers/proximity.ts';
import { fastTime } from '#test/fakes/fast-time.ts';

import { fakeChips, gpioTree } from './gpio-chips.ts';
import { proximityContract, type ProximityRig } from './proximity.contract.ts';
import { iioTree } from './proximity/iio-tree.ts';
import { isFact, runDriver } from './run-driver.ts';

let endFastTime = (): void => {};
beforeAll(() => {
  endFastTime = fastTime();
});
afterAll(() => endFastTime());

async function simulated(): Promise<ProximityRig> {
  const device = new SimulatedDevice();
  return {
    logic: simulatedProximity(device, proximityDecisions),
    source: { driver: 'proximity.simulated', name: 'simulated' },
    clear: 40,
    near: 900,
    mode: 'ranged',
    move: async (raw) => device.setProximity(raw),
    plug: async (plugged) => device.plug('proximity', plugged),
    end: async () => {},
  };
}

async function iio(): Promise<ProximityRig> {
  const tree = await iioTree();
  let raw = 12;
  const put = (): Promise<void> => tree.put(3, 'vcnl4040', { in_proximity_raw: `${raw}\n` });
  await put();
  return {
    logic: iioProximity({ decisions: proximityDecisions, pollHz: 20, folder: tree.folder }),
    source: { driver: 'proximity.iio', name: 'vcnl4040' },
    clear: 12,
    near: 4100,
    mode: 'ranged',
    move: async (next) => {
      raw = next;
      await put();
    },
    plug: (plugged) => (plugged ? put() : tree.remove(3)),
    end: tree.end,
  };
}

const gpio = (activeLow: boolean) => async (): Promise<ProximityRig> => {
  const tree = await gpioTree();
  const fake = fakeChips();
  return {
    logic: gpioProximity({
      decisions: proximityDecisions,
      chipLabel: 'relays',
      line: 5,
      activeLow,
      pollHz: 20,
      root: tree.root,
      chips: async () => fake.chips,
    }),
    source: { driver: 'proximity.gpio', name: 'relays line 5' },
    clear: 0,
    near: 1,
    mode: 'binary',
    move: async (raw) => fake.pull((raw === 1) !== activeLow),
    plug: async (plugged) => fake.plug(plugged),
    end: tree.end,
  };
};

describe.each([
  ['simulated', simulated],
  ['iio', iio],
  ['gpio', gpio(false)],
  ['gpio, low when near', gpio(true)],
] as const)('the %s proximity driver', (_, make) => {
  test.each(proximityContract)('$title', async ({ run }) => {
    const rig = await make();
    try {
      await run(rig);
    } finally {
      await rig.end();
    }
  });
});

describe('finding the sensor', () => {
  test('in the order of the numbers, only devices with a proximity channel', async () => {
    const tree = await iioTree();
    await tree.put(10, 'late', { in_proximity_raw: '1\n' });
    await tree.put(2, 'light', { in_illuminance_raw: '1\n' });
    await tree.put(9, 'early', { in_proximity0_raw: '1\n' });
    expect((await listIioProximity(tree.folder)).map(({ name, readable }) => [name, readable])).toEqual([
      ['early', true],
      ['late', true],
    ]);
    await tree.end();
  });
  test('by the name that the profile gives', async () => {
    const tree = await iioTree();
    await tree.put(1, 'first', { in_proximity_raw: '1\n' });
    await tree.put(2, 'second', { in_proximity_raw: '1\n' });
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(
      iioProximity({ decisions: proximityDecisions, pollHz: 20, device: 'second', folder: tree.folder }),
    );
    expect((await driver.until(isFact<ProximityFact, 'source.found'>('source.found'))).source.name).toBe('second');
    driver.stop();
    await tree.end();
  });
  test('says that there is none', async () => {
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(
      iioProximity({ decisions: proximityDecisions, pollHz: 20, folder: '/nowhere' }),
    );
    expect((await driver.until(isFact<ProximityFact, 'source.missing'>('source.missing'))).verdict).toMatchObject({
      state: 'not_here',
      reason: 'no-proximity-sensor',
    });
    driver.stop();
  });
});

describe('a sensor on a GPIO line', () => {
  const start = async (
    prepare: (calls: ReturnType<typeof fakeChips>['calls']) => void,
    options: Partial<GpioProximityOptions> = {},
  ) => {
    const tree = await gpioTree();
    const fake = fakeChips();
    prepare(fake.calls);
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(
      gpioProximity({
        decisions: proximityDecisions,
        chipLabel: 'relays',
        line: 5,
        activeLow: false,
        pollHz: 50,
        root: tree.root,
        chips: async () => fake.chips,
        ...options,
      }),
    );
    return { calls: fake.calls, driver, end: async () => (driver.stop(), tree.end()) };
  };

  test.each([
    ['another holds', { taken: 'kettle' }, {}, 'gpio-line-taken'],
    ['this user may not use', { chipCode: 'EACCES' }, {}, 'proximity-not-readable'],
    ['whose chip is not here', {}, { chipLabel: 'none' }, 'no-proximity-sensor'],
    ['beyond the end of its chip', {}, { line: 8 }, 'no-proximity-sensor'],
    ['without a way to the chips', {}, { chips: async () => null }, 'no-gpio-calls'],
  ])('that %s is not taken', async (_, calls, options, reason) => {
    const started = await start((known) => void Object.assign(known, calls), options);
    const { verdict } = await started.driver.until(isFact<ProximityFact, 'source.missing'>('source.missing'));
    expect(verdict.reason).toBe(reason);
    if (verdict.state === 'needs_you') expect(verdict.fix?.command).toMatch(/^sudo /);
    expect(started.calls.held).toBe(0);
    await started.end();
  });

  test('is let go of at the end', async () => {
    const { calls, driver, end } = await start(() => {});
    await driver.until(isFact<ProximityFact, 'source.found'>('source.found'));
    expect(calls).toMatchObject({ held: 1, released: 0 });
    await end();
    await expect.poll(() => calls.released).toBe(1);
  });
});

describe('a sensor that is there only on some machines', () => {
  test.each([
    ['is kept out of sight while there is none', {}, true],
    ['is in sight where it may not be read', { chipCode: 'EACCES' }, false],
  ])('%s', async (_, calls, optional) => {
    const tree = await gpioTree();
    const fake = fakeChips();
    Object.assign(fake.calls, calls);
    const open = (): Promise<Opened> =>
      openLine({
        decisions: proximityDecisions,
        chipLabel: 'none',
        line: 5,
        activeLow: false,
        pollHz: 50,
        root: tree.root,
        chips: async () => fake.chips,
      });
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(
      sampledProximity({ decisions: proximityDecisions, pollHz: 50, optional: true, open }),
    );
    expect((await driver.until(isFact<ProximityFact, 'source.missing'>('source.missing'))).optional).toBe(optional);
    driver.stop();
    await tree.end();
  });
});
