import { z } from 'zod';

import { gpioRules } from '#drivers/kit/gpio-chip.ts';
import { gpioProximity } from '#drivers/proximity/gpio.ts';
import { iioProximity, listIioProximity } from '#drivers/proximity/iio.ts';
import type { ProximityDecisions } from '#drivers/proximity/sampled.ts';
import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import type { ProximityDriver } from '#machines/proximity/events.ts';
import { watchProximity } from '#machines/proximity/watch.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { alwaysThere, scanForChips, namesFound, noNeeds } from './evidence.ts';
import { chipLabel, chipLine, deviceName } from './names.ts';
import { once } from '#machines/kit/once.ts';

/** Interprets samples; passed to every proximity driver. */
export const proximityDecisions: ProximityDecisions = { watch: watchProximity };

const pollHz = once(() => z.int().min(10).max(50).default(20).meta({ description: 'Readings per second.' }));

async function scanForIio(): Promise<Evidence> {
  const found = await listIioProximity();
  const evidence = namesFound(
    found.map(({ name }) => name),
    'proximity sensor',
  );
  return found.length > 0 && found.every(({ readable }) => !readable)
    ? { ...evidence, state: 'denied', detail: 'The kernel lists a proximity sensor that may not be read.' }
    : evidence;
}

export const proximityDrivers = driverFamily<ProximityDriver>('proximity', [
  driverEntry({
    id: 'proximity.iio',
    title: 'Proximity sensor of the kernel',
    summary: 'Polls in_proximity_raw of an Industrial I/O device; a guided calibration learns what near means.',
    options: () =>
      z.strictObject({
        device: deviceName().optional().meta({
          description:
            'Name of the device as its kernel driver reports it, such as vcnl4040; by default the first with a proximity channel.',
        }),
        poll_hz: pollHz(),
        optional: z.boolean().default(false).meta({
          description: 'True hides the sensor until such a device has been found; for profiles that fit many machines.',
        }),
      }),
    needs: { groups: [], packages: [], kernel: ['/sys/bus/iio/devices'], udev: [] },
    risks: ['none'],
    probe: 'The raw reading is opened and read; it counts once it has returned a number.',
    scan: scanForIio,
    create: ({ device, poll_hz, optional }) =>
      iioProximity({ decisions: proximityDecisions, device, pollHz: poll_hz, optional }),
  }),
  driverEntry({
    id: 'proximity.gpio',
    title: 'Proximity sensor on a GPIO line',
    summary:
      'Reads a sensor that says only near or far, such as a motion sensor, on one line of a GPIO chip; a guided calibration proves it.',
    options: () =>
      z.strictObject({
        chip_label: chipLabel().meta({
          description: 'Label of the chip, as gpiodetect shows it in brackets. It does not change between boots.',
        }),
        line: chipLine().meta({ description: 'Offset of the line in its chip.' }),
        active_low: z.boolean().default(false).meta({ description: 'True if the line is low while a person is near.' }),
        poll_hz: pollHz(),
      }),
    needs: { groups: ['gpio'], packages: [], kernel: ['/dev/gpiochip*'], udev: gpioRules },
    risks: ['gpio-read'],
    probe:
      'The chip is found by its label and asked who uses the line; an unused line is requested as an input and read.',
    scan: scanForChips,
    create: ({ chip_label, line, active_low, poll_hz }) =>
      gpioProximity({
        decisions: proximityDecisions,
        chipLabel: chip_label,
        line,
        activeLow: active_low,
        pollHz: poll_hz,
      }),
  }),
  driverEntry({
    id: 'proximity.simulated',
    title: 'Simulated proximity sensor',
    summary: 'The sensor of the simulated panel.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is read.',
    scan: alwaysThere,
    create: (_options, { simulated }) => simulatedProximity(simulated(), proximityDecisions),
  }),
]);
