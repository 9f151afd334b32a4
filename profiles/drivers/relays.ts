import { readdir } from 'node:fs/promises';

import { z } from 'zod';

import { gpioRules } from '#drivers/kit/gpio-chip.ts';
import { LED_CLASS, LED_NAME } from '#drivers/lights/led-folder.ts';
import { ledRules } from '#drivers/lights/verdicts.ts';
import { gpioRelay } from '#drivers/relays/gpio.ts';
import { ledRelay } from '#drivers/relays/leds.ts';
import { CONSUMERS, REGULATOR_NAME, regulatorRelay } from '#drivers/relays/regulator.ts';
import { simulatedRelay } from '#drivers/relays/simulated.ts';
import { regulatorRules } from '#drivers/relays/verdicts.ts';
import type { RelayDriver } from '#machines/relays/events.ts';

import { driverEntry, driverFamily } from '../driver-entry.ts';
import { alwaysThere, scanForChips, noNeeds, namesFound } from './evidence.ts';
import { chipLabel, chipLine } from './names.ts';
import { once } from '#machines/kit/once.ts';

const restore = once(() =>
  z.enum(['keep', 'on', 'off']).default('keep').meta({
    description: 'State of the relay when the agent starts: `keep` for its last one, `on`, or `off`.',
  }),
);

export const relayDrivers = driverFamily<RelayDriver>('relay', [
  driverEntry({
    id: 'relay.gpio',
    title: 'Relay on a GPIO line',
    summary: 'Switches one line of a GPIO chip and holds it for as long as the agent runs.',
    options: () =>
      z
        .strictObject({
          chip_label: chipLabel().optional().meta({
            description: 'Label of the chip, as gpiodetect shows it in brackets. It does not change between boots.',
          }),
          chip: z
            .string()
            .regex(/^gpiochip\d{1,4}$/)
            .optional()
            .meta({ description: 'Name of the chip, if two have the same label. It may change between boots.' }),
          line: chipLine().meta({ description: 'Offset of the line in its chip.' }),
          active_low: z
            .boolean()
            .default(false)
            .meta({ description: 'True if the relay closes when the line is low.' }),
          restore: restore(),
        })
        .refine(({ chip, chip_label }) => (chip === undefined) !== (chip_label === undefined), {
          error: 'Give either chip_label or chip.',
        }),
    needs: { groups: ['gpio'], packages: [], kernel: ['/dev/gpiochip*'], udev: gpioRules },
    risks: ['relay-write', 'gpio-write'],
    probe:
      'The chip is asked for its label and who uses the line; the line is requested, and read back, only when it is first switched.',
    scan: scanForChips,
    create: ({ chip, chip_label, line, active_low, restore: atStart }) =>
      gpioRelay({
        chip: chip_label === undefined ? { name: chip ?? '' } : { label: chip_label },
        line,
        activeLow: active_low,
        restore: atStart,
      }),
  }),
  driverEntry({
    id: 'relay.leds',
    title: 'Relay shown as an LED',
    summary: 'Switches a relay that the kernel shows among its LEDs.',
    options: () =>
      z.strictObject({
        name: z
          .string()
          .regex(LED_NAME)
          .meta({ description: 'The LED: its exact name, or "*:function" for the first with that function.' }),
        restore: restore(),
      }),
    needs: { groups: ['video'], packages: [], kernel: [LED_CLASS], udev: ledRules },
    risks: ['relay-write', 'led-write'],
    probe: 'The LED is found by name and read; it is written only when the relay is switched.',
    scan: async () => namesFound(await readdir(LED_CLASS).catch(() => []), 'LED'),
    create: (options) => ledRelay(options),
  }),
  driverEntry({
    id: 'relay.regulator',
    title: 'Relay behind a supply',
    summary: 'Switches a supply that the kernel leaves to user space.',
    options: () =>
      z.strictObject({
        name: z
          .string()
          .regex(REGULATOR_NAME)
          .meta({ description: 'Name of the supply, as its file "name" shows it.' }),
        restore: restore(),
      }),
    needs: { groups: ['gpio'], packages: [], kernel: [CONSUMERS], udev: regulatorRules },
    risks: ['relay-write'],
    probe: 'The supply is found by name and read; it is written only when the relay is switched.',
    scan: async () =>
      namesFound(
        (await readdir(CONSUMERS).catch(() => [])).filter(
          (name) => !['bind', 'unbind', 'uevent', 'module'].includes(name),
        ),
        'supply',
      ),
    create: (options) => regulatorRelay(options),
  }),
  driverEntry({
    id: 'relay.simulated',
    title: 'Simulated relay',
    summary: 'A relay in memory.',
    options: () =>
      z.strictObject({
        relay: z.int().min(1).max(4).default(1).meta({ description: 'Which relay of the simulated panel.' }),
        restore: restore(),
      }),
    needs: noNeeds,
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (options, { simulated }) => simulatedRelay(simulated(), options.relay, options.restore),
  }),
]);
