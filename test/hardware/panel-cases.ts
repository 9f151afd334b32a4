import assert from 'node:assert/strict';
import { cpus } from 'node:os';

import { amount } from '../fakes/amount.ts';
import { backlight, get, power, status } from './agent-process.ts';
import { bridge } from './devices/bridge.ts';
import { attribute } from './devices/classes.ts';
import { gpioSim } from './devices/gpio-sim.ts';
import { lightBar, signalLamp } from './devices/lamps.ts';
import { hidSensor } from './devices/sensors.ts';
import { type GuestCase, turn, until } from './guest-case.ts';
import { proximityReferences } from './panel/agent.ts';
import { attachSensor, type Panel, panelId, plugButtons, type SharedPanel, simulates } from './panel/panel.ts';
import { relaysChip } from './panel/profile.ts';

/**
 * Time within which a device that was plugged in again is to be back. An emulated processor, which its name tells,
 * keeps no time: there it has to come back at all.
 */
const BACK_MS = cpus()[0]?.model.startsWith('QEMU') === true ? 60_000 : 5000;

/** Longest wait for what is to come. */
const BOUND_MS = 120_000;

const topic = (key: string, part: 'state' | 'set' | 'availability'): string => `sconce/${panelId}/${key}/${part}`;
const lights = ['led', 'buttons', 'button_led1', 'button_led2', 'button_led3', 'button_led4'];
const relays = ['relay1', 'relay2', 'relay3', 'relay4'];
const sensors = ['illuminance', 'temperature', 'humidity'];
const proximity = ['proximity', 'proximity_level'];
/** All but what `nearing` plugs in. */
const atStart = ['screen', 'button', ...lights, ...relays, ...sensors];

/** The cases in order. */
export function panelCases({ use: panel }: SharedPanel): readonly GuestCase[] {
  const state = async (key: string, passes: (text: string) => boolean, boundMs = BOUND_MS): Promise<string> => {
    const { broker } = await panel();
    let seen: string | undefined;
    await until(
      `${key} to say so`,
      async () => (seen = broker.latest(topic(key, 'state'))) !== undefined && passes(seen),
      boundMs,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; it says ${seen}`);
    });
    return seen ?? '';
  };
  const available = async (keys: readonly string[], word: 'online' | 'offline', boundMs = BOUND_MS): Promise<void> => {
    const { broker } = await panel();
    const others = (): readonly string[] => keys.filter((key) => broker.latest(topic(key, 'availability')) !== word);
    await until(`${keys.join(', ')} ${word}`, async () => others().length === 0, boundMs).catch((error: unknown) => {
      throw new Error(
        `${String(error)}; not so: ${others()
          .map((key) => `${key} ${broker.latest(topic(key, 'availability'))}`)
          .join(', ')}`,
      );
    });
  };
  const tell = async (key: string, payload: string): Promise<void> =>
    (await panel()).broker.publish(topic(key, 'set'), payload);
  const isOn = (text: string): boolean => text === 'ON' || text.includes('"state":"ON"');
  const near =
    (wanted: number, most: number) =>
    (text: string): boolean =>
      text !== 'None' && Math.abs(Number(text) - wanted) <= most;

  const closed = async (relay: number): Promise<boolean> => {
    const { chip, usb } = await panel();
    return chip ? chip.level(relay) : usb.line(relay) === true;
  };

  const start = async (): Promise<string> => {
    await panel();
    await available(atStart, 'online').catch(async (error: unknown) => {
      throw new Error(`${String(error)}; ${JSON.stringify(await get('/api/v1/capabilities'))}`);
    });
    assert.equal((await status()).panel.profile.id, 'kernel-guest');
    return `${atStart.length} entities`;
  };
  const screen = async (): Promise<string> => {
    await tell('screen', '{"state":"OFF"}');
    await state('screen', (text) => text.includes('OFF'));
    await until('dark', async () => (await power()) !== 0);
    await tell('screen', '{"state":"ON","brightness":255}');
    await state('screen', (text) => text.includes('"brightness":255'));
    assert.equal(await power(), 0);
    assert.equal(await attribute(`${backlight}/actual_brightness`), '10');
    return 'acpi_video0';
  };
  const led = async (): Promise<string> => {
    const { bar, broker } = await panel();
    await tell('led', '{"state":"ON","brightness":255,"color":{"r":255,"g":0,"b":0}}');
    await until('red', async () => JSON.stringify(bar.shown()) === '{"red":255,"green":0,"blue":0}');
    await state('led', isOn);
    await tell('led', '{"state":"ON","brightness":128}');
    await until('half', async () => Math.abs(bar.shown().red - 128) <= 3);
    await tell('led', '{"state":"ON","effect":"blink"}');
    for (const word of ['dark', 'lit', 'dark'])
      await until(`blinking, ${word}`, async () => (bar.shown().red === 0) === (word === 'dark'));
    await tell('led', '{"state":"ON","effect":"none"}');
    await state('led', (text) => text.includes('"effect":"none"'));
    await until('the level of before', async () => Math.abs(bar.shown().red - 128) <= 3).catch((error: unknown) => {
      const said = JSON.stringify(broker.said(topic('led', 'state')).slice(-3));
      throw new Error(`${String(error)}: the bar shows ${JSON.stringify(bar.shown())}, the broker ${said}`);
    });
    const { red: steady } = bar.shown();
    for (let look = 0; look < 30; look += 1) {
      assert.equal(bar.shown().red, steady, 'no effect runs on');
      await turn(50);
    }
    await tell('led', '{"state":"OFF"}');
    await until('off', async () => bar.shown().red === 0);
    await state('led', (text) => text.includes('OFF'));
    return `colour, brightness, blink, steady at ${steady}, off`;
  };
  const lamps = async (): Promise<string> => {
    const { lamp } = await panel();
    await tell('buttons', '{"state":"ON","brightness":77}');
    await until('the light behind the buttons', async () => lamp.shown(0).blue === 77);
    for (const number of [1, 2, 3, 4].slice(0, amount(2, 4))) {
      await tell(`button_led${number}`, '{"state":"ON"}');
      await until(`LED ${number}`, async () => lamp.shown(number).blue > 0);
      await tell(`button_led${number}`, '{"state":"OFF"}');
      await until(`LED ${number} off`, async () => lamp.shown(number).blue === 0);
      await state(`button_led${number}`, (text) => text.includes('OFF'));
    }
    return 'leds class, 255 levels';
  };
  const switching = async (): Promise<string> => {
    for (const [index, key] of relays.slice(0, amount(2, 4)).entries()) {
      await tell(key, 'ON');
      await state(key, isOn);
      await until(`${key} closed`, () => closed(index));
      assert.deepEqual(
        await Promise.all([0, 1, 2, 3].map((other) => closed(other))),
        [0, 1, 2, 3].map((other) => other === index),
      );
      await tell(key, 'OFF');
      await state(key, (text) => text === 'OFF');
      assert.equal(await closed(index), false);
    }
    return simulates() ? 'gpio-sim' : 'lines of the bridge';
  };
  const pressing = async (): Promise<string> => {
    const { buttons, broker } = await panel();
    const told = (word: string): boolean =>
      broker.said(topic('button', 'state')).some((text) => text.includes(`"${word}"`));
    buttons.report(1);
    await until('a press', async () => told('press'));
    buttons.report(0);
    await until('a release', async () => told('release'));
    await turn(2500);
    buttons.report(1);
    await until('a long press', async () =>
      broker.said(topic('button', 'state')).some((text) => text.includes('long')),
    );
    buttons.report(0);
    await turn(2500);
    // In one go: on a busy machine more than the time of a double press may pass between two of them.
    for (const key of [1, 0, 1, 0]) buttons.report(key);
    await until('a double press', async () =>
      broker.said(topic('button', 'state')).some((text) => text.includes('double')),
    );
    return 'press, release, long, double';
  };
  const measuring = async (): Promise<string> => {
    const { light, warmth, usb } = await panel();
    await state('illuminance', near(123, 1));
    await state('temperature', near(21.5, 0.1));
    light.set(98_700);
    warmth.set(-450);
    usb.climate(20, 61.5);
    await state('illuminance', near(987, 1));
    await state('temperature', near(-4.5, 0.1));
    await state('humidity', near(61.5, 0.6));
    return 'IIO and hwmon';
  };
  /** The sensor is there for this alone: ten readings a second would be half of what an emulated processor can do. */
  const withNearness = async <T>(use: () => Promise<T>): Promise<T> => {
    const all = await panel();
    await available(proximity, 'offline');
    all.nearness = hidSensor('proximity', proximityReferences.clear);
    try {
      await available(proximity, 'online');
      return await use();
    } finally {
      all.nearness.device.unplug();
      await available(proximity, 'offline');
    }
  };
  const nearing = async (): Promise<string> => {
    await state('proximity', (text) => text === 'OFF');
    const { nearness } = await panel();
    nearness?.set(proximityReferences.near);
    await state('proximity', (text) => text === 'ON');
    nearness?.set(proximityReferences.clear);
    await state('proximity', (text) => text === 'OFF');
    return 'in_proximity_raw';
  };
  const camera = async (): Promise<string> => {
    await panel();
    const { camera: told } = await status();
    assert.deepEqual(
      [told.state, told.outcome, told.fault, told.summary],
      ['disabled', 'camera-disabled', 'none', 'The camera is off.'],
    );
    assert.deepEqual(await get('/api/v1/camera/status'), told);
    assert.match(told.action, /^Turn on the camera; /);
    return told.summary;
  };

  /** Pulls a device out and plugs it in; answers how long its entities were unavailable after it was there again. */
  const replug =
    (keys: readonly string[], out: (from: Panel) => void, back: (into: Panel) => void | Promise<void>) =>
    async (): Promise<string> => {
      const all = await panel();
      await available(keys, 'online');
      const pulled = performance.now();
      out(all);
      await available(keys, 'offline');
      const noticed = performance.now() - pulled;
      await back(all);
      const plugged = performance.now();
      await available(keys, 'online');
      const took = performance.now() - plugged;
      assert.ok(took <= BACK_MS, `it was back after ${took.toFixed(0)} ms`);
      return `ms unavailable after ${noticed.toFixed(0)}, back after ${took.toFixed(0)}`;
    };
  const backOnBridge = (all: Panel): Promise<void> => {
    all.usb = bridge();
    return attachSensor();
  };
  return [
    { title: 'a selected profile brings every part of the panel to MQTT', run: start },
    { title: 'the backlight is switched and dimmed over MQTT', run: screen },
    { title: 'the LED takes colour, brightness and effects over MQTT', run: led },
    { title: 'the lights of the buttons are switched over MQTT', run: lamps },
    { title: 'relays are switched over MQTT and read back from the chip', run: switching },
    { title: 'presses of a hardware button are told over MQTT', run: pressing },
    { title: 'light, temperature and humidity are told over MQTT', run: measuring },
    { title: 'somebody near is told over MQTT', run: () => withNearness(nearing) },
    { title: 'the camera is told of', run: camera },
    {
      title: 'the LED is back after it was pulled out',
      run: replug(
        ['led'],
        (all) => all.bar.device.unplug(),
        (all) => void (all.bar = lightBar()),
      ),
      onlyInAll: true,
    },
    {
      title: 'the lights of the buttons are back after they were pulled out',
      run: replug(
        lights.slice(1),
        (all) => all.lamp.device.unplug(),
        (all) => void (all.lamp = signalLamp()),
      ),
      onlyInAll: true,
    },
    {
      title: 'the relays are back after their chip was pulled out',
      run: replug(
        relays,
        (all) => (all.chip ? all.chip.unplug() : all.usb.device.unplug()),
        (all) => {
          if (!all.chip) return backOnBridge(all);
          all.chip = gpioSim(relaysChip, 4);
        },
      ),
    },
    {
      title: 'the buttons are back after they were pulled out',
      run: replug(
        ['button'],
        (all) => all.buttons.unplug(),
        (all) => void (all.buttons = plugButtons()),
      ),
    },
    {
      title: 'the light sensor is back after it was pulled out',
      run: replug(
        ['illuminance'],
        (all) => all.light.device.unplug(),
        (all) => void (all.light = hidSensor('illuminance', 500)),
      ),
    },
    {
      title: 'the thermometer is back after it was pulled out',
      run: replug(
        ['temperature'],
        (all) => all.warmth.device.unplug(),
        (all) => void (all.warmth = hidSensor('temperature', 1900)),
      ),
      onlyInAll: true,
    },
    {
      title: 'the humidity sensor is back after it was pulled out',
      run: replug(['humidity'], (all) => all.usb.device.unplug(), backOnBridge),
      onlyInAll: true,
    },
    {
      title: 'the proximity sensor is back after it was pulled out',
      run: () =>
        withNearness(
          replug(
            ['proximity'],
            (all) => all.nearness?.device.unplug(),
            (all) => void (all.nearness = hidSensor('proximity', proximityReferences.clear)),
          ),
        ),
      onlyInAll: true,
    },
  ];
}
