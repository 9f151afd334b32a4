import { access } from 'node:fs/promises';

import { z } from 'zod';

import { adbPower } from '#drivers/power/adb.ts';
import { simulatedPower } from '#drivers/power/simulated.ts';
import { systemPower } from '#drivers/power/system.ts';
import type { PowerDriver } from '#machines/power/events.ts';

import { driverEntry, driverFamily } from '../driver-entry.ts';
import { adbNeeds, alwaysThere, noNeeds, onlyByUsing } from './evidence.ts';
import { optionalPart } from './optional.ts';

/** Drivers that reboot the panel. */
export const powerDrivers = driverFamily<PowerDriver>('power', [
  driverEntry({
    id: 'power.system',
    title: 'Reboot of this machine',
    summary: 'Reboots through logind, or through systemctl as root.',
    options: () => z.strictObject({ optional: optionalPart() }),
    needs: { groups: [], packages: ['polkitd'], kernel: [], udev: [] },
    risks: ['reboot'],
    probe: 'logind is asked whether it would reboot for this user; nothing is rebooted.',
    scan: async () => {
      const there = await access('/run/systemd/system').then(
        () => true,
        () => false,
      );
      return there
        ? { state: 'found', names: ['systemd'], detail: 'systemd runs this machine.' }
        : { state: 'missing', names: [], detail: 'systemd does not run this machine.' };
    },
    create: () => systemPower(),
  }),
  driverEntry({
    id: 'power.adb',
    title: 'Reboot of an Android panel',
    summary: 'Reboots the panel over its debugging bridge.',
    options: () => z.strictObject({}),
    needs: adbNeeds,
    risks: ['reboot', 'android-debugging'],
    probe: 'The panel answers; nothing is rebooted.',
    scan: onlyByUsing,
    create: (_options, { android }) => adbPower(android()),
  }),
  driverEntry({
    id: 'power.simulated',
    title: 'Simulated reboot',
    summary: 'Counts reboots and does none.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (_options, { simulated }) => simulatedPower(simulated()),
  }),
]);
