import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { listEvents } from '#drivers/input/devices.ts';
import { linuxInput } from '#drivers/input/linux.ts';
import { simulatedInput } from '#drivers/input/simulated.ts';

import { type DriverEntry, driverEntry, type Evidence } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';

const lookForDevices = async (): Promise<Evidence> => {
  const root = '/sys/class/input';
  const names = await Promise.all((await listEvents(root)).map((event) => readFile(join(root, event, 'device/name'), 'utf8').catch(() => '')));
  return namesFound(names.map((name) => name.trim().slice(0, 64)).filter((name) => name !== ''), 'input device');
};

/** Drivers of touch screens, keys and buttons. */
export const inputDrivers: readonly DriverEntry[] = [
  driverEntry({
    id: 'input.evdev',
    kind: 'input',
    title: 'Touch screens, keys and buttons',
    summary: 'Reads the event devices of the kernel, found by what they can do; a dark screen is woken by the first touch.',
    options: z.strictObject({}),
    needs: { groups: ['input'], packages: [], kernel: ['/dev/input/event*'], udev: [] },
    risks: ['evdev-read', 'evdev-grab'],
    probe: 'Each event device is opened for reading and asked what it can do.',
    look: lookForDevices,
    create: () => linuxInput(),
  }),
  driverEntry({
    id: 'input.simulated',
    kind: 'input',
    title: 'Simulated buttons',
    summary: 'The buttons of the simulated panel, as keys.',
    options: z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'They are always there.',
    look: alwaysThere,
    create: (_options, { simulated }) => simulatedInput(simulated()),
  }),
];
