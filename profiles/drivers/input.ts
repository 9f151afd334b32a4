import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { listEvents } from '#drivers/input/devices.ts';
import { linuxInput } from '#drivers/input/linux.ts';
import { simulatedInput } from '#drivers/input/simulated.ts';
import type { InputDriver } from '#machines/input/events.ts';
import { once } from '#machines/kit/once.ts';
import { quoted } from '#machines/kit/shown-text.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';
import { buttonFault, codeOf, keyName } from './button-keys.ts';
import { keyCodes, switchCodes, typingCodes } from './key-codes.ts';
import { deviceName } from './names.ts';

async function scanForDevices(): Promise<Evidence> {
  const root = '/sys/class/input';
  const names = await Promise.all(
    (await listEvents(root)).map((event) => readFile(join(root, event, 'device/name'), 'utf8').catch(() => '')),
  );
  return namesFound(
    names.map((name) => name.trim().slice(0, 64)).filter((name) => name !== ''),
    'input device',
  );
}

const neverLetters = 'A device with letter keys is never read for them.';

/** Largest number of hardware buttons that a profile can name. */
const mostButtons = 32;

const buttonName = once(() =>
  z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/)
    .meta({ description: 'Name that is reported with each press: lower-case letters, digits and _.' }),
);

const buttonNames = [...Object.keys(keyCodes), ...Object.keys(switchCodes)];

/** Every name of a key or switch; made for the first button, since most panels have none. */
const allNames = once(() => z.enum([...buttonNames, ...Object.keys(typingCodes)]));

const button = once(() =>
  z.strictObject({
    name: buttonName(),
    device: deviceName().meta({
      description:
        'Name of the input device as the kernel reports it; * matches any characters. Not a number such as event3: those change.',
    }),
    code: z.union([z.int().min(0).max(767), z.lazy(allNames)]).meta({
      description: 'Key or switch: its name (KEY_HOME, SW_DOCK) or its number; never a key that people type with.',
      // Offered to editors. A profile that was saved earlier may contain others, which `buttonFault` finds.
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 767 },
        { type: 'string', enum: buttonNames },
      ],
    }),
    kind: z.enum(['key', 'switch']).default('key').meta({
      description: 'A key is pressed and released; a switch keeps its position and does not wake the screen.',
    }),
    grab: z
      .boolean()
      .default(false)
      .meta({ description: 'True to keep the whole device from all other programs; ignored for touch screens.' }),
    long_ms: z
      .int()
      .min(200)
      .max(10_000)
      .default(800)
      .meta({ description: 'Duration of a long press, in milliseconds.' }),
    double_ms: z
      .int()
      .min(0)
      .max(2000)
      .default(400)
      .meta({ description: 'Longest time between the presses of a double press, in milliseconds; 0 disables it.' }),
  }),
);

const wordsFor = (device: string): string => (/^\*+$/.test(device) ? 'any device' : quoted(device));

const areNamedOnce = (buttons: readonly { readonly name: string }[]): boolean =>
  new Set(buttons.map(({ name }) => name)).size === buttons.length;

const evdevOptions = once(() =>
  z.strictObject({
    first_touch: z
      .array(z.enum(['touch', 'key', 'pointer']))
      .max(3)
      .default(['touch'])
      .meta({
        description:
          'What is kept from the page while the screen is dark, so that the touch that lights it does nothing else.',
      }),
    buttons: z
      .array(button())
      .max(mostButtons)
      .refine(areNamedOnce, 'two buttons have one name')
      .default([])
      .meta({ description: 'Hardware buttons that are reported by name.' }),
  }),
);

const simulatedOptions = once(() =>
  z.strictObject({
    buttons: z
      .array(z.strictObject({ name: buttonName() }))
      .max(4)
      .refine(areNamedOnce, 'two buttons have one name')
      .default([])
      .meta({ description: 'Names of the four buttons, in order.' }),
  }),
);

export const inputDrivers = driverFamily<InputDriver>('input', [
  driverEntry({
    id: 'input.evdev',
    title: 'Touch screens, keys and buttons',
    summary:
      'Reads the event devices of the kernel, found by their abilities; the first touch on a dark screen only wakes it.',
    options: evdevOptions,
    needs: { groups: ['input'], packages: [], kernel: ['/dev/input/event*'], udev: [] },
    risks: ['evdev-read', 'evdev-grab'],
    probe: 'Each event device is opened for reading and asked what it can do.',
    scan: scanForDevices,
    riskWords: ({ buttons }) => {
      const read = buttons.filter((one) => buttonFault(one) === null);
      const reported = read.map((one) => `${keyName(one)} of ${wordsFor(one.device)} as ${quoted(one.name)}`);
      const grabbed = read.filter(({ grab }) => grab).map(({ device }) => wordsFor(device));
      return {
        ...(reported.length > 0 && {
          'evdev-read': `It reports each press of these: ${reported.join(', ')}. ${neverLetters}`,
        }),
        ...(grabbed.length > 0 && {
          'evdev-grab': `It always keeps these from other programs: ${[...new Set(grabbed)].join(', ')}.`,
        }),
      };
    },
    faults: ({ buttons }) =>
      buttons.flatMap((one, index) => {
        const fault = buttonFault(one);
        return fault === null ? [] : [{ ...fault, path: ['buttons', index, ...fault.path] }];
      }),
    create: ({ first_touch: touch, buttons }) =>
      linuxInput({
        grab: touch,
        refused: buttons.filter((one) => buttonFault(one) !== null).map(({ name }) => name),
        buttons: buttons
          .filter((one) => buttonFault(one) === null)
          .map(({ name, device, code, kind, grab, long_ms: longMs, double_ms: doubleMs }) => ({
            name,
            device,
            code: codeOf(code),
            kind,
            grab,
            longMs,
            doubleMs,
          })),
      }),
  }),
  driverEntry({
    id: 'input.simulated',
    title: 'Simulated buttons',
    summary: 'The buttons of the simulated panel, as keys.',
    options: simulatedOptions,
    needs: noNeeds,
    risks: ['none'],
    probe: 'They are always there.',
    scan: alwaysThere,
    create: ({ buttons }, { simulated }) =>
      simulatedInput(
        simulated(),
        buttons.map(({ name }) => name),
      ),
  }),
]);
