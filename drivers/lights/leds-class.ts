import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Probe } from '#drivers/kit/attached.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { LightDriver, LightOutput, Rgb } from '#machines/lights/events.ts';

import { type OpenLight, driveLight } from './open-light.ts';
import {
  findLed,
  type Led,
  LED_CLASS,
  mayWrite,
  readNumber,
  readTrigger,
  writeText,
  writeTrigger,
} from './led-folder.ts';
import { levelOf, outputOf, rawOf, rawParts } from './scale.ts';
import { ledsFound, ledsNotWritable, noLed, unreadableLed } from './verdicts.ts';

/** The LEDs that make up a light: one, or one per colour. */
type LedNames = { readonly name: string } | { readonly red: string; readonly green: string; readonly blue: string };

export type LedsOptions = LedNames & {
  /** Largest raw brightness that is written, for an LED that is too bright at its maximum. */
  readonly max?: number | undefined;
  /** Class folder; the kernel's by default. */
  readonly root?: string;
  readonly probeMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
};

const brightnessOf = (led: Led): string => join(led.folder, 'brightness');

/** Takes LEDs from the kernel's triggers before the first write and restores the triggers at the end. */
function holdTriggers(leds: readonly Led[]) {
  const triggers = new Map<Led, string | null>();
  return {
    /** True if a trigger drives one of them now, which makes its brightness meaningless. */
    isDriven: async (): Promise<boolean> =>
      triggers.size === 0 && (await Promise.all(leds.map(readTrigger))).some((trigger) => trigger !== null),
    take: async (): Promise<void> => {
      for (const led of leds) {
        if (triggers.has(led)) continue;
        const trigger = await readTrigger(led);
        if (trigger !== null) await writeTrigger(led, null);
        triggers.set(led, trigger);
      }
    },
    restore: async (): Promise<void> => {
      for (const [led, trigger] of triggers) if (trigger !== null) await writeTrigger(led, trigger).catch(() => {});
    },
  };
}

/**
 * Order of the colours in a multicolour LED's files (Documentation/ABI/testing/sysfs-class-led-multicolor); null for
 * any other LED.
 */
async function colourOrder({ folder }: Led): Promise<readonly (keyof Rgb)[] | null> {
  const words = (await readFile(join(folder, 'multi_index'), 'utf8').catch(() => '')).trim().split(/\s+/);
  const order = words.filter((word): word is keyof Rgb => word === 'red' || word === 'green' || word === 'blue');
  return order.length === 3 && words.length === 3 && new Set(order).size === 3 ? order : null;
}

type Light = Pick<OpenLight, 'ability'> & {
  readonly read: () => Promise<LightOutput>;
  readonly write: (output: LightOutput) => Promise<void>;
};

const single = (led: Led, rawMax: number): Light => ({
  ability: { colour: rawMax === 1 ? 'switch' : 'level', effects: true },
  read: async () => ({ level: levelOf(await readNumber(brightnessOf(led)), rawMax), rgb: null }),
  write: ({ level }) => writeText(brightnessOf(led), String(rawOf(level, rawMax))),
});

function multicolour(led: Led, rawMax: number, order: readonly (keyof Rgb)[]): Light {
  const intensity = join(led.folder, 'multi_intensity');
  return {
    ability: { colour: 'rgb', effects: true },
    read: async () => {
      const level = levelOf(await readNumber(brightnessOf(led)), rawMax);
      const raw = (await readFile(intensity, 'utf8')).trim().split(/\s+/).map(Number);
      const part = (colour: keyof Rgb): number => levelOf(raw[order.indexOf(colour)] ?? 0, led.rawMax);
      return { level, rgb: { red: part('red'), green: part('green'), blue: part('blue') } };
    },
    write: async ({ level, rgb }) => {
      // Write the colour first: an LED that lights up in its old colour would flash.
      if (rgb !== null && level > 0)
        await writeText(intensity, order.map((colour) => rawOf(rgb[colour], led.rawMax)).join(' '));
      await writeText(brightnessOf(led), String(rawOf(level, rawMax)));
    },
  };
}

const three = (leds: Readonly<Record<keyof Rgb, Led>>, rawMax: Rgb): Light => ({
  ability: { colour: 'rgb', effects: true },
  read: async () => {
    const [red, green, blue] = await Promise.all([
      readNumber(brightnessOf(leds.red)),
      readNumber(brightnessOf(leds.green)),
      readNumber(brightnessOf(leds.blue)),
    ]);
    return outputOf({ red, green, blue }, rawMax);
  },
  write: async (output) => {
    const raw = rawParts(output, rawMax);
    for (const colour of ['red', 'green', 'blue'] as const)
      await writeText(brightnessOf(leds[colour]), String(raw[colour]));
  },
});

function openLightOf(light: Light, leds: readonly Led[]): OpenLight {
  const hold = holdTriggers(leds);
  return {
    ability: light.ability,
    read: async () => ((await hold.isDriven()) ? null : light.read()),
    write: async (output) => {
      await hold.take();
      await light.write(output);
    },
    close: hold.restore,
  };
}

async function probeFor(options: LedsOptions): Promise<Probe<OpenLight>> {
  const { root = LED_CLASS, max = Number.POSITIVE_INFINITY } = options;
  const wanted = 'name' in options ? [options.name] : [options.red, options.green, options.blue];
  const found: Led[] = [];
  for (const name of wanted) {
    const led = await findLed(root, name);
    if (led === null) return { device: null, verdict: noLed(name) };
    found.push(led);
  }
  const names = found.map(({ name }) => name);
  const writable = await Promise.all(found.map((led) => mayWrite(brightnessOf(led))));
  if (writable.includes(false)) return { device: null, verdict: ledsNotWritable(names) };
  const [first, second, third] = found;
  if (first === undefined) return { device: null, verdict: noLed(wanted.join(', ')) };
  const cappedMax = (led: Led): number => Math.max(1, Math.min(led.rawMax, max));
  const order = await colourOrder(first);
  const light =
    second !== undefined && third !== undefined
      ? three(
          { red: first, green: second, blue: third },
          { red: cappedMax(first), green: cappedMax(second), blue: cappedMax(third) },
        )
      : order === null
        ? single(first, cappedMax(first))
        : multicolour(first, cappedMax(first), order);
  const reads = await light.read().then(
    () => true,
    () => false,
  );
  return reads
    ? { device: openLightOf(light, found), verdict: ledsFound(names) }
    : { device: null, verdict: unreadableLed(first.name) };
}

/** A light of the kernel's LED class: a single-colour or multicolour LED, or three LEDs as one light. */
export const ledsLight = (options: LedsOptions): LightDriver =>
  driveLight({
    probe: () => probeFor(options),
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
