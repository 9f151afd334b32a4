import { existsSync } from 'node:fs';

import { act, type AgentProcess, lit, power } from '../agent-process.ts';
import { attachClimate, bridge, type Bridge } from '../devices/bridge.ts';
import { hwmonFolder, lampFolder } from '../devices/classes.ts';
import { gpioSim, type SimulatedChip } from '../devices/gpio-sim.ts';
import { lightBar, type Lamps, signalLamp } from '../devices/lamps.ts';
import { hidSensor, type HidSensor } from '../devices/sensors.ts';
import { type HidDevice, panelKeys, plugIn } from '../devices/uhid.ts';
import { NotHere, turn, until } from '../guest-case.ts';
import { startPanel } from './agent.ts';
import { brokerProgram, type GuestBroker, startBroker } from './broker.ts';
import { bridgeChip, buttonsDevice, profileOf, relaysChip } from './profile.ts';

/** Id under which the panel is known to the broker. */
export const panelId = 'guest';

/** The device that brings the light bar is a game controller and has a touch pad, which counts as a touch screen. */
export const PADS = 1;

/** A panel with every part that the kernel has a class for, plugged in by the cases. */
export interface Panel {
  readonly broker: GuestBroker;
  readonly agent: AgentProcess;
  bar: Lamps;
  lamp: Lamps;
  usb: Bridge;
  chip: SimulatedChip | null;
  buttons: HidDevice;
  light: HidSensor;
  warmth: HidSensor;
  /** Plugged in by the cases that need it. */
  nearness: HidSensor | null;
}

/** Whether the relays are on a chip that the kernel simulates. */
export const simulates = (): boolean => existsSync('/sys/kernel/config/gpio-sim');
/** Has the kernel find the climate sensor on the bridge. */
export const attachSensor = (): Promise<void> =>
  until('the climate sensor', () => attachClimate(() => hwmonFolder('sht3x')));
/** Plugs in the hardware buttons. */
export const plugButtons = (): HidDevice => plugIn({ name: buttonsDevice, descriptor: panelKeys });

async function open(bundle: string): Promise<Panel> {
  if (!existsSync(brokerProgram)) throw new NotHere('mosquitto is not installed');
  const broker = await startBroker();
  // One after the other: the kernel waits five seconds for a device's answers, and starting a process takes the guest
  // long.
  const settled = async <T>(plugged: T): Promise<T> => {
    await turn(200);
    return plugged;
  };
  const bar = lightBar();
  await until('the light bar', async () => (await lampFolder(':rgb:indicator')) !== null);
  const parts = {
    bar,
    usb: await settled(bridge()),
    lamp: await settled(signalLamp()),
    chip: simulates() ? gpioSim(relaysChip, 4) : null,
    buttons: plugButtons(),
    light: await settled(hidSensor('illuminance', 12_300)),
    warmth: await settled(hidSensor('temperature', 2150)),
    nearness: null,
  };
  await attachSensor();
  const agent = await startPanel(bundle, profileOf(simulates() ? relaysChip : bridgeChip), {
    panel_id: panelId,
    friendly_name: 'Guest',
    mqtt_broker: broker.url,
  });
  return { broker, agent, ...parts };
}

/** The panel that most cases share: starting an agent takes an emulated processor longer than all of a case. */
export interface SharedPanel {
  /** The panel; started on first use. */
  readonly use: () => Promise<Panel>;
  /** The same, with its screen lit. */
  readonly useLit: () => Promise<Panel>;
  /** Kills the agent, waits for its end, and stops the broker. */
  readonly kill: () => Promise<void>;
  /** Pulls everything out. */
  readonly unplug: () => Promise<void>;
}

/** A panel that is started when the first case needs it. */
export function sharedPanel(bundle: string): SharedPanel {
  let made: Promise<Panel> | undefined;
  const use = async (): Promise<Panel> => {
    if (made !== undefined)
      return made.catch((error: unknown) =>
        Promise.reject(error instanceof NotHere ? error : new Error('the panel did not start')),
      );
    made = open(bundle);
    return made;
  };
  return {
    use,
    useLit: async () => {
      const panel = await use();
      if ((await power()) !== 0) await act('screen_on');
      await lit();
      return panel;
    },
    kill: async () => {
      const { agent, broker } = await use();
      agent.child.kill('SIGKILL');
      await agent.ended;
      broker.stop();
    },
    unplug: async () => {
      const { bar, lamp, usb, buttons, light, warmth, nearness, chip } = await use();
      for (const { device } of [bar, lamp, usb, light, warmth]) device.unplug();
      nearness?.device.unplug();
      buttons.unplug();
      chip?.unplug();
    },
  };
}
