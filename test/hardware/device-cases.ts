import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

import { enumerateVideo } from '#drivers/camera/linux.ts';

import { attachClimate, bridge } from './devices/bridge.ts';
import { attribute, hwmonFolder, iioRaw, lampFolder } from './devices/classes.ts';
import { gpioSim } from './devices/gpio-sim.ts';
import { lightBar, signalLamp } from './devices/lamps.ts';
import { hidSensor } from './devices/sensors.ts';
import { keypadWithLights, plugIn } from './devices/uhid.ts';
import { type GuestCase, NotHere, until } from './guest-case.ts';

async function there(what: string, look: () => Promise<string | null>): Promise<string> {
  let found: string | null = null;
  await until(what, async () => (found = await look()) !== null, 30_000);
  return found ?? '';
}
const gone = (what: string, look: () => Promise<string | null>): Promise<void> =>
  until(`${what} gone`, async () => (await look()) === null, 30_000);

async function keyboardLight(): Promise<string> {
  let told = -1;
  const device = plugIn(
    { name: 'Keypad with lights', descriptor: keypadWithLights },
    { output: (bytes) => (told = bytes[0] ?? -1) },
  );
  const look = (): Promise<string | null> => lampFolder('::capslock');
  const folder = await there('the light', look);
  await writeFile(`${folder}/brightness`, '1');
  await until('the keyboard to be told', async () => told === 2, 30_000);
  device.unplug();
  await gone('the light', look);
  return 'on and off alone';
}

async function rgb(): Promise<string> {
  const bar = lightBar();
  const look = (): Promise<string | null> => lampFolder(':rgb:indicator');
  const folder = await there('the light bar', look);
  assert.equal(await attribute(`${folder}/multi_index`), 'red green blue');
  await writeFile(`${folder}/multi_intensity`, '255 128 0');
  await writeFile(`${folder}/brightness`, '128');
  await until(
    'the bar to show it',
    async () => JSON.stringify(bar.shown()) === JSON.stringify({ red: 128, green: 64, blue: 0 }),
    30_000,
  );
  bar.device.unplug();
  await gone('the light bar', look);
  return 'red green blue';
}

async function levels(): Promise<string> {
  const lamp = signalLamp();
  const look = (): Promise<string | null> => lampFolder(':green:led2');
  const folder = await there('the lamp', look);
  await writeFile(`${folder}/brightness`, '77');
  await until('the lamp to show it', async () => lamp.shown(2).green === 77, 30_000);
  lamp.device.unplug();
  await gone('the lamp', look);
  return '18 lamps of 255 levels';
}

const sensor =
  (kind: 'illuminance' | 'temperature' | 'proximity', channel: string, raw: number, scale: number) =>
  async (): Promise<string> => {
    const plugged = hidSensor(kind, raw);
    const look = (): Promise<string | null> => iioRaw(channel);
    try {
      const file = await there(kind, look);
      assert.equal(Number(await attribute(file)), raw);
      assert.equal(Number(await attribute(file.replace('_raw', '_scale'))), scale);
      plugged.set(raw + 1);
      assert.equal(Number(await attribute(file)), raw + 1);
      return channel;
    } finally {
      plugged.device.unplug();
      await gone(kind, look);
    }
  };

async function climate(): Promise<string> {
  const plugged = bridge();
  const look = (): Promise<string | null> => hwmonFolder('sht3x');
  try {
    await until('the sensor', () => attachClimate(look));
    const folder = await there('the sensor', look);
    plugged.climate(-7.5, 61.25);
    // The sensor counts in steps of 2.7 mK and 1.5 m%.
    assert.ok(Math.abs(Number(await attribute(`${folder}/temp1_input`)) + 7500) < 5);
    assert.ok(Math.abs(Number(await attribute(`${folder}/humidity1_input`)) - 61_250) < 5);
  } finally {
    plugged.device.unplug();
  }
  await gone('the sensor', look);
  return 'sht3x on a USB bridge';
}

async function chip(): Promise<string> {
  if (!existsSync('/sys/kernel/config/gpio-sim')) throw new NotHere('this kernel has no gpio-sim');
  const simulated = gpioSim('test', 2);
  assert.equal(simulated.level(0), false);
  assert.ok(existsSync('/dev/gpiochip0'));
  simulated.unplug();
  await until('the chip gone', async () => !existsSync('/dev/gpiochip0'), 30_000);
  return 'gpio-sim';
}

async function camera(): Promise<string> {
  const [first] = (await enumerateVideo()) ?? [];
  assert.equal(first?.driver, 'vivid');
  assert.equal(first.access, 'allowed');
  return `${first.name} of ${first.driver}`;
}

/** That the guest's devices are the kernel's own, and go when they are pulled out. */
export const deviceCases: readonly GuestCase[] = [
  { title: 'a keyboard’s light is a lamp of the leds class', run: keyboardLight },
  { title: 'a light bar is a lamp of the multicolor class', run: rgb },
  { title: 'a signal lamp is lamps of the leds class with levels', run: levels },
  { title: 'a light sensor is an IIO device', run: sensor('illuminance', 'in_illuminance', 12_345, 0.01) },
  { title: 'a thermometer is an IIO device', run: sensor('temperature', 'in_temp', -550, 10) },
  { title: 'a proximity sensor is an IIO device', run: sensor('proximity', 'in_proximity', 7, 1) },
  { title: 'a climate sensor is a hwmon device', run: climate },
  { title: 'a simulated GPIO chip comes and goes', run: chip },
  { title: 'the camera that the kernel simulates is seen', run: camera },
];
