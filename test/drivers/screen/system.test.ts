import { afterEach, describe, expect, it } from 'vitest';

import { systemScreen, type SystemScreenOptions } from '#drivers/screen/system.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';

import { until } from '../../scenarios/live-agent.ts';
import { isFact, runDriver, type RunningDriver } from '../run-driver.ts';
import { backlightTree } from './backlight-tree.ts';
import { decisions } from './decisions.ts';
import { ddcutil, fakeMachine, type FakeMachine, kscreen, wlopm, xrandr, xset } from './fake-displays.ts';

type Driver = RunningDriver<ScreenDriverCommand, ScreenFact>;
const found = isFact<ScreenFact, 'display.found'>('display.found');
const written = (generation: number) =>
  isFact<ScreenFact, 'display.written'>('display.written', (fact) => fact.generation === generation);
const refused = isFact<ScreenFact, 'display.refused'>('display.refused');

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function machine(): FakeMachine {
  const made = fakeMachine();
  ends.push(made.end);
  // What this machine has installed must not be called.
  for (const name of ['wlopm', 'kscreen-doctor', 'xset', 'xrandr', 'ddcutil']) made.tool(name, 'exit 1');
  return made;
}
function start(made: FakeMachine, more: Partial<SystemScreenOptions> = {}): Driver {
  const driver: Driver = runDriver(
    systemScreen({
      decisions,
      env: made.env,
      drm: made.drm,
      x11: made.x11,
      backlight: { root: '/nowhere' },
      changesMs: 30,
      ...more,
    }),
  );
  ends.unshift(() => driver.stop());
  return driver;
}

describe('the routes of a display', () => {
  it('power by the compositor and brightness by the monitor itself, scaled by its own maximum', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.tool('ddcutil', ddcutil);
    for (const [name, value] of [
      ['power-HDMI-A-1', 'on'],
      ['ddc-power', 1],
      ['ddc-level', 40],
    ] as const)
      made.set(name, value);
    const driver = start(made);
    const { display, reading } = await driver.until(found);
    expect(display).toMatchObject({
      name: 'HDMI-A-1',
      rawMax: 80,
      power: true,
      routes: { brightness: 'ddc', power: 'wlopm' },
    });
    expect(reading).toEqual({ raw: 40, powered: true });
    driver.tell({ type: 'display.write', generation: 1, raw: 60, powered: true });
    expect((await driver.until(written(1))).reading).toEqual({ raw: 60, powered: true });
    driver.tell({ type: 'display.write', generation: 2, raw: null, powered: false });
    expect((await driver.until(written(2))).reading).toEqual({ raw: 60, powered: false });
    expect([made.get('power-HDMI-A-1'), made.get('ddc-level')]).toEqual(['off', '60']);
  });

  it('the monitor alone: brightness and power over its cable, also when it is silent while it is off', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    made.tool(
      'ddcutil',
      ddcutil.replace('*getvcp*D6) echo', '*getvcp*D6) [ "$(cat "$state/ddc-power")" = 1 ] || exit 1; echo'),
    );
    made.set('ddc-power', 1);
    made.set('ddc-level', 40);
    const driver = start(made);
    expect((await driver.until(found)).display.routes).toEqual({ brightness: 'ddc', power: 'ddc' });
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    expect((await driver.until(written(1))).reading).toEqual({ raw: 40, powered: false });
    expect(made.get('ddc-power')).toBe('4');
    driver.tell({ type: 'display.write', generation: 2, raw: 80, powered: true });
    expect((await driver.until(written(2))).reading).toEqual({ raw: 80, powered: true });
    expect(driver.crashed()).toBeUndefined();
  });

  it('the monitor alone, which is lit again although its cable was busy at first', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    made.tool(
      'ddcutil',
      ddcutil.replace(
        'case "$*" in',
        `case "$*" in\n  *setvcp*'D6 1') if [ -e "$state/busy" ]; then rm "$state/busy"; exit 1; fi; echo 1 >"$state/ddc-power" ;;`,
      ),
    );
    made.set('ddc-power', 1);
    made.set('ddc-level', 40);
    const driver = start(made);
    await driver.until(found);
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    await driver.until(written(1));
    made.set('busy', 'yes');
    driver.tell({ type: 'display.write', generation: 2, raw: null, powered: true });
    expect((await driver.until(written(2))).reading.powered).toBe(true);
    expect(driver.facts.filter(({ type }) => type === 'display.refused' || type === 'display.found')).toHaveLength(1);
  });

  it('a monitor that takes no brightness while its picture is off gets it once it is lit, and keeps its route', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.tool(
      'ddcutil',
      `state=${made.folder}/state\nif [ "$1" != detect ] && [ "$(cat "$state/power-HDMI-A-1")" = off ]; then exit 1; fi\n${ddcutil}`,
    );
    for (const [name, value] of [
      ['power-HDMI-A-1', 'on'],
      ['ddc-power', 1],
      ['ddc-level', 40],
    ] as const)
      made.set(name, value);
    const driver = start(made);
    await driver.until(found);
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    await driver.until(written(1));
    driver.tell({ type: 'display.write', generation: 2, raw: 60, powered: true });
    expect((await driver.until(written(2))).reading).toEqual({ raw: 60, powered: true });
    expect(driver.facts.filter(({ type }) => type === 'display.refused' || type === 'display.found')).toHaveLength(1);
  });

  it('a compositor that answers success and stays on gives way to the next route, and the write is planned anew', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    await made.session('wayland-1');
    made.tool('wlopm', 'case "$1" in --*) ;; *) echo "HDMI-A-1 on" ;; esac');
    made.tool('ddcutil', ddcutil);
    made.set('ddc-power', 1);
    made.set('ddc-level', 40);
    const driver = start(made);
    expect((await driver.until(found)).display.routes?.power).toBe('wlopm');
    const from = driver.facts.length;
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    expect(await driver.until(refused, from, 8000)).toMatchObject({ generation: 1, reason: 'route-changed' });
    expect((await driver.until(found, from)).display.routes).toEqual({ brightness: 'ddc', power: 'ddc' });
    driver.tell({ type: 'display.write', generation: 2, raw: null, powered: false });
    expect((await driver.until(written(2))).reading.powered).toBe(false);
  }, 20_000);

  it('what worked before is tried first', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    await made.session('wayland-0');
    await made.session('X0');
    made.tool('wlopm', wlopm);
    made.tool('xset', xset);
    made.set('power-HDMI-A-1', 'on');
    made.set('power-X', 'on');
    const driver = start(made, { changesMs: 60_000 });
    expect((await driver.until(found)).display.routes?.power).toBe('wlopm');
    const from = driver.facts.length;
    driver.tell({ type: 'display.prefer', display: 'HDMI-A-1', choice: { brightness: null, power: 'xset' } });
    expect((await driver.until(found, from)).display.routes?.power).toBe('xset');
  });

  it('KDE switches one output and leaves the others', async () => {
    const made = machine();
    made.connect('DP-1');
    made.connect('DP-2');
    await made.session('wayland-0');
    made.tool('kscreen-doctor', kscreen);
    made.set('power-DP-1', 'on');
    made.set('power-DP-2', 'on');
    const driver = start(made, { slot: 2 });
    expect((await driver.until(found)).display).toMatchObject({
      name: 'DP-2',
      rawMax: 1,
      power: true,
      routes: { brightness: null, power: 'kscreen' },
    });
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    expect((await driver.until(written(1))).reading.powered).toBe(false);
    expect([made.get('power-DP-1'), made.get('power-DP-2')]).toEqual(['on', 'off']);
  });

  it('an X server: power by xset, and the picture darkened where no lamp can be', async () => {
    const made = machine();
    await made.session('X3');
    made.tool('xset', xset);
    made.tool('xrandr', xrandr);
    made.set('power-X', 'on');
    made.set('picture', '1.0');
    const driver = start(made);
    expect((await driver.until(found)).display).toMatchObject({
      name: 'HDMI-1',
      rawMax: 100,
      rawMin: 5,
      power: true,
      routes: { brightness: 'dimming', power: 'xset' },
    });
    driver.tell({ type: 'display.write', generation: 1, raw: 30, powered: true });
    expect((await driver.until(written(1))).reading).toEqual({ raw: 30, powered: true });
    expect(made.get('picture')).toBe('0.30');
  });

  it('a backlight keeps the brightness while the compositor has the power that it lacks', async () => {
    const made = machine();
    const tree = await backlightTree();
    ends.push(tree.end);
    await tree.add('panel', { type: 'raw', max_brightness: 200, brightness: 120 });
    made.connect('DSI-1');
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.set('power-DSI-1', 'on');
    const driver = start(made, { backlight: { root: tree.root, pollMs: 20 } });
    expect((await driver.until(found)).display).toMatchObject({
      name: 'DSI-1',
      rawMax: 200,
      power: true,
      routes: { brightness: 'backlight', power: 'wlopm' },
    });
    driver.tell({ type: 'display.write', generation: 1, raw: 60, powered: false });
    expect((await driver.until(written(1))).reading).toEqual({ raw: 60, powered: false });
    expect(await tree.read('panel', 'brightness')).toBe(60);
  });

  it('is scanned for again when a display comes or goes', async () => {
    const made = machine();
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.set('power-HDMI-A-1', 'on');
    made.set('power-DP-1', 'on');
    made.connect('HDMI-A-1');
    const driver = start(made, { slot: 2 });
    expect(await driver.until(isFact<ScreenFact, 'display.missing'>('display.missing'))).toMatchObject({
      verdict: { reason: 'no-further-display' },
    });
    made.connect('DP-1');
    expect((await driver.until(found)).display.name).toBe('HDMI-A-1');
    made.connect('DP-1', 'disconnected');
    await driver.until(isFact<ScreenFact, 'display.lost'>('display.lost'));
  });

  it('is scanned for again when a session begins after the agent', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    made.tool('wlopm', wlopm);
    made.tool('ddcutil', ddcutil);
    for (const [name, value] of [
      ['power-HDMI-A-1', 'on'],
      ['ddc-power', 1],
      ['ddc-level', 40],
    ] as const)
      made.set(name, value);
    const driver = start(made);
    expect((await driver.until(found)).display.routes).toEqual({ brightness: 'ddc', power: 'ddc' });
    await made.session('wayland-0');
    expect((await driver.until(found, 1)).display.routes).toEqual({ brightness: 'ddc', power: 'wlopm' });
  });

  it('a display that is dark is not given up when it drops off its cable', async () => {
    const made = machine();
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.set('power-HDMI-A-1', 'on');
    made.connect('HDMI-A-1');
    const driver = start(made);
    await driver.until(found);
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    await driver.until(written(1));
    made.connect('HDMI-A-1', 'disconnected');
    driver.tell({ type: 'display.write', generation: 2, raw: null, powered: true });
    expect((await driver.until(written(2))).reading.powered).toBe(true);
    await driver.until(isFact<ScreenFact, 'display.found'>('display.found'), driver.facts.findIndex(written(2)));
  });

  it('notices a screen that was switched elsewhere when it is asked to read', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    await made.session('wayland-0');
    made.tool('wlopm', wlopm);
    made.set('power-HDMI-A-1', 'off');
    const driver = start(made, { changesMs: 60_000 });
    expect((await driver.until(found)).reading.powered).toBe(false);
    made.set('power-HDMI-A-1', 'on');
    driver.tell({ type: 'display.read' });
    expect((await driver.until(isFact<ScreenFact, 'display.observed'>('display.observed'))).reading.powered).toBe(true);
  });

  it('says what was tried where nothing works', async () => {
    const made = machine();
    made.connect('HDMI-A-1');
    const driver = start(made);
    const { verdict } = await driver.until(isFact<ScreenFact, 'display.missing'>('display.missing'));
    expect(verdict).toMatchObject({ reason: 'no-display-route' });
    expect(verdict.detail).toContain('the compositor (wlopm): no such session runs for this user');
    await until('an end without a crash', () => driver.crashed() === undefined);
  });
});
