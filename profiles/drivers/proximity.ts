import { z } from 'zod';

import { iioProximity, listIioProximity } from '#drivers/proximity/iio.ts';
import type { ProximityDecisions } from '#drivers/proximity/sampled.ts';
import { simulatedProximity } from '#drivers/proximity/simulated.ts';
import { watchProximity } from '#machines/proximity/watch.ts';

import { type DriverEntry, driverEntry, type Evidence } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';
import { deviceName } from './names.ts';

/** What samples mean, as every proximity driver is given it. */
export const proximityDecisions: ProximityDecisions = { watch: watchProximity };

const pollHz = z.int().min(10).max(50).default(20).meta({ description: 'Readings each second.' });

const lookForIio = async (): Promise<Evidence> => {
  const found = await listIioProximity();
  const evidence = namesFound(
    found.map(({ name }) => name),
    'proximity sensor',
  );
  return found.length > 0 && found.every(({ readable }) => !readable) ? { ...evidence, state: 'denied', detail: 'The kernel lists a proximity sensor that may not be read.' } : evidence;
};

/** Drivers of proximity sensors. */
export const proximityDrivers: readonly DriverEntry[] = [
  driverEntry({
    id: 'proximity.iio',
    kind: 'proximity',
    title: 'Proximity sensor of the kernel',
    summary: 'Reads in_proximity_raw of an industrial I/O device again and again; what near means is learned by a guided calibration.',
    options: z.strictObject({
      device: deviceName.optional().meta({ description: 'Name of the device as its driver gives it, such as vcnl4040; the first with a proximity channel when left out.' }),
      poll_hz: pollHz,
    }),
    needs: { groups: [], packages: [], kernel: ['/sys/bus/iio/devices'], udev: [] },
    risks: ['none'],
    probe: 'The raw reading is opened and read; it counts once it gave a number.',
    look: lookForIio,
    create: ({ device, poll_hz }) => iioProximity({ decisions: proximityDecisions, device, pollHz: poll_hz }),
  }),
  driverEntry({
    id: 'proximity.simulated',
    kind: 'proximity',
    title: 'Simulated proximity sensor',
    summary: 'The sensor of the simulated panel.',
    options: z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is read.',
    look: alwaysThere,
    create: (_options, { simulated }) => simulatedProximity(simulated(), proximityDecisions),
  }),
];
