import { afterEach, describe, expect, it } from 'vitest';
import type { EventObject } from 'xstate';

import { hwmonSensor, listHwmon } from '#drivers/sensors/hwmon.ts';
import { iioSensor, listIio } from '#drivers/sensors/iio.ts';
import { createReadQueue } from '#drivers/sensors/read-queue.ts';
import type { SensorFact, SensorId } from '#machines/sensors/events.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { sysfsTree, type SysfsTree } from './sysfs-sensors.ts';

const trees: SysfsTree[] = [];
afterEach(() => {
  for (const one of trees.splice(0)) one.end();
});
function tree(files: Readonly<Record<string, string>>): SysfsTree {
  const made = sysfsTree(files);
  trees.push(made);
  return made;
}

const iio = (number: number, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`sys/bus/iio/devices/iio:device${number}/${name}`, text]),
  );
const hwmon = (number: number, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`sys/class/hwmon/hwmon${number}/${name}`, text]));

const list = (
  root: string,
  kind: SensorId,
  device: string | null = null,
  channel: number | null = null,
): Promise<readonly string[]> => listIio({ kind, device, channel, root });

describe('a device of Industrial I/O', () => {
  it('is found by its channel, in the order of the numbers, whatever else is there', async () => {
    const { root } = tree({
      ...iio(0, { name: 'bmi160', in_accel_x_raw: '1', in_temp_raw: '4' }),
      ...iio(2, { name: 'veml6030', in_illuminance_raw: '5' }),
      ...iio(10, { name: 'tsl2563', in_illuminance0_input: '5' }),
      ...iio(11, { name: 'apds9960', in_intensity_clear_raw: '5' }),
    });
    expect(await list(root, 'illuminance')).toEqual(['veml6030', 'tsl2563']);
    expect(await list(root, 'illuminance', 'tsl2563')).toEqual(['tsl2563']);
    expect(await list(root, 'illuminance', 'bh1750')).toEqual([]);
    expect(await list(root, 'illuminance', null, 3)).toEqual([]);
  });

  it('is the climate part rather than a part that tells its own warmth; named, any will do', async () => {
    const { root } = tree({
      ...iio(0, { name: 'adc', in_voltage0_raw: '1', in_temp_raw: '9' }),
      ...iio(1, { name: 'mcp9808', in_temp_raw: '9' }),
      ...iio(2, { name: 'bmp280', in_temp_input: '9', in_pressure_input: '9' }),
      ...iio(3, { name: 'si7020', in_temp_raw: '9', in_humidityrelative_raw: '9' }),
    });
    expect(await list(root, 'temperature')).toEqual(['si7020', 'bmp280', 'mcp9808']);
    expect(await list(root, 'temperature', 'adc')).toEqual(['adc']);
  });

  it('is found by its label too, and nothing is found where there is no such bus', async () => {
    const { root } = tree(
      iio(0, { name: 'ltr501', label: 'front', in_illuminance0_raw: '9', in_illuminance1_raw: '8' }),
    );
    expect(await list(root, 'illuminance', 'front', 1)).toEqual(['ltr501']);
    expect(await list('/nonexistent', 'illuminance')).toEqual([]);
  });
});

describe('a monitoring chip', () => {
  const look = (
    root: string,
    kind: 'temperature' | 'humidity',
    chip: string | null = null,
    label: string | null = null,
    index: number | null = null,
  ): Promise<readonly string[]> => listHwmon({ kind, chip, label, index, root });

  it('of the air or a board is found; those of processors and disks only by their name', async () => {
    const { root } = tree({
      ...hwmon(0, { name: 'coretemp', temp1_input: '1' }),
      ...hwmon(1, { name: 'lm75', 'device/temp1_input': '1' }),
      ...hwmon(2, { name: 'sht4x', temp1_input: '1', humidity1_input: '2' }),
    });
    expect(await look(root, 'temperature')).toEqual(['sht4x', 'lm75']);
    expect(await look(root, 'temperature', 'coretemp')).toEqual(['coretemp']);
    expect(await look(root, 'humidity')).toEqual(['sht4x']);
  });

  it('is read at the channel with the label or the number', async () => {
    const { root } = tree(
      hwmon(0, { name: 'board', temp1_input: '1', temp1_label: 'CPU', temp2_input: '2', temp2_label: 'Ambient' }),
    );
    expect(await look(root, 'temperature', 'board', 'Ambient')).toEqual(['board']);
    expect(await look(root, 'temperature', 'board', 'Disk')).toEqual([]);
    expect(await look(root, 'temperature', 'board', null, 3)).toEqual([]);
    const driver = runDriver<EventObject, SensorFact>(
      hwmonSensor({
        kind: 'temperature',
        chip: 'board',
        label: 'Ambient',
        index: null,
        root,
        everyMs: 1000,
        optional: false,
        offset: -1,
        inTurn: createReadQueue(),
      }),
    );
    const { value } = await driver.until(isFact<SensorFact, 'sensor.sampled'>('sensor.sampled'));
    driver.stop();
    expect(value).toBeCloseTo(-0.998, 6);
  });

  it('that says it is broken gives no number', async () => {
    const { root } = tree(hwmon(0, { name: 'sht3x', temp1_input: '21000', temp1_fault: '1', humidity1_input: '1' }));
    const driver = runDriver<EventObject, SensorFact>(
      hwmonSensor({
        kind: 'temperature',
        chip: null,
        label: null,
        index: null,
        root,
        everyMs: 1000,
        optional: false,
        offset: 0,
        inTurn: createReadQueue(),
      }),
    );
    const { value } = await driver.until(isFact<SensorFact, 'sensor.sampled'>('sensor.sampled'));
    driver.stop();
    expect(value).toBeNaN();
  });
});

describe('what cannot be read', () => {
  const first = async (files: Readonly<Record<string, string>>, optional = false): Promise<SensorFact | undefined> => {
    const { root } = tree(files);
    const driver = runDriver<EventObject, SensorFact>(
      iioSensor({
        kind: 'illuminance',
        device: null,
        channel: null,
        root,
        everyMs: 1000,
        optional,
        offset: 0,
        inTurn: createReadQueue(),
      }),
    );
    await driver.until((fact): fact is SensorFact => fact.type !== 'sensor.found');
    driver.stop();
    return driver.facts.find((fact) => fact.type !== 'sensor.found');
  };

  it('text that is no number is not taken for nought', async () => {
    for (const text of ['', 'dark', '0x10', '1,5', '1 2']) {
      // oxlint-disable-next-line no-await-in-loop -- one text after another
      expect(await first(iio(0, { name: 'als', in_illuminance_input: text })), text).toMatchObject({
        type: 'sensor.sampled',
        value: Number.NaN,
      });
    }
  });

  it('no device is a verdict with a reason; an optional one says so', async () => {
    expect(await first({}, true)).toMatchObject({
      type: 'sensor.missing',
      optional: true,
      verdict: { state: 'not_here', reason: 'no-sensor' },
    });
  });

  it('a file that cannot be read is told by its code', async () => {
    expect(
      await first({
        'sys/bus/iio/devices/iio:device0/name': 'als',
        'sys/bus/iio/devices/iio:device0/in_illuminance_input/x': '',
      }),
    ).toMatchObject({
      type: 'sensor.missing',
      verdict: { state: 'not_here', reason: 'sensor-unreadable' },
    });
  });
});
