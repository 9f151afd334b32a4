import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { ledsLight } from '#drivers/lights/leds-class.ts';
import { brightest, unscaled } from '#drivers/lights/scale.ts';
import { type SimulatedLight, simulatedLight } from '#drivers/lights/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { LightAbility, LightDriverCommand, LightFact, LightOutput, Rgb } from '#machines/lights/events.ts';
import { fastTime } from '#test/fakes/fast-time.ts';

import { lightsContract, type LightRig } from './lights.contract.ts';
import { isFact, runDriver } from './run-driver.ts';
import { type SysfsTree, sysfsTree } from './sysfs-tree.ts';

let endFastTime = (): void => {};
beforeAll(() => {
  endFastTime = fastTime();
});
afterAll(() => endFastTime());

const simulatedRig = (light: SimulatedLight, colour: LightAbility['colour']) => async (): Promise<LightRig> => {
  const device = new SimulatedDevice();
  const lit = (level: number): number => (level > 0 ? 255 : 0);
  return {
    logic: simulatedLight(device, light),
    ability: { colour, effects: true },
    peek: async (): Promise<LightOutput> => {
      const { led, buttonBacklight, buttonLeds } = device.panel;
      if (light.part === 'led')
        return led.on
          ? { level: brightest(led), rgb: unscaled({ red: led.red, green: led.green, blue: led.blue }) }
          : { level: 0, rgb: null };
      return {
        level: light.part === 'button_backlight' ? buttonBacklight : lit(buttonLeds[light.button - 1] === true ? 1 : 0),
        rgb: null,
      };
    },
    poke: async ({ level, rgb }) => {
      if (light.part === 'led') device.setLed({ on: level > 0, ...(rgb ?? { red: 0, green: 0, blue: 0 }) });
      else if (light.part === 'button_backlight') device.setButtonBacklight(level);
      else device.setButtonLed(light.button, level > 0);
    },
    plug: async (plugged) => device.plug(light.part, plugged),
    end: async () => {},
  };
};

const quick = { probeMs: 20, pollMs: 20 };
const number = async (tree: SysfsTree, name: string): Promise<number> => Number(await tree.read(name, 'brightness'));

const oneRig = (max: number, limit?: number) => async (): Promise<LightRig> => {
  const tree = await sysfsTree();
  const add = (): Promise<void> =>
    tree.add('green:status', { max_brightness: max, brightness: 0, trigger: '[none] heartbeat' });
  await add();
  const top = Math.min(max, limit ?? max);
  return {
    logic: ledsLight({ name: '*:status', root: tree.root, ...(limit === undefined ? {} : { max: limit }), ...quick }),
    ability: { colour: top === 1 ? 'switch' : 'level', effects: true },
    peek: async () => ({ level: Math.round(((await number(tree, 'green:status')) * 255) / top), rgb: null }),
    poke: ({ level }) => tree.write('green:status', 'brightness', Math.round((level * top) / 255)),
    plug: (plugged) => (plugged ? add() : tree.remove('green:status')),
    end: tree.end,
  };
};

async function multicolourRig(): Promise<LightRig> {
  const tree = await sysfsTree();
  const add = (): Promise<void> =>
    tree.add('rgb:status', {
      max_brightness: 100,
      brightness: 0,
      multi_index: 'blue red green',
      multi_intensity: '0 0 0',
    });
  await add();
  return {
    logic: ledsLight({ name: 'rgb:status', root: tree.root, ...quick }),
    ability: { colour: 'rgb', effects: true },
    peek: async () => {
      const [blue = 0, red = 0, green = 0] = (await tree.read('rgb:status', 'multi_intensity')).split(' ').map(Number);
      return { level: Math.round((await number(tree, 'rgb:status')) * 2.55), rgb: { red, green, blue } };
    },
    poke: async ({ level, rgb }) => {
      const part = (value: number): number => Math.round(value / 2.55);
      await tree.write(
        'rgb:status',
        'multi_intensity',
        `${part(rgb?.blue ?? 0)} ${part(rgb?.red ?? 0)} ${part(rgb?.green ?? 0)}`,
      );
      await tree.write('rgb:status', 'brightness', part(level));
    },
    plug: (plugged) => (plugged ? add() : tree.remove('rgb:status')),
    end: tree.end,
  };
}

async function threeRig(): Promise<LightRig> {
  const tree = await sysfsTree();
  const parts = ['red', 'green', 'blue'] as const;
  for (const part of parts) await tree.add(`${part}:status`, { max_brightness: 255, brightness: 0 });
  const peek = async (): Promise<Rgb> => ({
    red: await number(tree, 'red:status'),
    green: await number(tree, 'green:status'),
    blue: await number(tree, 'blue:status'),
  });
  return {
    logic: ledsLight({ red: 'red:status', green: 'green:status', blue: 'blue:status', root: tree.root, ...quick }),
    ability: { colour: 'rgb', effects: true },
    peek: async () => ({ level: brightest(await peek()), rgb: await peek() }),
    // One file after another, as no other program could do it better: the last one makes the change whole.
    poke: async ({ level, rgb }) => tree.write('blue:status', 'brightness', level > 0 ? (rgb?.blue ?? 0) : 0),
    plug: (plugged) =>
      plugged ? tree.add('red:status', { max_brightness: 255, brightness: 0 }) : tree.remove('red:status'),
    end: tree.end,
  };
}

describe.each([
  ['simulated LED', simulatedRig({ part: 'led' }, 'rgb')],
  ['simulated button backlight', simulatedRig({ part: 'button_backlight' }, 'level')],
  ['simulated button LED', simulatedRig({ part: 'button_leds', button: 3 }, 'switch')],
  ['LED with 255 steps', oneRig(255)],
  ['LED with 10 steps', oneRig(10)],
  ['LED with a limit', oneRig(255, 51)],
  ['LED that is on or off', oneRig(1)],
  ['multicolour LED', multicolourRig],
  ['three LEDs', threeRig],
] as const)('light driver contract: %s', (_, rig) => {
  it.each(lightsContract)('$title', async ({ run }) => {
    const made = await rig();
    try {
      await run(made);
    } finally {
      await made.end();
    }
  });
});

describe('an LED of the kernel', () => {
  const trees: SysfsTree[] = [];
  afterEach(async () => {
    for (const tree of trees.splice(0)) await tree.end();
  });
  const treeOf = async (): Promise<SysfsTree> => {
    const tree = await sysfsTree();
    trees.push(tree);
    return tree;
  };
  const found = isFact<LightFact, 'light.found'>('light.found');
  const seen = isFact<LightFact, 'light.observed'>('light.observed');

  it('is taken from its trigger at the first write and given back at the end', async () => {
    const tree = await treeOf();
    await tree.add('ACT', { max_brightness: 255, brightness: 77, trigger: 'none timer [heartbeat]' });
    const driver = runDriver<LightDriverCommand, LightFact>(ledsLight({ name: 'ACT', root: tree.root, ...quick }));
    expect((await driver.until(found)).ability).toEqual({ colour: 'level', effects: true });
    expect(await tree.read('ACT', 'trigger')).toBe('none timer [heartbeat]');
    driver.tell({ type: 'light.show', generation: 1, output: { level: 255, rgb: null }, effect: 'none' });
    expect((await driver.until(seen)).output.level).toBe(255);
    expect(await tree.read('ACT', 'trigger')).toBe('none');
    driver.stop();
    await expect.poll(() => tree.read('ACT', 'trigger')).toBe('heartbeat');
  });

  it.each(['..', '.', 'a/b', '../x', '*:', '*', '*:a/b', '', 'x'.repeat(65), 'a b'])(
    'is never opened outside its folder: %j',
    async (name) => {
      const tree = await treeOf();
      await tree.add('ACT', { max_brightness: 255, brightness: 1 });
      const driver = runDriver<LightDriverCommand, LightFact>(
        ledsLight({ name, root: `${tree.root}/ACT/..`, ...quick }),
      );
      const fact = await driver.until(found);
      expect([fact.ability, fact.verdict.reason]).toEqual([null, 'no-led']);
      driver.stop();
    },
  );

  it.each([
    [{ max_brightness: 0, brightness: 0 }, 'no-led'],
    [{ max_brightness: 'many', brightness: 0 }, 'no-led'],
    [{ max_brightness: 255 }, 'led-not-writable'],
    [{ max_brightness: 255, brightness: 'x' }, 'led-unreadable'],
  ])('that makes no sense is not here: %o', async (files, reason) => {
    const tree = await treeOf();
    await tree.add('ACT', files);
    const driver = runDriver<LightDriverCommand, LightFact>(ledsLight({ name: 'ACT', root: tree.root, ...quick }));
    expect((await driver.until(found)).verdict.reason).toBe(reason);
    driver.stop();
  });
});
