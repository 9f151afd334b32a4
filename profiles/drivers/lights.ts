import { readdir } from 'node:fs/promises';

import { z } from 'zod';

import { LED_CLASS, LED_NAME } from '#drivers/lights/led-folder.ts';
import { ledsLight } from '#drivers/lights/leds-class.ts';
import { type SimulatedLight, simulatedLight } from '#drivers/lights/simulated.ts';
import { ledRules } from '#drivers/lights/verdicts.ts';
import type { LightDriver } from '#machines/lights/events.ts';

import { driverEntry, driverFamily } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';

const simulatedLights = {
  led: { part: 'led' },
  button_backlight: { part: 'button_backlight' },
  button_led1: { part: 'button_leds', button: 1 },
  button_led2: { part: 'button_leds', button: 2 },
  button_led3: { part: 'button_leds', button: 3 },
  button_led4: { part: 'button_leds', button: 4 },
} as const satisfies Readonly<Record<string, SimulatedLight>>;

const led = (what: string) =>
  z
    .string()
    .regex(LED_NAME)
    .optional()
    .meta({ description: `${what}: its exact name, or "*:function" for the first with that function.` });

/** Drivers of the LED, the light behind the buttons, and the lamps beside them. */
export const lightDrivers = driverFamily<LightDriver>('light', [
  driverEntry({
    id: 'led.class',
    title: 'LED of the kernel',
    summary: 'A single-colour or multicolour LED of the kernel, or three LEDs as one light.',
    options: () =>
      z
        .strictObject({
          name: led('The one LED'),
          red: led('The red one of three'),
          green: led('The green one of three'),
          blue: led('The blue one of three'),
          max: z
            .int()
            .min(1)
            .max(65_535)
            .optional()
            .meta({ description: 'Largest raw brightness that is written, for an LED that is too bright.' }),
        })
        .refine(
          ({ name, red, green, blue }) =>
            name === undefined
              ? red !== undefined && green !== undefined && blue !== undefined
              : red === undefined && green === undefined && blue === undefined,
          {
            error: 'Give either name, or all of red, green and blue.',
          },
        ),
    needs: { groups: ['video'], packages: [], kernel: [LED_CLASS], udev: ledRules },
    risks: ['led-write'],
    probe:
      'The LED is found by name and read; it is written, and taken from the kernel, only when the light is switched.',
    scan: async () => namesFound(await readdir(LED_CLASS).catch(() => []), 'LED'),
    create: ({ name, red, green, blue, max }) =>
      ledsLight({ ...(name === undefined ? { red: red ?? '', green: green ?? '', blue: blue ?? '' } : { name }), max }),
  }),
  driverEntry({
    id: 'led.simulated',
    title: 'Simulated light',
    summary: 'A light in memory.',
    options: () =>
      z.strictObject({
        light: z
          .enum(['led', 'button_backlight', 'button_led1', 'button_led2', 'button_led3', 'button_led4'])
          .default('led')
          .meta({ description: 'Which light of the simulated panel.' }),
      }),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: ({ light }, { simulated }) => simulatedLight(simulated(), simulatedLights[light]),
  }),
]);
