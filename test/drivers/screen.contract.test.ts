import { describe, it } from 'vitest';

import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { sysfsBacklight } from '#test/drivers/screen/sysfs-backlight.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';

import { backlightTree } from './screen/backlight-tree.ts';
import { screenContract, type ScreenRig } from './screen.contract.ts';
import { decisions } from './screen/decisions.ts';

async function simulatedRig(): Promise<ScreenRig> {
  const device = new SimulatedDevice();
  return {
    logic: simulatedScreen(device),
    rawMax: device.panel.screen.rawMax,
    power: true,
    peek: async () => ({ raw: device.panel.screen.raw, powered: device.panel.screen.powered }),
    poke: async (reading) => device.setScreen(reading),
    end: async () => {},
  };
}

const treeRig = (power: boolean) => async (): Promise<ScreenRig> => {
  const tree = await backlightTree();
  await tree.add('panel', { type: 'raw', max_brightness: 200, brightness: 120, ...(power ? { bl_power: 0 } : {}) });
  return {
    logic: sysfsBacklight(decisions, { root: tree.root, pollMs: 20 }),
    rawMax: 200,
    power,
    peek: async () => ({
      raw: await tree.read('panel', 'brightness'),
      powered: power ? (await tree.read('panel', 'bl_power')) === 0 : true,
    }),
    poke: async ({ raw, powered }) => {
      await tree.write('panel', 'brightness', raw);
      if (power && (await tree.read('panel', 'bl_power')) !== (powered ? 0 : 4))
        await tree.write('panel', 'bl_power', powered ? 0 : 4);
    },
    end: tree.end,
  };
};

describe.each([
  ['simulated', true, simulatedRig],
  ['sysfs tree', true, treeRig(true)],
  ['sysfs tree without a power switch', false, treeRig(false)],
] as const)('screen driver contract: %s', (_, power, rig) => {
  it.each(screenContract.filter((one) => power || one.needsPower !== true))('$title', async ({ run }) => {
    const made = await rig();
    try {
      await run(made);
    } finally {
      await made.end();
    }
  });
});
