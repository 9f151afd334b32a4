import { z } from 'zod';

import { zigbeeProcess } from '#drivers/zigbee/process.ts';
import { findProcesses } from '#drivers/zigbee/processes.ts';
import { simulatedZigbee } from '#drivers/zigbee/simulated.ts';
import { type ZigbeeDriver, zigbeeGateways } from '#machines/zigbee/events.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { alwaysThere, noNeeds } from './evidence.ts';

/** Drivers that watch a Zigbee gateway. */
export const zigbeeDrivers = driverFamily<ZigbeeDriver>('zigbee', [
  driverEntry({
    id: 'zigbee.process',
    title: 'Zigbee gateway',
    summary:
      'Watches the process of a Zigbee or Thread gateway: whether it runs and how busy it is. It starts and stops nothing.',
    options: () =>
      z.strictObject({
        gateway: z
          .enum(zigbeeGateways)
          .meta({ description: 'Which program drives the radio, by the exact name of its process.' }),
      }),
    needs: { groups: [], packages: [], kernel: ['/proc'], udev: [] },
    risks: ['none'],
    probe: 'Its process is found by its exact name.',
    scan: async ({ gateway }): Promise<Evidence> => {
      const processes = await findProcesses(gateway, '/proc');
      if (processes === null)
        return { state: 'unknown', names: [], detail: 'The processes of this machine cannot be listed.' };
      return processes.length > 0
        ? { state: 'found', names: [gateway], detail: `The program ${gateway} runs.` }
        : { state: 'missing', names: [], detail: `The program ${gateway} does not run.` };
    },
    create: ({ gateway }) => zigbeeProcess({ gateway }),
  }),
  driverEntry({
    id: 'zigbee.simulated',
    title: 'Simulated Zigbee gateway',
    summary: 'The gateway of the panel in memory; no hardware is touched.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is there unless it was pulled out on the page of the simulated panel.',
    scan: alwaysThere,
    create: (_options, { simulated }) => simulatedZigbee(simulated()),
  }),
]);
