import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { scanBacklights, openGauge } from '#drivers/screen/backlight-device.ts';
import { sysfsBacklight } from '#test/drivers/screen/sysfs-backlight.ts';
import { notWritable } from '#drivers/screen/verdicts.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';

import { asUser } from '../as-user.ts';
import { isFact, runDriver } from '../run-driver.ts';
import { type BacklightTree, backlightTree } from './backlight-tree.ts';
import { decisions } from './decisions.ts';

let tree: BacklightTree;
beforeEach(async () => {
  tree = await backlightTree();
});
afterEach(() => tree.end());

const run = (pollMs = 20) =>
  runDriver<ScreenDriverCommand, ScreenFact>(sysfsBacklight(decisions, { root: tree.root, pollMs }));
const found = isFact<ScreenFact, 'display.found'>('display.found');
const missing = isFact<ScreenFact, 'display.missing'>('display.missing');

const scanAsUser = (): Promise<unknown> => asUser('#drivers/screen/backlight-device.ts', 'scanBacklights', tree.root);

describe('scanning for a backlight', () => {
  it('prefers firmware to platform to raw, then the name', async () => {
    await tree.add('a_raw', { type: 'raw', max_brightness: 100, brightness: 1 });
    await tree.add('b_platform', { type: 'platform', max_brightness: 100, brightness: 1 });
    await tree.add('c_firmware', { type: 'firmware', max_brightness: 100, brightness: 1 });
    expect(await scanBacklights(tree.root)).toMatchObject({ device: { facts: { name: 'c_firmware' } } });
    await tree.remove('c_firmware');
    expect(await scanBacklights(tree.root)).toMatchObject({ device: { facts: { name: 'b_platform' } } });
  });

  it('leaves out devices without a range', async () => {
    await tree.add('zero', { type: 'firmware', max_brightness: 0, brightness: 0 });
    await tree.add('garbage', { type: 'firmware', max_brightness: 'x', brightness: 0 });
    expect(await scanBacklights(tree.root)).toEqual({ nothing: true });
    expect(await scanBacklights(join(tree.root, 'nowhere'))).toEqual({ nothing: true });
  });

  it('takes the first device it may write, and names one it may not', async () => {
    await tree.add('best', { type: 'firmware', max_brightness: 9, brightness: 1, bl_power: 0 });
    await chmod(join(tree.root, 'best', 'brightness'), 0o444);
    expect(await scanAsUser()).toEqual({ unwritable: 'best' });
    await tree.add('other', { type: 'raw', max_brightness: 9, brightness: 1, bl_power: 0 });
    await chmod(join(tree.root, 'other', 'bl_power'), 0o444);
    expect(await scanAsUser()).toMatchObject({ device: { facts: { name: 'other', power: false } } });
  });

  it('offers one command where it may not write', () => {
    const { state, fix } = notWritable('panel');
    expect(state).toBe('needs_you');
    expect(fix?.command).toContain('sudo usermod -aG video "$USER"');
    expect(fix?.command).toContain('SUBSYSTEM=="backlight"');
    expect(fix?.command).not.toContain('\n');
  });
});

describe('reading a backlight', () => {
  const device = () => ({
    folder: join(tree.root, 'panel'),
    facts: { name: 'panel', rawMax: 255, rawMin: 1, power: true },
  });

  it.each([
    ['what the hardware says', { brightness: 100, actual_brightness: 90, bl_power: 0 }, { raw: 90, powered: true }],
    [
      'another scale is left aside',
      { brightness: 100, actual_brightness: 20_000, bl_power: 0 },
      { raw: 100, powered: true },
    ],
    [
      'dark keeps the written level',
      { brightness: 100, actual_brightness: 0, bl_power: 4 },
      { raw: 100, powered: false },
    ],
    ['a driver that blanks with 1', { brightness: 100, bl_power: 1 }, { raw: 100, powered: false }],
    ['no number at all', { brightness: '', bl_power: 0 }, null],
  ])('%s', async (_, files, reading) => {
    await tree.add('panel', files);
    const gauge = await openGauge(device());
    expect(await gauge.read(true)).toEqual(reading);
    await gauge.close();
  });
});

describe('the sysfs driver', () => {
  const panel = { type: 'raw', max_brightness: 100, brightness: 50, bl_power: 0 };

  it('says what it scanned for, and finds the display on a later probe', async () => {
    const driver = run();
    expect((await driver.until(missing)).verdict).toMatchObject({ state: 'not_here', reason: 'no-backlight-device' });
    await tree.add('panel', panel);
    driver.tell({ type: 'display.probe' });
    expect((await driver.until(found)).display.name).toBe('panel');
    driver.stop();
  });

  it('reports a device that vanishes and one that comes back', async () => {
    await tree.add('panel', panel);
    const driver = run();
    await driver.until(found);
    await tree.remove('panel');
    expect((await driver.until(isFact<ScreenFact, 'display.lost'>('display.lost'))).reason).toBe('gone');
    driver.tell({ type: 'display.write', generation: 4, raw: 9, powered: null });
    expect((await driver.until(isFact<ScreenFact, 'display.refused'>('display.refused'))).reason).toBe('no-display');
    const from = driver.facts.length;
    await tree.add('panel', panel);
    driver.tell({ type: 'display.probe' });
    await driver.until(found, from);
    driver.stop();
  });

  it('says that the power switch does nothing, and goes on without it', async () => {
    await tree.add('panel', panel);
    const driver = run(60_000);
    await driver.until(found);
    await rm(join(tree.root, 'panel', 'bl_power'));
    await mkdir(join(tree.root, 'panel', 'bl_power'));
    driver.tell({ type: 'display.write', generation: 1, raw: null, powered: false });
    expect(await driver.until(isFact<ScreenFact, 'display.refused'>('display.refused'))).toMatchObject({
      generation: 1,
      reason: 'power-not-honoured',
    });
    driver.tell({ type: 'display.write', generation: 2, raw: 1, powered: null });
    expect((await driver.until(isFact<ScreenFact, 'display.written'>('display.written'))).reading).toEqual({
      raw: 1,
      powered: true,
    });
    driver.stop();
  });

  it('reads back what the hardware made of a write', async () => {
    await tree.add('panel', { ...panel, actual_brightness: 42 });
    const driver = run(60_000);
    await driver.until(found);
    driver.tell({ type: 'display.write', generation: 1, raw: 80, powered: true });
    expect((await driver.until(isFact<ScreenFact, 'display.written'>('display.written'))).reading).toEqual({
      raw: 42,
      powered: true,
    });
    driver.stop();
  });
});
