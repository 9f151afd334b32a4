import { describe, expect, test } from 'vitest';

import { iioProximity, listIioProximity } from '#drivers/proximity/iio.ts';
import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { ProximityDriverCommand, ProximityFact } from '#machines/proximity/events.ts';
import { proximityDecisions } from '#profiles/drivers/proximity.ts';

import { proximityContract, type ProximityRig } from './proximity.contract.ts';
import { iioTree } from './proximity/iio-tree.ts';
import { isFact, runDriver } from './run-driver.ts';

const simulated = async (): Promise<ProximityRig> => {
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
};

const iio = async (): Promise<ProximityRig> => {
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
};

describe.each([
  ['simulated', simulated],
  ['iio', iio],
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
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(iioProximity({ decisions: proximityDecisions, pollHz: 20, device: 'second', folder: tree.folder }));
    expect((await driver.until(isFact<ProximityFact, 'source.found'>('source.found'))).source.name).toBe('second');
    driver.stop();
    await tree.end();
  });
  test('says that there is none', async () => {
    const driver = runDriver<ProximityDriverCommand, ProximityFact>(iioProximity({ decisions: proximityDecisions, pollHz: 20, folder: '/nowhere' }));
    expect((await driver.until(isFact<ProximityFact, 'source.missing'>('source.missing'))).verdict).toMatchObject({ state: 'not_here', reason: 'no-proximity-sensor' });
    driver.stop();
  });
});
