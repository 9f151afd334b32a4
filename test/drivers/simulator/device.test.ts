import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { simulatedPower } from '#drivers/power/simulated.ts';
import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { simulatorDriver } from '#drivers/simulator/driver.ts';
import type { PowerDriverCommand, PowerFact } from '#machines/power/events.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';
import { simulatorMachine } from '#machines/simulator/machine.ts';

import { runDriver } from '../run-driver.ts';

const running = (device: SimulatedDevice) =>
  createActor(
    simulatorMachine.provide({
      actors: { source: simulatorDriver(device), day: fromDriver(() => {}), speech: fromDriver(() => {}) },
    }),
  ).start();

describe('the simulated panel', () => {
  it('shows its hardware at once and passes hands on to it', () => {
    const device = new SimulatedDevice();
    const actor = running(device);
    const panel = () => actor.getSnapshot().context.panel;
    expect(panel()).toEqual(device.panel);
    actor.send({ type: 'simulator.press', button: 2 });
    actor.send({ type: 'simulator.relay', relay: 4, closed: true });
    actor.send({ type: 'simulator.light', lux: 900 });
    actor.send({ type: 'simulator.led', on: true, red: 1, green: 2, blue: 300 });
    actor.send({ type: 'simulator.screen', powered: false });
    expect(panel().buttons.map((at) => at !== null)).toEqual([false, true, false, false]);
    expect(panel().relays).toEqual([false, false, false, true]);
    expect(panel()).toMatchObject({
      lux: 900,
      led: { on: true, red: 1, green: 2, blue: 255 },
      screen: { powered: false },
    });
  });

  it('holds what it is given inside its ranges, and ignores parts it does not have', () => {
    const device = new SimulatedDevice();
    const before = device.panel;
    device.press(0, 5);
    device.press(9, 5);
    device.setRelay(5, true);
    expect(device.panel).toEqual(before);
    device.setScreen({ raw: 99_999 });
    device.setLux(Number.NaN);
    device.setVolume(140, true);
    expect(device.panel).toMatchObject({
      screen: { raw: before.screen.rawMax },
      lux: 0,
      volume: { percent: 100, muted: true },
    });
  });

  it('outlives its drivers', () => {
    const device = new SimulatedDevice();
    const first = running(device);
    first.send({ type: 'simulator.light', lux: 7 });
    first.stop();
    expect(running(device).getSnapshot().context.panel.lux).toBe(7);
  });

  it('is seen by the screen’s driver when a finger switches it off', () => {
    const device = new SimulatedDevice();
    const screen = runDriver<ScreenDriverCommand, ScreenFact>(simulatedScreen(device));
    running(device).send({ type: 'simulator.screen', powered: false });
    expect(screen.facts.at(-1)).toMatchObject({ type: 'display.observed', reading: { powered: false } });
    screen.stop();
  });

  it('has a microphone that is unplugged, muted and held by another program', () => {
    const device = new SimulatedDevice();
    const actor = running(device);
    expect(device.microphone).toMatchObject({ plugged: true, permitted: true, muted: false, stalled: false });
    actor.send({ type: 'simulator.microphone', occupied: true });
    actor.send({ type: 'simulator.microphone', muted: true });
    expect(device.microphone).toMatchObject({ plugged: true, muted: true, jammed: true });
    actor.send({ type: 'simulator.microphone', plugged: false, muted: false });
    expect(actor.getSnapshot().context.panel.microphone).toEqual({
      plugged: false,
      permitted: true,
      muted: false,
      stalled: false,
      occupied: true,
    });
  });

  it('counts reboots and reboots nothing', () => {
    const device = new SimulatedDevice();
    const power = runDriver<PowerDriverCommand, PowerFact>(simulatedPower(device));
    expect(power.facts).toMatchObject([{ type: 'reboot.route', route: 'simulated' }]);
    power.tell({ type: 'reboot.do' });
    expect(device.panel.reboots).toBe(1);
    expect(power.facts.map((fact) => fact.type)).toEqual(['reboot.route', 'reboot.asked', 'reboot.begun']);
    power.stop();
  });
});
