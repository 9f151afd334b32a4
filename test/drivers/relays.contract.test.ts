import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { decodeChip, encodeListening, encodeRequest } from '#drivers/kit/gpio.ts';
import { gpioRelay } from '#drivers/relays/gpio.ts';
import { ledRelay } from '#drivers/relays/leds.ts';
import { regulatorRelay } from '#drivers/relays/regulator.ts';
import { simulatedRelay } from '#drivers/relays/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { RelayDriverCommand, RelayFact } from '#machines/relays/events.ts';
import { fastTime } from '#test/fakes/fast-time.ts';

import { fakeChips, gpioTree } from './gpio-chips.ts';
import { command, relaysContract, type RelayRig } from './relays.contract.ts';
import { isFact, runDriver } from './run-driver.ts';
import { sysfsTree } from './sysfs-tree.ts';

let endFastTime = (): void => {};
beforeAll(() => {
  endFastTime = fastTime();
});
afterAll(() => endFastTime());

const quick = { restore: 'keep', probeMs: 20, pollMs: 20 } as const;

async function simulatedRig(): Promise<RelayRig> {
  const device = new SimulatedDevice();
  return {
    logic: simulatedRelay(device, 3),
    readsAtStart: true,
    peek: async () => device.panel.relays[2] === true,
    poke: async (closed) => device.setRelay(3, closed),
    plug: async (plugged) => device.plug('relays', plugged),
    end: async () => {},
  };
}

async function ledRig(): Promise<RelayRig> {
  const tree = await sysfsTree();
  const add = (): Promise<void> => tree.add('relay1', { max_brightness: 255, brightness: 0, trigger: '[none] timer' });
  await add();
  return {
    logic: ledRelay({ name: 'relay1', root: tree.root, ...quick }),
    readsAtStart: true,
    peek: async () => Number(await tree.read('relay1', 'brightness')) > 0,
    poke: (closed) => tree.write('relay1', 'brightness', closed ? 1 : 0),
    plug: (plugged) => (plugged ? add() : tree.remove('relay1')),
    end: tree.end,
  };
}

async function regulatorRig(): Promise<RelayRig> {
  const tree = await sysfsTree();
  await tree.add('other', { name: 'usb', state: 'disabled' });
  const add = (): Promise<void> => tree.add('relay-supply', { name: 'relay', state: 'disabled' });
  await add();
  return {
    logic: regulatorRelay({ name: 'relay', root: tree.root, ...quick }),
    readsAtStart: true,
    peek: async () => (await tree.read('relay-supply', 'state')) === 'enabled',
    poke: (closed) => tree.write('relay-supply', 'state', closed ? 'enabled' : 'disabled'),
    plug: (plugged) => (plugged ? add() : tree.remove('relay-supply')),
    end: tree.end,
  };
}

async function gpioRig(): Promise<RelayRig> {
  const tree = await gpioTree();
  const fake = fakeChips();
  return {
    logic: gpioRelay({
      chip: { label: 'relays' },
      line: 5,
      activeLow: true,
      root: tree.root,
      chips: async () => fake.chips,
      ...quick,
    }),
    readsAtStart: false,
    peek: async () => fake.isClosed(),
    plug: async (plugged) => fake.plug(plugged),
    end: tree.end,
  };
}

describe.each([
  ['simulated', simulatedRig],
  ['LED class', ledRig],
  ['regulator', regulatorRig],
  ['GPIO line', gpioRig],
] as const)('relay driver contract: %s', (_, rig) => {
  it.each(relaysContract)('$title', async ({ run, needs }) => {
    const made = await rig();
    try {
      // A held line has one user at a time, so nothing can switch it behind the driver's back.
      if (needs === undefined || made[needs] !== undefined) await run(made);
    } finally {
      await made.end();
    }
  });
});

describe('a relay on a GPIO line', () => {
  const found = isFact<RelayFact, 'relay.found'>('relay.found');
  const start = async (
    prepare: (fake: ReturnType<typeof fakeChips>) => void,
    options: Partial<Parameters<typeof gpioRelay>[0]> = {},
  ) => {
    const tree = await gpioTree();
    const fake = fakeChips();
    prepare(fake);
    const driver = runDriver<RelayDriverCommand, RelayFact>(
      gpioRelay({
        chip: { label: 'relays' },
        line: 5,
        activeLow: false,
        root: tree.root,
        chips: async () => fake.chips,
        ...quick,
        ...options,
      }),
    );
    const fact = await driver.until(found);
    return {
      fake,
      driver,
      reason: fact.verdict.reason,
      verdict: fact.verdict,
      end: async () => (driver.stop(), tree.end()),
    };
  };

  it.each([
    ['another holds', { taken: 'kettle' }, {}, 'gpio-line-taken'],
    ['this user may not use', { chipCode: 'EACCES' }, {}, 'relay-not-permitted'],
    ['whose chip is not here', {}, { chip: { label: 'none' } }, 'no-relay'],
    ['beyond the end of its chip', {}, { line: 8 }, 'no-relay'],
    ['without a way to the chips', {}, { chips: async () => null }, 'no-gpio-calls'],
    ['of a chip by its name', {}, { chip: { name: 'gpiochip2' } }, 'relay-found'],
  ])('%s', async (_, calls, options, reason) => {
    const started = await start((fake) => void Object.assign(fake.calls, calls), options);
    expect(started.reason).toBe(reason);
    if (started.verdict.state === 'needs_you') expect(started.verdict.fix?.command).toMatch(/^sudo /);
    expect(started.fake.calls.held).toBe(0);
    await started.end();
  });

  it('is held from its first write on, and let go at the end', async () => {
    const { fake, driver, end } = await start(() => {});
    for (const closed of [true, false]) {
      const from = driver.facts.length;
      driver.tell(command(closed));
      await driver.until(
        isFact<RelayFact, 'relay.observed'>('relay.observed', (fact) => fact.closed === closed),
        from,
      );
    }
    expect(fake.calls).toMatchObject({ held: 1, released: 0 });
    await end();
    await expect.poll(() => fake.calls.released).toBe(1);
  });

  it('is never switched on another chip that came back under the number of its own', async () => {
    const { fake, driver, end } = await start(() => {}, { pollMs: 60_000 });
    fake.chips.hold = ((hold) => async (path, request) => (
      held.push(path.split('/').at(-1) ?? ''),
      hold(path, request)
    ))(fake.chips.hold);
    const held: string[] = [];
    const from = driver.facts.length;
    fake.calls.swapped = true;
    driver.tell(command(true));
    await driver.until(found, from);
    expect(held).toEqual([]);
    driver.tell(command(true));
    await driver.until(
      isFact<RelayFact, 'relay.observed'>('relay.observed', (fact) => fact.closed),
      from,
    );
    expect(held).toEqual(['gpiochip2']);
    await end();
  });

  it('is asked for as the kernel wants it', () => {
    const bytes = encodeRequest({ line: 5, activeLow: true, on: true });
    expect(bytes).toHaveLength(592);
    expect([
      bytes.readUInt32LE(0),
      bytes.toString('utf8', 256, 262),
      bytes.readBigUInt64LE(288),
      bytes.readUInt32LE(296),
    ]).toEqual([5, 'sconce', 10n, 1]);
    expect([
      bytes.readUInt32LE(320),
      bytes.readBigUInt64LE(328),
      bytes.readBigUInt64LE(336),
      bytes.readUInt32LE(560),
    ]).toEqual([2, 1n, 1n, 1]);
    const input = encodeListening({ line: 4095, activeLow: true });
    expect([
      input.length,
      input.readUInt32LE(0),
      input.readBigUInt64LE(288),
      input.readUInt32LE(296),
      input.readUInt32LE(560),
    ]).toEqual([592, 4095, 6n, 0, 1]);
    const chip = Buffer.alloc(68);
    chip.write('gpiochip3', 0);
    chip.write('pinctrl-bcm2711', 32);
    chip.writeUInt32LE(58, 64);
    expect(decodeChip(chip)).toEqual({ name: 'gpiochip3', label: 'pinctrl-bcm2711', lines: 58 });
  });
});
