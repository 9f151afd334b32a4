import { describe, expect, it } from 'vitest';

import type { SimulatorDriverCommand } from '#machines/simulator/events.ts';
import { decideSimulator, type SimulatorTouch, simulatorTouch } from '#machines/simulator/touch.ts';

const toRaw = (brightness: number): number => brightness * 10;
const led = { on: true, red: 1, green: 2, blue: 3 };

describe('a touch of the simulated panel', () => {
  it.each<readonly [SimulatorTouch, SimulatorDriverCommand]>([
    [{ press: 2 }, { type: 'simulator.press', button: 2 }],
    [
      { hold: 1, down: false },
      { type: 'simulator.hold', button: 1, down: false },
    ],
    [{ air: { celsius: 21 } }, { type: 'simulator.air', celsius: 21 }],
    [{ air: { celsius: undefined, humidity: 40 } }, { type: 'simulator.air', humidity: 40 }],
    [{ proximity: 900 }, { type: 'simulator.near', proximity: 900 }],
    [{ lux: 12 }, { type: 'simulator.light', lux: 12 }],
    [
      { relay: 2, closed: true },
      { type: 'simulator.relay', relay: 2, closed: true },
    ],
    [{ led }, { type: 'simulator.led', ...led }],
    [{ backlight: 7 }, { type: 'simulator.backlight', level: 7 }],
    [
      { camera: 'blind', set: true },
      { type: 'simulator.camera', blind: true },
    ],
    [
      { microphone: 'muted', set: true },
      { type: 'simulator.microphone', muted: true },
    ],
    [{ screen: {} }, { type: 'simulator.screen' }],
    [{ screen: { on: false } }, { type: 'simulator.screen', powered: false }],
    [{ screen: { brightness: 25 } }, { type: 'simulator.screen', raw: 250 }],
  ])('%j is one command', (touch, command) => {
    expect(simulatorTouch().parse(touch)).toEqual(touch);
    const decided = decideSimulator(touch, toRaw);
    expect(decided).toEqual(command);
    expect(Object.keys(decided).toSorted()).toEqual(Object.keys(command).toSorted());
  });

  it.each<readonly [unknown, RegExp]>([
    [{ press: 'x' }, /^"press" /],
    [{ hold: 1 }, /^"hold" /],
    [{ down: true }, /^"hold" /],
    [{ air: 7 }, /^"air" /],
    [{ proximity: 'x' }, /^"proximity" /],
    [{ zigbee: 'on' }, /^"zigbee" /],
    [{ plug: 'nothing', plugged: true }, /^"plug" /],
    [{ plugged: true }, /^"plug" /],
    [{ lux: 'x' }, /^"lux" /],
    [{ relay: 1 }, /^"relay" /],
    [{ closed: true }, /^"relay" /],
    [{ led: {} }, /^"led" /],
    [{ backlight: 'x' }, /^"backlight" /],
    [{ camera: 'open', set: true }, /^"camera" must be one of plugged, /],
    [{ set: true }, /^"camera" /],
    [{ microphone: 'blind', set: true }, /^"microphone" must be one of plugged, /],
    [{ microphone: 'muted' }, /^"microphone" /],
    [{ screen: { brightness: 'x' } }, /^"screen" /],
    [{ other: 1 }, /^Send one of "press"/],
    [7, /^Send one of "press"/],
    [null, /^Send one of "press"/],
  ])('%j is refused with what the form that was meant wants', (touch, words) => {
    const parsed = simulatorTouch().safeParse(touch);
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.message).toMatch(words);
  });
});
