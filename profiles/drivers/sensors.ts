import { z } from 'zod';

import { hwmonSensor, listHwmon } from '#drivers/sensors/hwmon.ts';
import { iioSensor, listIio } from '#drivers/sensors/iio.ts';
import { simulatedSensor } from '#drivers/sensors/simulated.ts';
import type { SensorDriver, SensorId } from '#machines/sensors/events.ts';

import { driverEntry, driverFamily, type DriverNeeds } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';
import { once } from '#machines/kit/once.ts';

/** Names in the kernel and in device trees. */
const kernelName = once(() => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.,:+ -]{0,63}$/));

const interval = (seconds: number) =>
  z
    .int()
    .min(1)
    .max(60)
    .default(seconds)
    .meta({ description: `How often it is read, in seconds; ${seconds} by default.` });

const correction = (unit: string) =>
  z
    .number()
    .min(-30)
    .max(30)
    .default(0)
    .meta({
      description: `Added to each reading, in ${unit}, to compensate the panel’s own heat. The owner’s correction is added to it.`,
    });

const optional = once(() =>
  z.boolean().default(false).meta({
    description: 'True hides the sensor until such a device has been found; for profiles that fit many machines.',
  }),
);

/** Default intervals: light changes quickly, the air slowly. */
const seconds: Readonly<Record<SensorId, number>> = { illuminance: 2, temperature: 10, humidity: 10 };
const words: Readonly<Record<SensorId, string>> = {
  illuminance: 'light',
  temperature: 'temperature',
  humidity: 'humidity',
};
const units: Readonly<Record<SensorId, string>> = {
  illuminance: 'lux',
  temperature: 'degrees Celsius',
  humidity: 'percent',
};

const needs = (kernel: string): DriverNeeds => ({ groups: [], packages: [], kernel: [kernel], udev: [] });

function iio(kind: SensorId) {
  const options = once(() =>
    z.strictObject({
      device: kernelName()
        .optional()
        .meta({ description: 'The `name` or `label` of the device; by default the first suitable one.' }),
      channel: z
        .int()
        .min(0)
        .max(63)
        .optional()
        .meta({ description: 'The number of the channel, as in `in_illuminance0_raw`; by default the first.' }),
      interval_s: interval(seconds[kind]),
      optional: optional(),
      offset: correction(units[kind]),
    }),
  );
  const choice = ({ device, channel }: z.infer<ReturnType<typeof options>>) => ({
    kind,
    device: device ?? null,
    channel: channel ?? null,
  });
  return driverEntry({
    id: `${kind}.iio`,
    title: `${words[kind].charAt(0).toUpperCase()}${words[kind].slice(1)} sensor of the kernel`,
    summary: `Reads ${words[kind]} in ${units[kind]} from a device of Industrial I/O: the value that the kernel computes, or (raw + offset) × scale.`,
    options,
    needs: needs('/sys/bus/iio/devices'),
    risks: ['none'],
    probe: 'It is found by its name and channel and read once.',
    scan: async (chosen) => namesFound(await listIio(choice(chosen)), `${words[kind]} sensor`),
    create: (chosen, { sensorReads }) =>
      iioSensor({
        ...choice(chosen),
        everyMs: chosen.interval_s * 1000,
        optional: chosen.optional,
        offset: chosen.offset,
        inTurn: sensorReads,
      }),
  });
}

function hwmon(kind: 'temperature' | 'humidity') {
  const options = once(() =>
    z.strictObject({
      chip: kernelName()
        .optional()
        .meta({ description: 'The `name` of the chip; by default the first that measures the air.' }),
      label: kernelName().optional().meta({ description: 'The label of the channel, as in `temp1_label`.' }),
      index: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'The number of the channel, as in `temp1_input`; by default the first.' }),
      interval_s: interval(seconds[kind]),
      optional: optional(),
      offset: correction(units[kind]),
    }),
  );
  const choice = ({ chip, label, index }: z.infer<ReturnType<typeof options>>) => ({
    kind,
    chip: chip ?? null,
    label: label ?? null,
    index: index ?? null,
  });
  return driverEntry({
    id: `${kind}.hwmon`,
    title: `${words[kind].charAt(0).toUpperCase()}${words[kind].slice(1)} of a monitoring chip`,
    summary: `Reads ${words[kind]} in ${units[kind]} from a chip of hardware monitoring.`,
    options,
    needs: needs('/sys/class/hwmon'),
    risks: ['none'],
    probe: 'It is found by the name of the chip and the channel and read once.',
    scan: async (chosen) => namesFound(await listHwmon(choice(chosen)), `${words[kind]} sensor`),
    create: (chosen, { sensorReads }) =>
      hwmonSensor({
        ...choice(chosen),
        everyMs: chosen.interval_s * 1000,
        optional: chosen.optional,
        offset: chosen.offset,
        inTurn: sensorReads,
      }),
  });
}

const simulated = (kind: SensorId) =>
  driverEntry({
    id: `${kind}.simulated`,
    title: `Simulated ${words[kind]}`,
    summary: 'The sensor of the panel in memory; no hardware is touched.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is there unless it was pulled out on the page of the simulated panel.',
    scan: alwaysThere,
    create: (_, parts) => simulatedSensor(parts.simulated(), kind),
  });

export const illuminanceDrivers = driverFamily<SensorDriver>('illuminance', [
  iio('illuminance'),
  simulated('illuminance'),
]);

export const temperatureDrivers = driverFamily<SensorDriver>('temperature', [
  iio('temperature'),
  hwmon('temperature'),
  simulated('temperature'),
]);

export const humidityDrivers = driverFamily<SensorDriver>('humidity', [
  iio('humidity'),
  hwmon('humidity'),
  simulated('humidity'),
]);
