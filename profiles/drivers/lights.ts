import { z } from 'zod';

import { type SimulatedLight, simulatedLight } from '#drivers/lights/simulated.ts';

import { type DriverEntry, driverEntry } from '../driver-entry.ts';
import { alwaysThere, noNeeds } from './evidence.ts';

const simulatedLights = {
  led: { part: 'led' },
  button_backlight: { part: 'button_backlight' },
  button_led1: { part: 'button_leds', button: 1 },
  button_led2: { part: 'button_leds', button: 2 },
  button_led3: { part: 'button_leds', button: 3 },
  button_led4: { part: 'button_leds', button: 4 },
} as const satisfies Readonly<Record<string, SimulatedLight>>;

/** Drivers of the LED, the light behind the buttons and the lamps beside them. */
export const lightDrivers: readonly DriverEntry[] = [
  driverEntry({
    id: 'led.simulated',
    kind: 'light',
    title: 'Simulated light',
    summary: 'A light in memory.',
    options: z.strictObject({
      light: z.enum(['led', 'button_backlight', 'button_led1', 'button_led2', 'button_led3', 'button_led4']).default('led').meta({ description: 'Which light of the simulated panel.' }),
    }),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    look: alwaysThere,
    create: ({ light }, { simulated }) => simulatedLight(simulated(), simulatedLights[light]),
  }),
];
