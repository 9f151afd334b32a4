import { readdir } from 'node:fs/promises';

import { z } from 'zod';

import { adbScreen } from '#drivers/screen/adb.ts';
import { simulatedScreen } from '#drivers/screen/simulated.ts';
import { systemScreen } from '#drivers/screen/system.ts';
import { assignDisplays } from '#machines/screen/assign-displays.ts';
import { chooseRoutes, needsSlowRoutes } from '#machines/screen/choose-route.ts';
import type { ScreenDriver } from '#machines/screen/events.ts';
import { routeTrust } from '#machines/screen/route-trust.ts';

import { driverEntry, driverFamily } from '../driver-entry.ts';
import { adbNeeds, alwaysThere, namesFound, noNeeds, onlyByUsing } from './evidence.ts';
import { optionalPart } from './optional.ts';

const decisions = { assignDisplays, chooseRoutes, needsSlowRoutes, routeTrust };

/** Drivers of displays; each creates one or several, beginning with the first display. */
export const screenDrivers = driverFamily<readonly ScreenDriver[]>('screen', [
  driverEntry({
    id: 'screen.auto',
    title: 'Displays of this machine',
    summary:
      'Finds up to four displays and drives each through the first of backlight, compositor, DDC/CI and dimming that works.',
    options: () =>
      z.strictObject({
        displays: z
          .int()
          .min(1)
          .max(4)
          .default(4)
          .meta({ description: 'Largest number of displays that are driven, each as a separate light.' }),
        optional: optionalPart(),
      }),
    needs: {
      groups: ['video'],
      packages: [],
      kernel: ['/sys/class/backlight', '/sys/class/drm', '/dev/i2c-*'],
      udev: [],
    },
    risks: ['screen-off'],
    probe:
      'Every route is tried and each write is read back; one that refuses, or does not switch what it should, gives way to the next.',
    scan: async () => {
      const [backlights, connectors] = await Promise.all([
        readdir('/sys/class/backlight').catch(() => []),
        readdir('/sys/class/drm').catch(() => []),
      ]);
      return namesFound(
        [...backlights, ...connectors.filter((name) => /^card\d+-(?!Writeback)/.test(name))],
        'display',
      );
    },
    create: ({ displays }) => [
      systemScreen({ decisions }),
      ...[2, 3, 4].filter((slot) => slot <= displays).map((slot) => systemScreen({ decisions, slot })),
    ],
  }),
  driverEntry({
    id: 'screen.adb',
    title: 'Display of an Android panel',
    summary:
      "Dims through Android's brightness setting, and puts the panel to sleep with a key press if no PIN, pattern or password protects it.",
    options: () => z.strictObject({}),
    needs: adbNeeds,
    risks: ['screen-off', 'android-debugging'],
    probe: 'The brightness is read, and Android is asked whether a credential protects it; each write is read back.',
    scan: onlyByUsing,
    create: (_options, { android }) => [adbScreen(android(), decisions)],
  }),
  driverEntry({
    id: 'screen.simulated',
    title: 'Simulated display',
    summary: 'A display in memory.',
    options: () => z.strictObject({}),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (_options, { simulated }) => [simulatedScreen(simulated())],
  }),
]);
