import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { hwmonSensor } from '#drivers/sensors/hwmon.ts';
import { iioSensor } from '#drivers/sensors/iio.ts';
import { createReadQueue } from '#drivers/sensors/read-queue.ts';
import { simulatedSensor } from '#drivers/sensors/simulated.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import { fastTime } from '#test/fakes/fast-time.ts';

import { sensorCases, type SensorRig } from './sensor.contract.ts';
import { sysfsTree, type SysfsTree } from './sensors/sysfs-sensors.ts';

let endFastTime = (): void => {};
beforeAll(() => {
  endFastTime = fastTime();
});
afterAll(() => endFastTime());

const trees: SysfsTree[] = [];
afterEach(() => {
  for (const made of trees.splice(0)) made.end();
});
function tree(files: Readonly<Record<string, string>>): SysfsTree {
  const made = sysfsTree(files);
  trees.push(made);
  return made;
}

const every = { everyMs: 100, optional: false, offset: 0, inTurn: createReadQueue() } as const;
const light = 'sys/bus/iio/devices/iio:device0';
const climate = 'sys/bus/iio/devices/iio:device1';
const chip = 'sys/class/hwmon/hwmon2';

const moving = (made: SysfsTree, from: string, to: string): Pick<SensorRig, 'pull' | 'putBack'> => ({
  pull: async () => made.move(from, 'away'),
  putBack: async () => made.move('away', to),
});

function simulated(kind: 'illuminance' | 'temperature' | 'humidity'): SensorRig {
  const device = new SimulatedDevice();
  const set = {
    illuminance: (value: number) => device.setLux(value),
    temperature: (value: number) => device.setAir({ celsius: value }),
    humidity: (value: number) => device.setAir({ humidity: value }),
  }[kind];
  const part = kind === 'illuminance' ? 'illuminance' : 'climate';
  return {
    logic: simulatedSensor(device, kind),
    device: 'the simulated panel',
    value: { illuminance: 120, temperature: 21.5, humidity: 45 }[kind],
    within: 0,
    set: async (value) => set(value),
    pull: async () => device.plug(part, false),
    putBack: async () => device.plug(part, true),
  };
}

const rigs: Readonly<Record<string, () => SensorRig>> = {
  'illuminance.simulated': () => simulated('illuminance'),
  'temperature.simulated': () => simulated('temperature'),
  'humidity.simulated': () => simulated('humidity'),
  'illuminance.iio, worked out by the kernel': () => {
    const made = tree({
      [`${light}/name`]: 'tsl2561',
      [`${light}/in_illuminance0_input`]: '120',
      [`${light}/in_intensity0_both_raw`]: '9',
    });
    return {
      logic: iioSensor({ kind: 'illuminance', device: null, channel: null, root: made.root, ...every }),
      device: 'tsl2561',
      value: 120,
      within: 0,
      set: async (value) => made.put({ [`${light}/in_illuminance0_input`]: String(value) }),
      ...moving(made, light, 'sys/bus/iio/devices/iio:device7'),
    };
  },
  'illuminance.iio, (raw + offset) x scale': () => {
    const made = tree({
      [`${light}/name`]: 'als',
      [`${light}/in_illuminance_raw`]: '110',
      [`${light}/in_illuminance_scale`]: '0.500000',
      [`${light}/in_illuminance_offset`]: '-10',
    });
    return {
      logic: iioSensor({ kind: 'illuminance', device: 'als', channel: null, root: made.root, ...every }),
      device: 'als',
      value: 50,
      within: 0.001,
      set: async (value) => made.put({ [`${light}/in_illuminance_raw`]: String(value * 2 + 10) }),
      ...moving(made, light, light),
    };
  },
  'temperature.iio': () => {
    const made = tree({
      [`${climate}/name`]: 'hdc1080',
      [`${climate}/in_temp_raw`]: '30000',
      [`${climate}/in_temp_offset`]: '-15887.515151',
      [`${climate}/in_temp_scale`]: '2.517700195',
      [`${climate}/in_humidityrelative_raw`]: '30000',
      [`${climate}/in_humidityrelative_scale`]: '1.525878906',
    });
    return {
      logic: iioSensor({ kind: 'temperature', device: null, channel: null, root: made.root, ...every }),
      device: 'hdc1080',
      value: 35.53,
      within: 0.01,
      set: async (value) =>
        made.put({ [`${climate}/in_temp_raw`]: String((value * 1000) / 2.517700195 + 15887.515151) }),
      ...moving(made, climate, light),
    };
  },
  'humidity.iio': () => {
    const made = tree({
      [`${climate}/name`]: 'htu21',
      [`${climate}/in_temp_input`]: '21500',
      [`${climate}/in_humidityrelative_input`]: '45250',
    });
    return {
      logic: iioSensor({ kind: 'humidity', device: 'htu21', channel: null, root: made.root, ...every }),
      device: 'htu21',
      value: 45.25,
      within: 0.001,
      set: async (value) => made.put({ [`${climate}/in_humidityrelative_input`]: String(value * 1000) }),
      ...moving(made, climate, climate),
    };
  },
  'temperature.hwmon': () => {
    const made = tree({
      [`${chip}/name`]: 'sht3x',
      [`${chip}/temp1_input`]: '21500',
      [`${chip}/humidity1_input`]: '45250',
      'sys/class/hwmon/hwmon0/name': 'coretemp',
      'sys/class/hwmon/hwmon0/temp1_input': '61000',
    });
    return {
      logic: hwmonSensor({ kind: 'temperature', chip: null, label: null, index: null, root: made.root, ...every }),
      device: 'sht3x',
      value: 21.5,
      within: 0.001,
      set: async (value) => made.put({ [`${chip}/temp1_input`]: String(value * 1000) }),
      ...moving(made, chip, 'sys/class/hwmon/hwmon9'),
    };
  },
  'humidity.hwmon': () => {
    const made = tree({
      [`${chip}/name`]: 'sht3x',
      [`${chip}/temp1_input`]: '21500',
      [`${chip}/humidity1_input`]: '45250',
    });
    return {
      logic: hwmonSensor({ kind: 'humidity', chip: 'sht3x', label: null, index: 1, root: made.root, ...every }),
      device: 'sht3x',
      value: 45.25,
      within: 0.001,
      set: async (value) => made.put({ [`${chip}/humidity1_input`]: String(value * 1000) }),
      ...moving(made, chip, chip),
    };
  },
};

for (const [name, rig] of Object.entries(rigs)) {
  describe(`sensor driver contract: ${name}`, () => {
    const cases = sensorCases({ set: async () => {}, pull: async () => {}, putBack: async () => {} });
    it.each(cases)('$title', async ({ run }) => run(rig()), 15_000);
  });
}

it('every case of the contract is run by a rig with all hands', () =>
  expect(sensorCases(simulated('humidity'))).toHaveLength(4));
